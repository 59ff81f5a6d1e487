/// What the shared MIME database takes for a page of the web for a mark within its beginning, which XML and texts of other kinds may
/// have there as well.
enum Markup {
    private static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))
    /// How a page of the web begins, in small letters.
    private static let pages = ["<html", "<!doctype html", "<head", "<body"]

    /// How a text begins that was taken for a page.
    enum Beginning {
        /// As a page does, be it behind comments.
        case page
        /// With comments, and behind them not as a page does. So is one whose comments have no end within its beginning.
        case comment
        /// With something else that pages have.
        case element
        /// With no mark at all, as programs do that make pages.
        case words
    }

    /// How a text begins.
    /// - Parameter head: the beginning.
    static func beginning(_ head: [UInt8]) -> Beginning {
        var rest = text(head[...])
        let hasComment = rest.starts(with: comment.start)
        while rest.starts(with: comment.start) {
            guard let end = rest.dropFirst(comment.start.count).firstRange(of: comment.end) else { return .comment }
            rest = text(rest[end.upperBound...])
        }
        let first = String(decoding: rest.prefix(16), as: UTF8.self).lowercased()
        if pages.contains(where: first.hasPrefix) { return .page }
        if hasComment { return .comment }
        return rest.first == UInt8(ascii: "<") ? .element : .words
    }

    /// Whether a text begins with an element, be it a part of a page only.
    static func isElement(_ head: [UInt8]) -> Bool {
        let rest = text(head[...])
        guard rest.first == UInt8(ascii: "<"), let letter = rest.dropFirst().first else { return false }
        return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter | 0x20
    }

    /// Without a byte order mark and white space in front.
    private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        return rest.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    }
}
