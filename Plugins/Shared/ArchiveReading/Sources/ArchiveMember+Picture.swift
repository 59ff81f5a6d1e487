extension ArchiveMember {
    /// Whether it is a picture by its name, and not one that a program left beside others.
    package var isPicture: Bool {
        guard isFile else { return false }
        let parts = name.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map(Self.lowercased)
        guard let last = parts.last, Self.endings.contains(where: last.hasSuffix) else { return false }
        return !parts.contains { $0.hasPrefix(".") || Self.leftovers.contains($0) }
    }

    private static let endings = [".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".webp", ".gif"]

    /// What macOS, Windows and network disks add.
    private static let leftovers: Set = ["__macosx", "thumbs", "thumbnails", "@eadir"]

    private static func lowercased(_ part: ArraySlice<UInt8>) -> String {
        String(decoding: part, as: UTF8.self).lowercased()
    }
}
