internal import VitrineKit

/// Finds out how much of a sheet is worth showing, by a look at a small drawing of it: cells, charts and pictures
/// alike, whatever LibreOffice says about used ranges.
struct SheetProbe {
    /// Twips from the sheet's first cell to the last row and column with something in them; `nil` when nothing
    /// can be seen.
    let extent: (width: Int, height: Int)?

    /// The largest area that is shown of a sheet, in twips: A4 across.
    static let largest = OfficeDocument.Area(width: 16_838, height: 11_906)

    /// The smallest, so that a single word does not fill the picture.
    private static let smallest = OfficeDocument.Area(width: 6_400, height: 4_000)

    /// Twips for a pixel of the drawing.
    private static let scale = 40

    /// Channels at or above this are blank paper or the grid.
    static let blank: UInt8 = 0xE0

    /// Looks at the sheet that is shown.
    init(_ document: OfficeDocument) throws(PluginError) {
        let whole = document.size
        let area = OfficeDocument.Area(
            width: min(whole.width, Self.largest.width), height: min(whole.height, Self.largest.height))
        guard area.width >= Self.scale, area.height >= Self.scale else {
            extent = nil
            return
        }
        let drawing = try document.draw(
            area, PixelSize(width: area.width / Self.scale, height: area.height / Self.scale))
        let (right, bottom) = Self.inked(drawing)
        extent = right == 0 ? nil : (right * Self.scale, bottom * Self.scale)
    }

    /// The area to show: what has something in it and some room around, neither tiny nor a thin strip.
    var area: OfficeDocument.Area {
        guard let extent else { return Self.smallest }
        let margin = 400
        var width = min(max(extent.width + margin, Self.smallest.width), Self.largest.width)
        var height = min(max(extent.height + margin, Self.smallest.height), Self.largest.height)
        // Not wider than 2 : 1, not higher than 1 : 1.
        height = max(height, width / 2)
        width = max(width, height)
        return OfficeDocument.Area(width: width, height: height)
    }

    /// How far to the right and how far down there are pixels that are not blank; zeroes when there are none.
    private static func inked(_ bitmap: Bitmap) -> (right: Int, bottom: Int) {
        var right = 0
        var bottom = 0
        bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<bitmap.height {
                let row = y * bitmap.bytesPerRow
                for x in 0..<bitmap.width {
                    let at = row + x * 4
                    if bytes[at] < blank || bytes[at + 1] < blank || bytes[at + 2] < blank {
                        right = max(right, x + 1)
                        bottom = y + 1
                    }
                }
            }
        }
        return (right, bottom)
    }
}
