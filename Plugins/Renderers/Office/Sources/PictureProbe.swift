internal import VitrineKit

/// Finds out which part of a page a picture takes that LibreOffice has put onto it: a metafile lies in the middle of a
/// page of paper, by its own size.
struct PictureProbe {
    /// The longer side of the drawing that is looked at, in pixels.
    private static let side = 512.0

    /// What is not blank, with a little room around; the whole page when nothing can be seen.
    let area: OfficeDocument.Area

    /// Looks at the page that is shown.
    /// - Parameter page: where it lies.
    init(_ document: OfficeDocument, on page: OfficeDocument.Area) throws(PluginError) {
        let scale = Self.side / Double(max(page.width, page.height, 1))
        let size = PixelSize(
            width: max(1, Int(Double(page.width) * scale)), height: max(1, Int(Double(page.height) * scale)))
        guard let inked = Self.inked(try document.draw(page, size)) else {
            area = page
            return
        }
        // A pixel on each side, since the edge lies somewhere in the outermost one.
        func twips(_ pixels: Int) -> Int { Int(Double(pixels) / scale) }
        let (left, top) = (max(0, inked.x - 1), max(0, inked.y - 1))
        area = OfficeDocument.Area(
            x: page.x + twips(left), y: page.y + twips(top),
            width: twips(min(size.width, inked.x + inked.width + 1) - left),
            height: twips(min(size.height, inked.y + inked.height + 1) - top))
    }

    /// The pixels that are not white, as one rectangle; `nil` when there is none. The outermost ones are the line that
    /// LibreOffice draws around pages.
    private static func inked(_ bitmap: Bitmap) -> OfficeDocument.Area? {
        var columns = bitmap.width...bitmap.width
        var rows = bitmap.height...bitmap.height
        guard bitmap.width > 2, bitmap.height > 2 else { return nil }
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 1..<bitmap.height - 1 {
                let row = y * bitmap.bytesPerRow
                for x in 1..<bitmap.width - 1 {
                    let at = row + x * 4
                    guard min(bytes[at], bytes[at + 1], bytes[at + 2]) < 0xFA else { continue }
                    let isFirst = rows.lowerBound == bitmap.height
                    rows = min(rows.lowerBound, y)...y
                    columns = min(columns.lowerBound, x)...(isFirst ? x : max(columns.upperBound, x))
                }
            }
        }
        guard rows.lowerBound < bitmap.height else { return nil }
        return OfficeDocument.Area(
            x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
