import VitrineKit

/// The name that the copy of a remote item gets in its collection's folder.
struct CollectionFileName {
    /// The name up to the extension.
    let stem: String
    /// The extension with its dot, both of `.tar.gz`; may be empty.
    let suffix: String

    /// The most bytes of a file's name on Linux.
    private static let maximumBytes = 255
    /// Longer ones are no extensions, but names with a dot in them.
    private static let longestExtension = 16
    private static let compressions: Set<String> = [
        "gz", "bz2", "xz", "zst", "lz", "lz4", "lzma", "lzo", "br", "z",
    ]

    /// Makes a name that every file system takes.
    ///
    /// Control characters, bytes that are not UTF-8 and ``\/:*?"<>|`` become `_`, and so does a dot at the beginning,
    /// which would hide the file. Dots and blanks at the end go.
    /// - Parameter name: any bytes that a storage calls an item.
    init(_ name: [UInt8]) {
        var text = ""
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            let isSafe =
                scalar != "\u{FFFD}" && !"\\/:*?\"<>|".unicodeScalars.contains(scalar)
                && DisplayText.of(String(scalar)) == String(scalar)
            text.unicodeScalars.append(isSafe ? scalar : "_")
        }
        while let last = text.unicodeScalars.last, last == "." || last.properties.isWhitespace {
            text.unicodeScalars.removeLast()
        }
        if text.utf8.first == UInt8(ascii: ".") {
            text = "_" + text.unicodeScalars.dropFirst().map(String.init).joined()
        }
        if text.isEmpty { text = "file" }
        (stem, suffix) = Self.split(text)
    }

    /// The name for a try.
    /// - Parameter number: 0 for the name itself, `file.doc`; 1 for `file(1).doc`.
    func text(_ number: Int) -> String {
        let tail = (number == 0 ? "" : "(\(number))") + suffix
        var head = ""
        for character in stem {
            if head.utf8.count + String(character).utf8.count + tail.utf8.count > Self.maximumBytes { break }
            head.append(character)
        }
        return (head.isEmpty ? "file" : head) + tail
    }

    private static func split(_ name: String) -> (String, String) {
        guard let last = dot(in: name[...]) else { return (name, "") }
        var cut = last
        let ending = name[name.index(after: last)...].lowercased()
        if compressions.contains(ending), let inner = dot(in: name[..<last]) { cut = inner }
        return (String(name[..<cut]), String(name[cut...]))
    }

    /// The dot before an extension: a few letters or digits, not all digits, with a name before it.
    private static func dot(in name: Substring) -> Substring.Index? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...]
        let isExtension =
            1...longestExtension ~= ending.utf8.count && ending.contains(where: \.isLetter)
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" || $0 == "_" || $0 == "+" }
        return isExtension ? dot : nil
    }
}
