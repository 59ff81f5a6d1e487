extension ArchiveMember {
    /// Whether it is a picture by its name, in a format that is decoded inside of other files, and not one that a program left
    /// beside others.
    package var isPicture: Bool { isPicture(in: Self.endings) }

    /// Whether it is such a picture in another format.
    package var isForeignPicture: Bool { isPicture(in: Self.foreignEndings) }

    private func isPicture(in endings: [[UInt8]]) -> Bool {
        guard isFile, endings.contains(where: ends) else { return false }
        let parts = name.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return !parts.contains { part in
            part.first == UInt8(ascii: ".")
                || Self.leftovers.contains { $0.count == part.count && Self.isAlike(part, $0) }
        }
    }

    private static let endings = [".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif"].map { Array($0.utf8) }

    private static let foreignEndings = [
        ".avif", ".jxl", ".heic", ".heif", ".tif", ".tiff", ".bmp", ".jp2", ".j2k", ".jxr",
    ].map { Array($0.utf8) }

    /// What macOS, Windows and network disks add.
    private static let leftovers = ["__macosx", "thumbs", "thumbnails", "@eadir"].map { Array($0.utf8) }

    private func ends(in ending: [UInt8]) -> Bool {
        name.count > ending.count && Self.isAlike(name.suffix(ending.count), ending)
    }

    /// Whether a part is a word in lower case, whatever its own case is.
    private static func isAlike(_ part: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        zip(part, word).allSatisfy { byte, letter in
            byte == letter || 0x41...0x5A ~= byte && byte + 32 == letter
        }
    }
}
