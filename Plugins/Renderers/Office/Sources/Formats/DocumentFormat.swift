/// A kind of document that LibreOffice is given, by the suffix that its private copy gets.
struct DocumentFormat: Hashable {
    /// How a file of this kind is packed.
    enum Packing {
        /// A compound file (OLE2).
        case compound
        /// A zip archive as Office Open XML prescribes it.
        case openXML
        /// A zip archive as OpenDocument prescribes it.
        case openDocument
        /// One XML file.
        case flatXML
        /// Rich Text Format.
        case richText
        /// Records of Excel, not in a compound file, as Excel up to 4 had them.
        case records
        /// Another program's own format, which begins as ``OwnFormat`` says.
        case own
    }

    /// What the document is.
    enum Family {
        /// Pages of text.
        case text
        /// Sheets of cells.
        case spreadsheet
        /// Slides.
        case presentation
        /// Drawn pages.
        case drawing
    }

    /// How it is packed.
    var packing: Packing
    /// What it is.
    var family: Family
    /// The usual suffix of its name.
    var suffix: String

    /// Whether it is a picture or a formula, and no page of its own.
    var isPicture: Bool { isFormula || packing == .own && OwnFormat(rawValue: suffix)?.isPicture ?? false }

    /// Whether it is a formula.
    var isFormula: Bool { suffix == FormulaDocument.suffix }

    /// Whether it is a document of iWork.
    var isWork: Bool { packing == .own && OwnFormat(rawValue: suffix)?.isWork ?? false }

    /// The format of a MIME type of shared-mime-info, in whatever letters: the engine has those of all types in lower case.
    static func named(_ mimeType: String) -> DocumentFormat? { table[mimeType.lowercased()] }

    /// What is taken when the MIME type does not fit the content.
    static func usual(_ packing: Packing, _ family: Family) -> DocumentFormat? {
        let suffix: String? =
            switch (packing, family) {
            case (.compound, .text): "doc"
            case (.compound, .spreadsheet), (.records, .spreadsheet): "xls"
            case (.compound, .presentation): "ppt"
            case (.openXML, .text): "docx"
            case (.openXML, .spreadsheet): "xlsx"
            case (.openXML, .presentation): "pptx"
            case (.openXML, .drawing): "vsdx"
            case (.richText, .text): "rtf"
            default: nil
            }
        return suffix.map { DocumentFormat(packing: packing, family: family, suffix: $0) }
    }

    private static let table: [String: DocumentFormat] = {
        var table: [String: DocumentFormat] = [:]
        func add(_ packing: Packing, _ family: Family, _ prefix: String, _ types: [String: String]) {
            for (type, suffix) in types {
                table["application/" + (prefix + type).lowercased()] = DocumentFormat(
                    packing: packing, family: family, suffix: suffix)
            }
        }
        add(.compound, .text, "", ["msword": "doc", "msword-template": "dot"])
        add(.compound, .spreadsheet, "", ["vnd.ms-excel": "xls"])
        add(.compound, .presentation, "", ["vnd.ms-powerpoint": "ppt"])
        add(.richText, .text, "", ["rtf": "rtf"])
        let open = "vnd.openxmlformats-officedocument."
        add(.openXML, .text, open, ["wordprocessingml.document": "docx", "wordprocessingml.template": "dotx"])
        add(.openXML, .spreadsheet, open, ["spreadsheetml.sheet": "xlsx", "spreadsheetml.template": "xltx"])
        add(
            .openXML, .presentation, open,
            [
                "presentationml.presentation": "pptx", "presentationml.slideshow": "ppsx",
                "presentationml.template": "potx",
            ])
        add(
            .openXML, .text, "vnd.ms-word.",
            ["document.macroEnabled.12": "docm", "template.macroEnabled.12": "dotm"])
        add(
            .openXML, .spreadsheet, "vnd.ms-excel.",
            [
                "sheet.macroEnabled.12": "xlsm", "sheet.binary.macroEnabled.12": "xlsb",
                "template.macroEnabled.12": "xltm",
            ])
        add(
            .openXML, .presentation, "vnd.ms-powerpoint.",
            [
                "presentation.macroEnabled.12": "pptm", "slideshow.macroEnabled.12": "ppsm",
                "template.macroEnabled.12": "potm",
            ])
        let oasis = "vnd.oasis.opendocument."
        add(
            .openDocument, .text, oasis,
            [
                "text": "odt", "text-template": "ott", "text-web": "oth",
                // As `MasterDocument` says.
                "text-master": "odt", "text-master-template": "ott",
            ])
        add(.openDocument, .spreadsheet, oasis, ["spreadsheet": "ods", "spreadsheet-template": "ots"])
        add(.openDocument, .presentation, oasis, ["presentation": "odp", "presentation-template": "otp"])
        add(.openDocument, .drawing, oasis, ["graphics": "odg", "graphics-template": "otg"])
        add(.flatXML, .text, oasis, ["text-flat-xml": "fodt"])
        add(.flatXML, .spreadsheet, oasis, ["spreadsheet-flat-xml": "fods"])
        add(.flatXML, .presentation, oasis, ["presentation-flat-xml": "fodp"])
        add(.flatXML, .drawing, oasis, ["graphics-flat-xml": "fodg"])
        let formula = FormulaDocument.suffix
        add(.openDocument, .text, oasis, ["formula": formula, "formula-template": formula])
        // Without a package, as one file.
        add(.flatXML, .text, "", ["mathml+xml": formula])
        let sun = "vnd.sun.xml."
        add(.openDocument, .text, sun, ["math": formula])
        add(.openDocument, .text, sun, ["writer": "sxw", "writer.template": "stw", "writer.global": "sxw"])
        add(.openDocument, .spreadsheet, sun, ["calc": "sxc", "calc.template": "stc"])
        add(.openDocument, .presentation, sun, ["impress": "sxi", "impress.template": "sti"])
        add(.openDocument, .drawing, sun, ["draw": "sxd", "draw.template": "std"])
        add(.compound, .drawing, "", ["vnd.visio": "vsd", "vnd.ms-publisher": "pub"])
        add(.compound, .text, "", ["vnd.ms-works": "wps"])
        let star = "vnd.stardivision."
        add(.compound, .text, star, ["writer": "sdw"])
        add(.compound, .spreadsheet, star, ["calc": "sdc"])
        add(.compound, .drawing, star, ["draw": "sda", "impress": "sdd"])
        add(
            .openXML, .drawing, "vnd.ms-visio.",
            [
                "drawing.main+xml": "vsdx", "template.main+xml": "vstx", "drawing.macroEnabled.main+xml": "vsdm",
                "template.macroEnabled.main+xml": "vstm",
            ])
        for (type, format) in OwnFormat.types {
            table[type] = DocumentFormat(packing: .own, family: format.family, suffix: format.rawValue)
        }
        return table
    }()
}
