internal import VitrineKit

/// Finds out which part of a page a picture takes that LibreOffice has put onto it: a metafile lies in the middle of a
/// page of paper, by its own size.
struct PictureProbe {
    /// The longer side of the drawing that is looked at, in pixels.
    private static let side = 512.0

    /// Between the edge of a page and what LibreOffice puts onto it, in twips: a centimetre.
    private static let margin = 567
    /// How far a picture may reach beyond its frame, in pixels of the drawing: half a line's width, and what is rounded.
    private static let tolerance = 3
    /// Channels at or above this are blank paper: white, and half a step of rounding off it.
    private static let blank: UInt8 = 0xFE

    /// The picture with its margins, where its header says how large it is; else what is not blank, with a little room
    /// around.
    let area: OfficeDocument.Area

    /// Looks at the page that is shown.
    /// - Parameters:
    ///   - page: where it lies.
    ///   - size: of the picture as its header says, in twips. Not believed when the picture is elsewhere.
    /// - Throws: `empty` when nothing can be seen, `limitExceeded` when there is no memory for it.
    init(
        _ document: OfficeDocument, on page: OfficeDocument.Area, statedSize: (width: Int, height: Int)?
    ) throws(PluginError) {
        let scale = Self.side / Double(max(page.width, page.height, 1))
        let size = PixelSize(
            width: max(1, Int(Double(page.width) * scale)), height: max(1, Int(Double(page.height) * scale)))
        guard let inked = Self.inked(try document.draw(page, size)) else {
            throw PluginError(.empty, "the picture has nothing to draw: all of it is white")
        }
        // A pixel on each side, since the edge lies somewhere in the outermost one.
        func twips(_ pixels: Int) -> Int { Int(Double(pixels) / scale) }
        let (left, top) = (max(0, inked.x - 1), max(0, inked.y - 1))
        let seen = OfficeDocument.Area(
            x: page.x + twips(left), y: page.y + twips(top),
            width: twips(min(size.width, inked.x + inked.width + 1) - left),
            height: twips(min(size.height, inked.y + inked.height + 1) - top))
        let frame = statedSize.map { Self.frame($0, on: page) }
        area = frame.flatMap { $0.holds(seen, but: twips(Self.tolerance)) ? $0 : nil } ?? seen
    }

    /// Where LibreOffice puts a picture: in the middle of a page, made smaller when it is larger than the page within its
    /// margins.
    static func frame(
        _ size: (width: Int, height: Int), on page: OfficeDocument.Area
    ) -> OfficeDocument.Area {
        let scale = min(
            1, Double(page.width - 2 * margin) / Double(size.width),
            Double(page.height - 2 * margin) / Double(size.height))
        let width = max(1, Int(Double(size.width) * scale))
        let height = max(1, Int(Double(size.height) * scale))
        return OfficeDocument.Area(
            x: page.x + (page.width - width) / 2, y: page.y + (page.height - height) / 2, width: width, height: height)
    }

    /// The pixels that are not blank, as one rectangle; `nil` when there is none. The outermost ones are the line that
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
                    guard min(bytes[at], bytes[at + 1], bytes[at + 2]) < blank else { continue }
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

extension OfficeDocument.Area {
    /// Whether another area lies in this one, or reaches beyond it by so many twips at most.
    fileprivate func holds(_ other: OfficeDocument.Area, but slack: Int) -> Bool {
        other.x >= x - slack && other.y >= y - slack && other.x + other.width <= x + width + slack
            && other.y + other.height <= y + height + slack
    }
}
