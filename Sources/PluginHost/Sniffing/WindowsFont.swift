/// Fonts of one size for Windows, which are libraries of 16 bits without code: fonts are all that they hold. To the shared MIME
/// database they are programs.
enum WindowsFont {
    /// The type that is told of them.
    static let type = "application/x-font-win"

    /// Kinds of resources (Microsoft, "Executable-File Header Format", KB 65122), numbers by their upper bit.
    private static let font = 0x8008, iconGroup = 0x800E
    /// Bytes of a kind and of a resource in the table.
    private static let kindSize = 8, resourceSize = 12

    /// Whether a beginning is that of such a library with fonts and without an icon, as far as it reaches.
    /// - Parameter head: the first bytes of a file.
    static func isSeen(in head: [UInt8]) -> Bool {
        guard head.starts(with: "MZ".utf8), let low = number(head, 0x3C), let high = number(head, 0x3E) else {
            return false
        }
        let start = low | high << 16
        guard number(head, start) == 0x454E, let table = number(head, start + 0x24), table > 0 else { return false }
        var at = start + table + 2
        var hasFont = false
        while let kind = number(head, at), kind != 0, let count = number(head, at + 2) {
            if kind == iconGroup { return false }
            if kind == font, count > 0 { hasFont = true }
            at += kindSize + count * resourceSize
        }
        return hasFont
    }

    /// Two bytes, the lower one first; `nil` past the end.
    private static func number(_ head: [UInt8], _ at: Int) -> Int? {
        at >= 0 && at + 1 < head.count ? Int(head[at]) | Int(head[at + 1]) << 8 : nil
    }
}
