internal import VitrineKit

/// A document of iWork: a zip file of its content, as XML up to 2009 and as messages since 2013, mostly with a picture of its first
/// page. What was a folder on a Macintosh, and was packed by something else, has all of that in this folder.
///
/// What the parts are called is what libetonyek looks for, and iWork writes.
struct WorkPackage {
    /// The path of the picture of the first page; `nil` when there is none.
    let preview: String?
    /// Whether a password is needed for the content.
    let isEncrypted: Bool

    private static let contents: Set = [
        "Index/Document.iwa", "Index.zip", "index.xml", "index.xml.gz", "index.apxl", "index.apxl.gz",
        "presentation.apxl", "presentation.apxl.gz",
    ]
    private static let previews = ["preview.jpg", "QuickLook/Thumbnail.jpg", "QuickLook/Thumbnail.png"]
    /// By what a password is checked.
    private static let verifier = ".iwpv2"

    /// Looks for the parts.
    /// - Returns: `nil` when there is no content in it.
    init?(_ archive: ZipDirectory) {
        // What a Macintosh knows of each file and packs beside them, where it packs a folder itself.
        let names = Set(archive.entries.lazy.map(\.name).filter { !$0.hasPrefix("__MACOSX/") })
        let folders = names.lazy.compactMap { name in name.firstIndex(of: "/").map { String(name[...$0]) } }
        let outer = folders.first.flatMap { first in names.allSatisfy { $0.hasPrefix(first) } ? first : nil } ?? ""
        guard
            let folder = ["", outer].first(where: { folder in Self.contents.contains { names.contains(folder + $0) } })
        else { return nil }
        preview = Self.previews.map { folder + $0 }.first(where: names.contains)
        isEncrypted = names.contains(folder + Self.verifier)
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
