internal import COffice
internal import Glibc
internal import VitrineKit

/// An open document. Closed when the last reference goes.
///
/// Lengths are in twips: 1/1440 inch.
final class OfficeDocument {
    /// A rectangle of a page, sheet or slide.
    struct Area: Hashable {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
    }

    private let document: UnsafeMutablePointer<LibreOfficeKitDocument>
    private let calls: LibreOfficeKitDocumentClass

    /// What it is.
    let family: DocumentFormat.Family

    /// Takes over a document and lays it out as it is printed: texts without their comments, sheets without the frames of the
    /// pages that they break into, between which some were left.
    init(_ document: UnsafeMutablePointer<LibreOfficeKitDocument>) {
        self.document = document
        calls = document.pointee.pClass.pointee
        calls.initializeForRendering?(document, "{}")
        family =
            switch UInt32(bitPattern: calls.getDocumentType?(document) ?? 0) {
            case coffice_spreadsheet.rawValue: .spreadsheet
            case coffice_presentation.rawValue: .presentation
            case coffice_drawing.rawValue: .drawing
            default: .text
            }
        if family == .text, values(".uno:ViewAnnotations").contains("\"id\"") { hideComments() }
        if family == .spreadsheet { perform(".uno:NormalViewMode") }
    }

    deinit { calls.destroy?(document) }

    /// Sheets or slides; meaningless for text.
    var parts: Int { Int(calls.getParts?(document) ?? 0) }

    /// What sheets are called, the first ones of them.
    var partNames: [String] {
        (0..<max(0, min(parts, FactValue.listLimit))).map { partName($0) }
    }

    /// What a sheet or slide is called.
    func partName(_ part: Int) -> String { text(calls.getPartName?(document, CInt(part))) }

    /// Shows a sheet or slide.
    func select(part: Int) { calls.setPart?(document, CInt(part)) }

    /// Whether people see a sheet when they open the document.
    func isVisible(part: Int) -> Bool {
        !text(calls.getPartInfo?(document, CInt(part))).contains("\"visible\": \"0\"")
    }

    /// Whether a sheet runs from right to left. LibreOffice draws such a sheet as a mirror shows it, letters too.
    func isMirrored(part: Int) -> Bool {
        text(calls.getPartInfo?(document, CInt(part))).contains("\"rtllayout\": \"1\"")
    }

    /// The size of the whole text, or of the part that is shown.
    var size: (width: Int, height: Int) {
        var width = 0
        var height = 0
        calls.getDocumentSize?(document, &width, &height)
        return (width, height)
    }

    /// The pages of a text that are printed: those without a size LibreOffice puts in between, so that a page is a left or a
    /// right one.
    var pages: [Area] {
        text(calls.getPartPageRectangles?(document)).split(separator: ";").compactMap { page in
            let numbers = page.split(separator: ",").compactMap { Int($0.drop { $0 == " " }) }
            return numbers.count == 4 && numbers[2] > 0 && numbers[3] > 0
                ? Area(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]) : nil
        }
    }

    /// The answer to a question about the state of the document, as JSON.
    func values(_ command: String) -> String { text(calls.getCommandValues?(document, command)) }

    /// Makes the changes to a text that its authors noted: LibreOffice writes deleted words into plain texts. Where there
    /// are many they stay, since it would take long.
    func acceptChanges() {
        let changes = values(".uno:AcceptTrackedChanges").ranges(of: "\"index\"").count
        guard 1...Self.mostChanges ~= changes else { return }
        perform(".uno:AcceptAllTrackedChanges")
    }

    /// Changes that are made at most, as LibreOffice lists them.
    private static let mostChanges = 500

    /// Hides the comments of a text, which has some, together with the margin that they stand in.
    ///
    /// The command does nothing for as long as LibreOffice's own thread has not put them there, which is soon after the text is
    /// loaded. Where they take no room they are not waited for longer.
    private func hideComments() {
        let width = size.width
        for _ in 0..<Self.mostAttempts {
            perform(".uno:ShowAnnotations", "{\"ShowAnnotations\":{\"type\":\"boolean\",\"value\":\"false\"}}")
            if size.width < width { return }
            poll(nil, 0, 1)
        }
    }

    /// How often it is tried, with a millisecond in between.
    private static let mostAttempts = 50

    /// Does what a command of LibreOffice's menus does, and waits for its end.
    /// - Parameters:
    ///   - command: its name, such as `.uno:Show`. One that lacks arguments may open a dialog.
    ///   - arguments: as JSON, if it takes any.
    func perform(_ command: String, _ arguments: String? = nil) {
        // LibreOffice does it later, on a thread of its own, unless somebody wants to hear of its end.
        calls.registerCallback?(document, { _, _, _ in }, nil)
        calls.postUnoCommand?(document, command, arguments, true)
        calls.registerCallback?(document, nil, nil)
    }

    /// Has places on a sheet told as they are in a drawing.
    /// - Parameters:
    ///   - area: what is drawn, of which only the size counts.
    ///   - size: of the picture, in pixels.
    func setZoom(_ area: Area, _ size: PixelSize) {
        calls.setClientZoom?(
            document, CInt(size.width), CInt(size.height), CInt(clamping: area.width), CInt(clamping: area.height))
    }

    /// Draws an area of what is shown, on white.
    /// - Parameters:
    ///   - area: what to draw.
    ///   - size: of the picture, in pixels.
    /// - Throws: `limitExceeded` when there is no memory for it.
    func draw(_ area: Area, _ size: PixelSize) throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(width: size.width, height: size.height, format: .bgrx)
        let row = size.width * 4
        // LibreOffice takes rows without padding.
        var pixels = [UInt8](repeating: 0xFF, count: row * size.height)
        calls.paintTile?(
            document, &pixels, CInt(size.width), CInt(size.height), CInt(clamping: area.x), CInt(clamping: area.y),
            CInt(clamping: area.width), CInt(clamping: area.height))
        bitmap.withUnsafeMutableBytes { target in
            pixels.withUnsafeBytes { source in
                for y in 0..<size.height {
                    let line = UnsafeRawBufferPointer(rebasing: source[(y * row)..<((y + 1) * row)])
                    UnsafeMutableRawBufferPointer(rebasing: target[(y * bitmap.bytesPerRow)...]).copyMemory(from: line)
                }
            }
        }
        return bitmap
    }

    /// Writes the document.
    /// - Parameters:
    ///   - url: of a file that is not there yet.
    ///   - format: LibreOffice's suffix for it.
    ///   - options: of the filter for that format, as LibreOffice has them.
    /// - Returns: whether it was written.
    func save(as url: String, _ format: String, options: String = "") -> Bool {
        (calls.saveAs?(document, url, format, options) ?? 0) != 0
    }

    private func text(_ answer: UnsafeMutablePointer<CChar>?) -> String {
        guard let answer else { return "" }
        defer { free(answer) }
        return String(cString: answer)
    }
}
