/// What a renderer learned about an item on the way. `nil` is: not known, or does not apply.
@frozen
public struct Facts: Hashable, Sendable {
    /// Pages, sheets or slides.
    public var pages: Int?
    /// The original's size in pixels, upright.
    public var size: PixelSize?
    /// Length in seconds.
    public var duration: Double?
    /// The title that the document gives itself.
    public var title: String?
    /// The beginning of the document's text, when it was asked for: words in their reading order, so that the document
    /// is found by them. At most ``textLimit`` bytes of UTF-8 are kept; it is never written into a preview.
    public var text: String?
    /// What only some kinds of items have, such as an author or a codec. At most ``detailLimit`` of them are kept; see
    /// ``set(_:_:)-(_,String?)``.
    public var details: [FactName: FactValue] = [:]
    /// Where a picture was taken, when it was asked for. It is kept nowhere.
    public var place: Place?

    /// The most bytes of ``text``, in UTF-8.
    public static let textLimit = 32 << 10
    /// The most details that are kept.
    public static let detailLimit = 32

    /// The beginning of a text, at most ``textLimit`` bytes of UTF-8, cut between two characters of Unicode.
    public static func bounded(_ text: String) -> String { bounded(text, textLimit) }

    static func bounded(_ text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
        while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    /// A text as one line that can be shown: words with one blank between them, without characters that control or reorder,
    /// at most `limit` bytes of UTF-8.
    /// - Returns: `nil` when nothing is left.
    public static func line(_ text: String, limit: Int = FactValue.textLimit) -> String? {
        var line = String.UnicodeScalarView()
        var room = limit
        var wantsBlank = false
        // What is hidden or blank costs no room, so that there is a bound of its own.
        for scalar in text.unicodeScalars.prefix(8 * limit) {
            if scalar.properties.isWhitespace || scalar.value < 0x20 {
                wantsBlank = !line.isEmpty
            } else if !DisplayText.isHidden(scalar) {
                room -= UTF8.width(scalar) + (wantsBlank ? 1 : 0)
                guard room >= 0 else { break }
                if wantsBlank { line.append(" ") }
                wantsBlank = false
                line.append(scalar)
            }
        }
        return line.isEmpty ? nil : String(line)
    }

    /// Creates facts; nothing is known by default.
    public init(pages: Int? = nil, size: PixelSize? = nil, duration: Double? = nil, title: String? = nil) {
        self.pages = pages
        self.size = size
        self.duration = duration
        self.title = title
    }
}
