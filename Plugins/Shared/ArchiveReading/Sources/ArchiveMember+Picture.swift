extension ArchiveMember {
    /// Whether it is a picture by its name, and not one that a program left beside others.
    package var isPicture: Bool {
        guard isFile, Self.endings.contains(where: ends) else { return false }
        let parts = name.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return !parts.contains { part in
            part.first == UInt8(ascii: ".")
                || Self.leftovers.contains { $0.count == part.count && Self.isAlike(part, $0) }
        }
    }

    private static let endings = [".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif"].map { Array($0.utf8) }

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
