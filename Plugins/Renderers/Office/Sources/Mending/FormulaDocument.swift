internal import PrivateCopies
internal import VitrineKit

/// Formulas of OpenDocument and in MathML, which have no page of their own. LibreOffice's library draws texts, sheets and
/// slides, but no formulas by themselves: it is given a text with nothing in it but the formula.
enum FormulaDocument {
    /// The suffix by which they are told from other documents.
    static let suffix = "odf"

    private static let (content, settings) = ("content.xml", "settings.xml")
    /// Bytes of a part at most.
    private static let limit = 4 << 20

    /// Writes the text.
    /// - Parameters:
    ///   - input: the formula's package, which is not encrypted, or nothing but its MathML.
    ///   - folder: where to; nobody else may write in it.
    /// - Throws: `corrupt` where there is no formula in it, `limitExceeded` where it is too long; `noSpace` or `io` when it
    ///   cannot be written, or what the input throws.
    static func copy(of input: any RandomAccessInput, in folder: String) throws(PluginError) -> PrivateCopy {
        let (formula, settings) = try parts(of: input)
        return try PrivateCopy(in: folder, suffix: "odt") { (file) throws(PluginError) in
            var writer = ZipWriter { (bytes) throws(PluginError) in try PrivateCopy.write(bytes, to: file) }
            try writer.add("mimetype", Array("application/vnd.oasis.opendocument.text".utf8))
            try writer.add("META-INF/manifest.xml", Array(list.utf8))
            try writer.add(content, Array(text.utf8))
            try writer.add("styles.xml", Array(styles.utf8))
            try writer.add("formula/" + content, formula)
            if let settings { try writer.add("formula/" + Self.settings, settings) }
            try writer.end()
        }
    }

    /// The formula, and the fonts and sizes of its letters, where they are told.
    private static func parts(
        of input: any RandomAccessInput
    ) throws(PluginError) -> (formula: [UInt8], settings: [UInt8]?) {
        let head = try input.head(DocumentSniffer.headSize)
        // In a package the first tag may be that of the formula as well, where parts are stored as they are.
        guard !head.starts(with: "PK".utf8), FormulaMarkup.begins(head) else {
            let archive = try ZipDirectory(input)
            guard let formula = try archive.unpacked(content, limit: limit, in: input) else {
                throw PluginError(.corrupt, "the formula is damaged: its part '\(content)' cannot be read")
            }
            return (try FormulaMarkup.prepared(formula), try? archive.unpacked(settings, limit: limit, in: input))
        }
        guard input.size <= limit else {
            throw PluginError(
                .limitExceeded, "the formula has \(input.size) bytes; at most \(limit >> 20) MiB are read")
        }
        return (try FormulaMarkup.prepared(try input.bytes(at: 0, count: Int(input.size))), nil)
    }

    /// Where the formula is on its page, with a little paper around it: a millimetre and a half.
    /// - Throws: `empty` where nothing is seen of it, `limitExceeded` when there is no memory to look.
    static func area(
        of document: OfficeDocument, on page: OfficeDocument.Area
    ) throws(PluginError) -> OfficeDocument.Area {
        // Around a page LibreOffice's library draws something of a shadow.
        let paper = OfficeDocument.Area(
            x: page.x + shadow, y: page.y + shadow, width: page.width - 2 * shadow, height: page.height - 2 * shadow)
        let seen: OfficeDocument.Area
        do throws(PluginError) {
            // Once on all of it, which is coarse, and once where something was.
            let coarse = try PictureProbe(document, on: paper, statedSize: nil).area
            seen = try PictureProbe(document, on: coarse, statedSize: nil).area
        } catch {
            throw error.code == .empty ? PluginError(.empty, "the formula shows nothing: all of it is white") : error
        }
        // Of what would be no more than a line its beginning is shown.
        let (width, height) = (min(seen.width, longest * seen.height), min(seen.height, longest * seen.width))
        return OfficeDocument.Area(x: seen.x - 85, y: seen.y - 85, width: width + 170, height: height + 170)
    }
    /// How often the longer side of what is shown may be as long as the shorter one.
    private static let longest = 6
    /// How far the shadow reaches at most, in twips: four centimetres of paper that is drawn in 512 pixels.
    private static let shadow = 2268

    private static let names = "urn:oasis:names:tc:opendocument:xmlns:"
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <m:manifest xmlns:m="\(names)manifest:1.0">\
        <m:file-entry m:full-path="/" m:media-type="application/vnd.oasis.opendocument.text"/>\
        <m:file-entry m:full-path="content.xml" m:media-type="text/xml"/>\
        <m:file-entry m:full-path="styles.xml" m:media-type="text/xml"/>\
        <m:file-entry m:full-path="formula/" m:media-type="application/vnd.oasis.opendocument.formula"/>\
        <m:file-entry m:full-path="formula/content.xml" m:media-type="text/xml"/>\
        <m:file-entry m:full-path="formula/settings.xml" m:media-type="text/xml"/></m:manifest>
        """
    /// The largest sheet of paper that LibreOffice has: what is longer is cut off.
    private static let styles = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document-styles xmlns:office="\(names)office:1.0" xmlns:style="\(names)style:1.0" \
        xmlns:fo="\(names)xsl-fo-compatible:1.0" office:version="1.3"><office:automatic-styles>\
        <style:page-layout style:name="large"><style:page-layout-properties fo:page-width="300cm" fo:page-height="300cm" \
        fo:margin="5cm"/></style:page-layout></office:automatic-styles><office:master-styles>\
        <style:master-page style:name="Standard" style:page-layout-name="large"/></office:master-styles>\
        </office:document-styles>
        """
    private static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document-content xmlns:office="\(names)office:1.0" \
        xmlns:text="\(names)text:1.0" xmlns:draw="\(names)drawing:1.0" \
        xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.3"><office:body><office:text><text:p>\
        <draw:frame text:anchor-type="as-char"><draw:object xlink:href="./formula" xlink:type="simple" \
        xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p></office:text></office:body>\
        </office:document-content>
        """
}
