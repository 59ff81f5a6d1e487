internal import TextDrawing
internal import VitrineKit

extension Page {
    private static let rowHeight = 12.6
    private static let bodySize = 8.2
    private var margin: Double { width * 0.08 }
    private var lineRoom: Double { width - 2 * margin }

    /// Makes the page for a list: a smaller sheet, on which everything is larger, for a short one.
    static func forList(of contents: ArchiveContents, box: Int) throws(PluginError) -> Page {
        let part = contents.rowCount <= 10 ? 0.72 : contents.rowCount <= 13 ? 0.86 : 1
        return try Page(box: box, width: Page.width * part, height: Page.height * part)
    }

    /// Draws the head of an archive, then its topmost names with their sizes until the page is full.
    func draw(_ contents: ArchiveContents, _ mimeType: String) {
        let title = contents.root ?? ArchiveKind.name(of: mimeType)
        line(title, size: 11.5, isBold: true, x: margin, baseline: 28, width: lineRoom)
        line(contents.summary, size: 7.2, ink: .pale, x: margin, baseline: 39, width: lineRoom)
        fill(x: margin, y: 45.5, width: lineRoom, height: 0.7, .line)
        let top = 50.0
        let room = Int((height - 13 - top) / Self.rowHeight)
        // The last line says how many more there are.
        let shown = contents.rowCount > room ? room - 1 : contents.rowCount
        for (index, row) in contents.rows.prefix(shown).enumerated() {
            draw(row, y: top + Double(index) * Self.rowHeight)
        }
        if shown < contents.rowCount {
            let more = contents.rowCount - shown
            line(
                "and \(more) more", size: 7.2, ink: .pale, x: margin + 13,
                baseline: top + Double(shown) * Self.rowHeight + 9, width: lineRoom)
        }
    }

    private func draw(_ row: ArchiveContents.Row, y: Double) {
        icon(isFolder: row.isFolder, x: margin, y: y + 2.4)
        var room = lineRoom - 13
        if let size = row.size, size > 0 || !row.isFolder {
            let font = TextLayout.Font(family: "Sans", size: 7)
            if let layout = TextLayout(ByteCount.text(size), font, on: self) {
                use(.pale)
                layout.draw(
                    on: self, x: margin + lineRoom - layout.width, baseline: y + 9, pitch: Self.rowHeight)
                room -= layout.width + 4
            }
        }
        line(row.name, size: Self.bodySize, x: margin + 13, baseline: y + 9.2, width: room)
    }

    private func icon(isFolder: Bool, x: Double, y: Double) {
        if isFolder {
            let ink = Ink(red: 0.52, green: 0.64, blue: 0.78)
            fill(x: x, y: y, width: 4, height: 3, ink)
            fill(x: x, y: y + 1.2, width: 9, height: 6.6, ink)
        } else {
            fill(x: x + 1.2, y: y - 0.6, width: 6.6, height: 8.8, .line)
            fill(x: x + 1.8, y: y, width: 5.4, height: 7.6, .shade)
        }
    }
}

extension ArchiveContents {
    /// Such as `128 files, 34 MB`.
    var summary: String {
        let count = "\(isWhole ? "" : "more than ")\(files) \(files == 1 ? "file" : "files")"
        guard let size, size > 0 else { return count }
        return count + ", " + ByteCount.text(size)
    }
}

/// What kinds of archives are called.
enum ArchiveKind {
    static func name(of mimeType: String) -> String {
        for (part, name) in names where mimeType.contains(part) { return name }
        return "Archive"
    }

    /// Whether files of a type are others that were packed by themselves, and no archives.
    static func isPackedFile(_ mimeType: String) -> Bool { name(of: mimeType) == packedFile }

    private static let packedFile = "Packed file"

    /// Parts of types, the more special ones first.
    private static let names = [
        ("bittorrent", "Torrent"), ("java", "Java archive"), ("android", "Android package"),
        ("xpinstall", "Browser extension"),
        ("debian", "Debian package"), ("x-deb", "Debian package"), ("rpm", "RPM package"),
        ("cd-image", "Disc image"), ("iso", "Disc image"), ("7z", "7-Zip archive"), ("rar", "RAR archive"),
        ("tar", "Tar archive"), ("cab", "Cabinet"), ("cpio", "Cpio archive"), ("lha", "LHA archive"),
        ("gzip", packedFile), ("bzip", packedFile), ("xz", packedFile), ("zst", packedFile),
        ("lz", packedFile), ("zip", "Zip archive"), ("compress", packedFile),
    ]
}
