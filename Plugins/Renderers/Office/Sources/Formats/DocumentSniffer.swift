internal import CompoundFiles
internal import VitrineKit

/// Finds out what a document really is before LibreOffice sees it.
///
/// LibreOffice takes anything that it does not know for plain text, draws nothing of an empty file, and ends the
/// process on some text that is named like a spreadsheet: so only what begins as its format prescribes is passed on.
enum DocumentSniffer {
    /// What was found.
    struct Finding {
        /// What to give LibreOffice.
        var format: DocumentFormat
        /// Whether a password is needed; LibreOffice still opens documents that Office enciphered with the
        /// password it uses when the user set none.
        var isEncrypted: Bool
        /// Why it cannot be read as a whole, when it is too long for that; its beginning may do.
        var excess: PluginError?
    }

    /// Bytes of all parts together, unpacked, that a document may have.
    static let unpackedLimit = 1 << 30

    /// Bytes of XML among them; LibreOffice reads some ten million a second.
    static let parsedLimit = 256 << 20

    /// Bytes of a document's beginning that are looked at.
    static let headSize = 4096

    /// Looks at a document.
    /// - Parameters:
    ///   - input: the document.
    ///   - mimeType: what the engine takes it for; it decides between kinds with the same content.
    /// - Throws: `empty`, `corrupt`, `encrypted`, `unsupported`, `limitExceeded`, or what the input throws.
    static func look(at input: any RandomAccessInput, mimeType: String) throws(PluginError) -> Finding {
        let head = try input.head(headSize)
        guard !head.isEmpty else { throw PluginError(.empty, "the document is empty") }
        let named = DocumentFormat.named(mimeType)
        if head.holds(CompoundFile.signature) { return try compound(input, named) }
        if head.holds([0x50, 0x4B, 0x03, 0x04]) || head.holds([0x50, 0x4B, 0x05, 0x06]) {
            let parts = try ZipDirectory(input)
            var finding = try archive(parts, input, named)
            finding.excess = excess(parts.parsedSize, parsedLimit, "the XML in the document")
            return finding
        }
        if let named, let own = OwnFormat(rawValue: named.suffix), named.packing == .own,
            own.begins(head, size: input.size)
        {
            return Finding(format: named, isEncrypted: false)
        }
        let namesakes: [String: [OwnFormat]] = ["doc": [.wri], "wps": [.oldWorks, .oldWorksBase]]
        let old = [OwnFormat.oldWord, .oldPowerPoint] + (named.flatMap { namesakes[$0.suffix] } ?? [])
        if let old = old.first(where: { $0.begins(head, size: input.size) }) {
            return Finding(
                format: DocumentFormat(packing: .own, family: old.family, suffix: old.rawValue), isEncrypted: false)
        }
        if let named, named.isFormula, FormulaMarkup.begins(head) {
            return Finding(format: named, isEncrypted: false)
        }
        if head.holds(Array("{\\rtf".utf8)) { return try finding(.richText, .text, named) }
        if isRecords(head) { return try finding(.records, .spreadsheet, named) }
        if let format = flatXML(head) { return Finding(format: format, isEncrypted: false) }
        if isText(head) {
            // That of packages is what LibreOffice is given of nothing but MathML.
            let suffix = named.map { $0.isFormula && $0.packing == .flatXML ? "mml" : $0.suffix }
            throw PluginError(
                .unsupported, "the file is text\(suffix.map { ", whatever its name '.\($0)' says" } ?? "")")
        }
        throw PluginError(.corrupt, "the file's bytes are no office document")
    }

    private static func finding(
        _ packing: DocumentFormat.Packing, _ family: DocumentFormat.Family, _ named: DocumentFormat?,
        isEncrypted: Bool = false
    ) throws(PluginError) -> Finding {
        if let named, named.packing == packing, named.family == family {
            return Finding(format: named, isEncrypted: isEncrypted)
        }
        guard let format = DocumentFormat.usual(packing, family) else {
            throw PluginError(.unsupported, "documents of this kind are not drawn")
        }
        return Finding(format: format, isEncrypted: isEncrypted)
    }

    /// Parts by which documents of Visio, Publisher, Works, StarOffice and PageMaker are known. Some of these names are common
    /// words: a document of Office may have them as well, among what is embedded in it.
    private static let otherDocuments: [(part: String, family: DocumentFormat.Family, suffix: String)] = [
        ("VisioDocument", .drawing, "vsd"), ("Quill", .drawing, "pub"), ("MatOST", .text, "wps"),
        ("CONTENTS", .text, "wps"), ("StarWriterDocument", .text, "sdw"), ("StarCalcDocument", .spreadsheet, "sdc"),
        ("StarDrawDocument3", .drawing, "sdd"), ("StarDrawDocument", .drawing, "sdd"),
        ("PageMaker", .drawing, "pmd"),
    ]

    /// Where PowerPoint keeps its slides: since version 97 ([MS-PPT] 2.1.2), and in version 4.
    private static let presentations = ["PowerPoint Document", "PP40"]

    private static func compound(
        _ input: any RandomAccessInput, _ named: DocumentFormat?
    ) throws(PluginError) -> Finding {
        let file = try CompoundFile(input)
        let isEncrypted = try file.isEncrypted()
        let names = file.entries
        if names["EncryptedPackage"] != nil {
            return try finding(.openXML, named?.family ?? .text, named, isEncrypted: true)
        }
        let family: DocumentFormat.Family
        if names["WordDocument"] != nil {
            family = .text
        } else if file.workbook != nil {
            family = .spreadsheet
        } else if presentations.contains(where: { names[$0] != nil }) {
            family = .presentation
        } else if let other = otherDocuments.first(where: { names[$0.part] != nil }) {
            let format = DocumentFormat(packing: .compound, family: other.family, suffix: other.suffix)
            return Finding(format: format, isEncrypted: isEncrypted)
        } else if try isOldPublication(file) {
            let format = DocumentFormat(packing: .compound, family: .drawing, suffix: "pub")
            return Finding(format: format, isEncrypted: isEncrypted)
        } else {
            throw PluginError(
                .unsupported,
                "the compound file holds no document of Office, Visio, Publisher, PageMaker, Works or StarOffice")
        }
        return try finding(.compound, family, named, isEncrypted: isEncrypted)
    }

    /// Whether it is a document of Publisher 97 or 98, whose texts are no part of their own yet: `Contents` begins as libmspub
    /// has it.
    private static func isOldPublication(_ file: CompoundFile) throws(PluginError) -> Bool {
        try file.head(of: "Contents", count: 4) == [0xE8, 0xAC, 0x22, 0x00]
    }

    private static func archive(
        _ archive: ZipDirectory, _ input: any RandomAccessInput, _ named: DocumentFormat?
    ) throws(PluginError) -> Finding {
        guard !archive.entries.isEmpty else {
            throw PluginError(.empty, "the document is an archive with nothing in it")
        }
        if let excess = excess(archive.unpackedSize, unpackedLimit, "the document") { throw excess }
        if let type = try archive.stored("mimetype", count: 256, in: input) {
            guard let format = DocumentFormat.named(String(decoding: type, as: UTF8.self)) else {
                throw PluginError(.unsupported, "the archive says that it is something else than an office document")
            }
            return Finding(format: format, isEncrypted: try isEncryptedOpenDocument(archive, input))
        }
        guard archive.contains("[Content_Types].xml") else {
            if let named, named.suffix == OwnFormat.cdr.rawValue, drawings.contains(where: archive.contains) {
                return Finding(format: named, isEncrypted: false)
            }
            if let named, named.isWork, let package = WorkPackage(archive) {
                guard !package.isEncrypted else {
                    throw PluginError(
                        .locked, "the document of iWork is protected by a password, with which none is opened here")
                }
                return Finding(format: named, isEncrypted: false)
            }
            if let named, named.packing == .openDocument, archive.contains("content.xml") {
                return Finding(format: named, isEncrypted: try isEncryptedOpenDocument(archive, input))
            }
            throw PluginError(.unsupported, "the archive holds no office document")
        }
        let roots: [(String, DocumentFormat.Family)] = [
            ("word/", .text), ("xl/", .spreadsheet), ("ppt/", .presentation), ("visio/", .drawing),
        ]
        let found = roots.first { root in archive.entries.contains { $0.name.hasPrefix(root.0) } }
        guard let family = found?.1 ?? (named?.packing == .openXML ? named?.family : nil) else {
            throw PluginError(.unsupported, "the package holds no document of Word, Excel, PowerPoint or Visio")
        }
        return try finding(.openXML, family, named)
    }

    /// The main part of a drawing of CorelDRAW: up to version X5, and since then.
    private static let drawings = ["content/riffData.cdr", "content/root.dat"]

    private static func excess(_ size: Int, _ limit: Int, _ what: String) -> PluginError? {
        guard size > limit else { return nil }
        return PluginError(.limitExceeded, "\(what) unpacks to \(size) bytes; at most \(limit) are allowed")
    }

    /// Enciphered parts of an OpenDocument package are stored, not packed (OpenDocument 1.3, part 2, 4.3), and
    /// do not begin as XML does. Newer files hold one enciphered package instead.
    private static func isEncryptedOpenDocument(
        _ archive: ZipDirectory, _ input: any RandomAccessInput
    ) throws(PluginError) -> Bool {
        if archive.contains("encrypted-package") { return true }
        guard let content = try archive.stored("content.xml", count: 4, in: input), let first = content.first else {
            return false
        }
        return first != UInt8(ascii: "<") && !content.holds([0xEF, 0xBB, 0xBF])
    }

    /// A `BOF` record of Excel 2, 3 or 4, or their successor ([MS-XLS] 2.4.21), which some programs write without a compound file.
    private static func isRecords(_ head: [UInt8]) -> Bool {
        guard let type = head.uint16(at: 0), let length = head.uint16(at: 2) else { return false }
        return [0x0009, 0x0209, 0x0409].contains(type) && 4...8 ~= length || type == 0x0809 && 4...16 ~= length
    }

    /// The namespaces of what Word and Excel wrote in one file of XML, since Office XP and 2003.
    private static let officeXML: [(namespace: String, family: DocumentFormat.Family)] = [
        ("http://schemas.microsoft.com/office/word/2003/wordml", .text),
        ("urn:schemas-microsoft-com:office:spreadsheet", .spreadsheet),
    ]

    /// The format of a document in one file of XML: of OpenDocument, from the attribute of its root element, or of Office.
    private static func flatXML(_ head: [UInt8]) -> DocumentFormat? {
        let text = String(decoding: head, as: UTF8.self)
        guard text.hasPrefix("<") || text.hasPrefix("\u{FEFF}<") else { return nil }
        if let known = officeXML.first(where: { text.contains("=\"\($0.namespace)\"") }) {
            return DocumentFormat(packing: .flatXML, family: known.family, suffix: "xml")
        }
        guard let root = text.firstRange(of: "<office:document"),
            let attribute = text[root.upperBound...].firstRange(of: "office:mimetype=")
        else { return nil }
        let value = text[attribute.upperBound...].dropFirst().prefix { $0 != "\"" && $0 != "'" }
        return DocumentFormat.named(value + "-flat-xml")
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        head.holds([0xFF, 0xFE]) || head.holds([0xFE, 0xFF])
            || head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x08...0x0D ~= $0 || $0 == 0x1B }
    }
}
