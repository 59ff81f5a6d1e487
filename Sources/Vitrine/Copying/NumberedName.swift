/// A name, and those that are tried when it is taken: `file.doc`, `file(1).doc`, `file(2).doc` …
///
/// Of `a.tar.gz` the number stands before both extensions. Bytes that are not UTF-8 stay what they are.
struct NumberedName: Sendable {
    /// The name up to the extension.
    let stem: [UInt8]
    /// The extension with its dot, both of `.tar.gz`; may be empty.
    let suffix: [UInt8]
    /// The most bytes of a name.
    let limit: Int

    /// How many files of one name are tried.
    static let maximumNumber = 9999
    /// Longer ones are no extensions, but names with a dot in them.
    private static let longestExtension = 16
    private static let compressions: Set<String> = [
        "gz", "bz2", "xz", "zst", "lz", "lz4", "lzma", "lzo", "br", "z",
    ]

    /// Takes a name apart.
    /// - Parameter limit: the most bytes of a name. Default: those of Linux.
    init(_ name: [UInt8], limit: Int = 255) {
        self.limit = limit
        guard let last = Self.dot(in: name[...]) else {
            (stem, suffix) = (name, [])
            return
        }
        var cut = last
        let ending = String(decoding: name[(last + 1)...], as: UTF8.self).lowercased()
        if Self.compressions.contains(ending), let inner = Self.dot(in: name[..<last]) { cut = inner }
        (stem, suffix) = (Array(name[..<cut]), Array(name[cut...]))
    }

    /// The name for a try.
    /// - Parameter number: 0 for the name itself, `file.doc`; 1 for `file(1).doc`.
    func bytes(_ number: Int) -> [UInt8] {
        let tail = Array((number == 0 ? "" : "(\(number))").utf8) + suffix
        if stem.count + tail.count <= limit { return stem + tail }
        // Letters stay whole.
        var head = stem.prefix(max(0, limit - tail.count))
        while let next = stem.dropFirst(head.count).first, next & 0xC0 == 0x80, !head.isEmpty { head.removeLast() }
        return (head.isEmpty ? Array("file".utf8) : Array(head)) + tail
    }

    /// The dot before an extension: a few letters or digits, not all digits, with a name before it.
    private static func dot(in name: ArraySlice<UInt8>) -> Int? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        let ending = name[(dot + 1)...].map { Character(UnicodeScalar($0)) }
        let isExtension =
            1...longestExtension ~= ending.count && ending.contains(where: { $0.isASCII && $0.isLetter })
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" || $0 == "_" || $0 == "+" }
        return isExtension ? dot : nil
    }
}
