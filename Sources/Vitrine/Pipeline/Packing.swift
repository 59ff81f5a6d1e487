/// How single files are packed: what such files are, and what they are called before.
enum Packing {
    /// Types of single files that are packed, as renderers name them.
    static let types: Set = [
        "application/gzip", "application/x-bzip", "application/x-bzip2", "application/x-xz", "application/zstd",
        "application/x-lzip", "application/x-lz4", "application/x-lzma", "application/x-compress",
    ]

    /// The type of archive that documents of many parts are.
    static let documents = "application/zip"

    /// The most bytes of a packed file that is unpacked to be drawn. More of a document would be refused when unpacked.
    static let largestFile: Int64 = 256 << 20

    /// What the programs that pack files add to their names.
    private static let endings: Set = ["gz", "bz2", "bz", "xz", "zst", "lz", "lz4", "lzma", "z"]

    /// What files are called that some programs pack themselves, and what they would be called if these did not.
    private static let packedNames = [
        "emz": "emf", "wmz": "wmf", "wrz": "wrl", "x3dvz": "x3dv", "zabw": "abw", "fbz": "fb2",
    ]

    /// What a packed file was called before: `report.pdf` of `report.pdf.gz`, `chart.emf` of `chart.emz`.
    /// - Parameter scheme: that of the file's source.
    /// - Returns: `nil` for a name that does not say that the file was packed by itself, and for what is in an archive, which
    ///   stays packed. Programs that pack what they write give it a name of their own.
    static func unpackedName(_ name: [UInt8], in scheme: String) -> [UInt8]? {
        guard scheme != ArchiveAddress.scheme, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
            return nil
        }
        let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
        if let before = packedNames[ending] { return Array(name[...dot]) + before.utf8 }
        return endings.contains(ending) ? Array(name[..<dot]) : nil
    }
}
