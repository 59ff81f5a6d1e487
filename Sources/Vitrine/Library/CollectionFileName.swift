import VitrineKit

/// The name that the copy of a remote item gets in its collection's folder.
struct CollectionFileName {
    private let name: NumberedName

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
        self.name = NumberedName(Array(text.utf8))
    }

    /// The name for a try.
    /// - Parameter number: 0 for the name itself, `file.doc`; 1 for `file(1).doc`.
    func text(_ number: Int) -> String { String(decoding: name.bytes(number), as: UTF8.self) }
}
