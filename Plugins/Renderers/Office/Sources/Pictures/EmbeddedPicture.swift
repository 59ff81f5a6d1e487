internal import CompoundFiles
internal import PictureTraits
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
    ///   - box: the longest side of the largest preview, in pixels.
    ///   - use: what is good enough. Of a document's shape only the picture itself tells, so that it is believed. That of iWork
    ///     is good enough in any size: LibreOffice draws less of such a document than there is.
    /// - Returns: `nil` when there is none, when it is not to be taken, or when it cannot be read or shows nothing.
    init?(in input: any RandomAccessInput, format: DocumentFormat, box: Int, _ use: EmbeddedUse = .auto) {
        guard use != .never else { return nil }
        do throws(PluginError) {
            let found =
                format.packing == .compound
                ? try Self.inProperties(of: input, format, use) : try Self.inPackage(input, format, box, use)
            guard let found,
                format.isWork
                    || use.takes(PixelSize(width: found.bitmap.width, height: found.bitmap.height), of: nil, box: box),
                found.bitmap.hasSeveralColours, format.isWork || !Self.isFramed(found.bitmap)
            else { return nil }
            self = found
        } catch { return nil }
    }

    private init(bitmap: Bitmap, pages: Int?) {
        self.bitmap = bitmap
        self.pages = pages
    }

    private static func inPackage(
        _ input: any RandomAccessInput, _ format: DocumentFormat, _ box: Int, _ use: EmbeddedUse
    ) throws(PluginError) -> EmbeddedPicture? {
        if format.isWork {
            let archive = try ZipDirectory(input)
            guard let name = WorkPackage(archive)?.preview,
                let part = try archive.unpacked(name, limit: partLimit, in: input),
                let bitmap = try decode(part, box: box)
            else { return nil }
            return EmbeddedPicture(bitmap: bitmap, pages: nil)
        }
        let isCarrier = !format.isFormula && carriers.contains { $0 == (format.packing, format.family) }
        guard isCarrier || (use == .prefer && format.packing == .openDocument) else { return nil }
        // LibreOffice draws them as it draws for people who edit, with what invites them to fill empty fields.
        if use == .auto, format.packing == .openDocument, EmptyFields.are(on: 0, of: input, format) { return nil }
        let archive = try ZipDirectory(input)
        guard let name = archive.entries.map(\.name).first(where: names.contains) else { return nil }
        if use == .auto, try !isTrue(name, archive, input, format) { return nil }
        guard let part = try archive.unpacked(name, limit: partLimit, in: input),
            let bitmap = try decode(part, box: box)
        else { return nil }
        return EmbeddedPicture(bitmap: bitmap, pages: try pages(archive, input, format))
    }

    /// Those of workbooks are left out unless they are preferred, for the same reason as below.
    private static func inProperties(
        of input: any RandomAccessInput, _ format: DocumentFormat, _ use: EmbeddedUse
    ) throws(PluginError) -> EmbeddedPicture? {
        guard format.family != .spreadsheet || use == .prefer,
            let summary = SummaryInformation(try CompoundFile(input)), let value = summary.thumbnail,
            let bitmap = try ClipboardPicture.bitmap(value)
        else { return nil }
        // As with OpenDocument files, above. PowerPoint, which names itself, draws what an audience sees.
        if use == .auto, summary.text(.program) == nil, EmptyFields.are(on: 0, of: input, format) { return nil }
        return EmbeddedPicture(bitmap: bitmap, pages: format.family == .text ? summary.number(.pages) : nil)
    }

    /// Documents whose pictures show what a drawing would. Those of workbooks in OpenDocument format are left out: they
    /// show the first printed page, which may be half of a sheet.
    private static let carriers: [(DocumentFormat.Packing, DocumentFormat.Family)] = [
        (.openXML, .text), (.openXML, .spreadsheet), (.openXML, .presentation), (.openDocument, .text),
        (.openDocument, .presentation), (.openDocument, .drawing),
    ]

    private static let names: Set = [
        "Thumbnails/thumbnail.png", "docProps/thumbnail.jpeg", "docProps/thumbnail.jpg", "docProps/thumbnail.png",
        "docProps/thumbnail.wmf",
    ]

    private static func decode(_ part: [UInt8], box: Int) throws(PluginError) -> Bitmap? {
        if let bitmap = try JPEGPicture.bitmap(part, box: box) { return bitmap }
        if let bitmap = try PNGPicture.bitmap(part) { return bitmap }
        return try MetafilePicture.bitmap(part)
    }

    /// Whether there is a black line all around white paper, as some programs draw one.
    private static func isFramed(_ bitmap: Bitmap) -> Bool {
        let (dark, light): (UInt8, UInt8) = (0x30, 0xE0)
        let inset = max(4, max(bitmap.width, bitmap.height) / 32)
        guard bitmap.width > 4 * inset, bitmap.height > 4 * inset else { return false }
        return bitmap.withUnsafeMutableBytes { bytes in
            func isEvery(_ inset: Int, _ fits: (UInt8) -> Bool) -> Bool {
                let (right, bottom) = (bitmap.width - 1 - inset, bitmap.height - 1 - inset)
                func fitsAt(_ x: Int, _ y: Int) -> Bool {
                    (0..<3).allSatisfy { fits(bytes[y * bitmap.bytesPerRow + x * 4 + $0]) }
                }
                return (inset...right).allSatisfy { fitsAt($0, inset) && fitsAt($0, bottom) }
                    && (inset...bottom).allSatisfy { fitsAt(inset, $0) && fitsAt(right, $0) }
            }
            return isEvery(0) { $0 <= dark } && isEvery(inset) { $0 >= light }
        }
    }

    /// Where the properties tell the number of pages, and what stands before it.
    static func pages(
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
