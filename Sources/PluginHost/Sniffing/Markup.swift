/// What stands behind the comments that a text in HTML or XML begins with.
enum Markup {
    private static let comment = (start: Array("<!--".utf8), end: Array("-->".utf8))
    /// How a page of the web begins, in small letters.
    private static let pages = ["<html", "<!doctype html", "<head", "<body"]

    /// Whether a text begins with comments, and behind them not as a page of the web does. So is one whose comments have no
    /// end within its beginning.
    /// - Parameter head: the beginning.
    static func beginsOtherThanPage(_ head: [UInt8]) -> Bool {
        var rest = text(head[...])
        guard rest.starts(with: comment.start) else { return false }
        while rest.starts(with: comment.start) {
            guard let end = rest.dropFirst(comment.start.count).firstRange(of: comment.end) else { return true }
            rest = text(rest[end.upperBound...])
        }
        let first = String(decoding: rest.prefix(16), as: UTF8.self).lowercased()
        return !pages.contains { first.hasPrefix($0) }
    }

    /// Without a byte order mark and white space in front.
    private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        return rest.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    }
}
