internal import VitrineKit

/// The picture of the first page that a document carries: OpenDocument 1.3, part 2, 3.7 names its place, and
/// Office Open XML's packages (ISO/IEC 29500-2, 10) keep theirs beside the properties.
///
/// The program that wrote the document drew it with its own fonts, and reading it costs a hundredth of loading the
/// document.
struct EmbeddedPicture {
    /// The picture.
    let bitmap: Bitmap
    /// Pages or slides as the document's properties say.
    let pages: Int?

    /// The most bytes of a part that is unpacked for it.
    private static let partLimit = 4 << 20

    /// Looks for a picture.
    /// - Parameters:
    ///   - input: the document.
    ///   - format: what it is.
    ///   - box: its longer side, in pixels, at least.
    /// - Returns: `nil` when there is none, when it is smaller, or when it cannot be read or shows nothing.
    init?(in input: any RandomAccessInput, format: DocumentFormat, box: Int) {
        guard Self.carriers.contains(where: { $0 == (format.packing, format.family) }) else { return nil }
        do throws(PluginError) {
            let archive = try ZipDirectory(input)
            guard let name = archive.entries.map(\.name).first(where: Self.names.contains),
                let part = try archive.unpacked(name, limit: Self.partLimit, in: input),
                let bitmap = try Self.decode(part, box: box),
                max(bitmap.width, bitmap.height) >= box, Self.showsSomething(bitmap)
            else { return nil }
            self.bitmap = bitmap
            pages = try Self.pages(archive, input, format)
        } catch { return nil }
    }

    /// Documents whose pictures show what a drawing would. Those of workbooks in OpenDocument format are left out: they
    /// show the first printed page, which may be half of a sheet.
    private static let carriers: [(DocumentFormat.Packing, DocumentFormat.Family)] = [
        (.openXML, .text), (.openXML, .spreadsheet), (.openXML, .presentation), (.openDocument, .text),
        (.openDocument, .presentation), (.openDocument, .drawing),
    ]

    private static let names: Set = [
        "Thumbnails/thumbnail.png", "docProps/thumbnail.jpeg", "docProps/thumbnail.jpg", "docProps/thumbnail.png",
    ]

    private static func decode(_ part: [UInt8], box: Int) throws(PluginError) -> Bitmap? {
        if let bitmap = try JPEGPicture.bitmap(part, box: box) { return bitmap }
        return try PNGPicture.bitmap(part)
    }

    /// Whether there is more than one colour.
    private static func showsSomething(_ bitmap: Bitmap) -> Bool {
        bitmap.withUnsafeMutableBytes { bytes in
            (0..<bitmap.height).contains { y in
                let row = y * bitmap.bytesPerRow
                return (0..<(bitmap.width * 4)).contains { bytes[row + $0] != bytes[$0 % 4] }
            }
        }
    }

    /// Where the properties tell the number of pages, and what stands before it.
    private static func pages(
        _ archive: ZipDirectory, _ input: any RandomAccessInput, _ format: DocumentFormat
    ) throws(PluginError) -> Int? {
        let place: (part: String, mark: String)? =
            switch (format.packing, format.family) {
            case (.openXML, .text): ("docProps/app.xml", "<Pages>")
            case (.openXML, .presentation): ("docProps/app.xml", "<Slides>")
            case (.openDocument, .text): ("meta.xml", "meta:page-count=\"")
            default: nil
            }
        guard let place, let part = try archive.unpacked(place.part, limit: partLimit, in: input) else { return nil }
        let text = String(decoding: part, as: UTF8.self)
        guard let mark = text.firstRange(of: place.mark) else { return nil }
        let number = Int(text[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }.prefix(9))
        return number.flatMap { $0 > 0 ? $0 : nil }
    }
}
