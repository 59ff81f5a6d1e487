internal import VitrineKit
internal import WorkDocuments

/// A document of iWork, as ``WorkDocument`` says. What was a folder on a Macintosh, and was packed by something else, has all of it in
/// this folder.
struct WorkPackage {
    /// The path of the picture of the first page; `nil` when there is none.
    let preview: String?
    /// Whether a password is needed for the content.
    let isEncrypted: Bool

    /// Looks for the parts.
    /// - Returns: `nil` when there is no content in it.
    init?(_ archive: ZipDirectory) {
        // What a Macintosh knows of each file and packs beside them, where it packs a folder itself.
        let names = Set(archive.entries.lazy.map(\.name).filter { !$0.hasPrefix("__MACOSX/") })
        let folders = names.lazy.compactMap { name in name.firstIndex(of: "/").map { String(name[...$0]) } }
        let outer = folders.first.flatMap { first in names.allSatisfy { $0.hasPrefix(first) } ? first : nil } ?? ""
        let folder = ["", outer].first { folder in WorkDocument.contents.contains { names.contains(folder + $0) } }
        guard let folder else { return nil }
        preview = WorkDocument.previews.map { folder + $0 }.first(where: names.contains)
        isEncrypted = names.contains(folder + WorkDocument.verifier)
    }
}

extension Bitmap {
    /// How dark the shadow of a page gets at its corners, which LibreOffice's library draws.
    private static let shadow: UInt8 = 0xF8

    /// Whether it is white, but for such a shadow.
    var isBarePaper: Bool {
        withUnsafeMutableBytes { bytes in
            (0..<height).allSatisfy { y in
                stride(from: y * bytesPerRow, to: y * bytesPerRow + width * 4, by: 4).allSatisfy { at in
                    (0..<3).allSatisfy { bytes[at + $0] >= Self.shadow }
                }
            }
        }
    }
}
