internal import CPicture
import Finishing
import Glibc
import VitrineKit

/// Pictures in rows and columns on a coloured ground.
struct Sheet {
    /// A light grey, from which white pages stand out.
    static let paper = PictureColor(0xE9, 0xE9, 0xEC)

    let columns: Int
    let rows: Int
    let colour: PictureColor

    /// Draws pictures into cells that are as large as the largest of them.
    func drawn(_ tiles: [Pixels], _ geometry: SheetGeometry, _ labels: [String]) throws(PluginError) -> Pixels {
        let width = tiles.map(\.width).max() ?? 1
        let height = tiles.map(\.height).max() ?? 1
        let (margin, step) = (geometry.margin, height + geometry.labelHeight)
        let sheet = try Pixels(
            width: columns * width + (columns + 1) * margin, height: rows * step + (rows + 1) * margin)
        memset(sheet.start, 0, sheet.count * 4)
        cpicture_flatten(sheet.start, sheet.count, colour.red, colour.green, colour.blue)
        let isDark = 299 * Int(colour.red) + 587 * Int(colour.green) + 114 * Int(colour.blue) < 128_000
        let edge: [UInt8] = isDark ? [255, 255, 255, 40] : [0, 0, 0, 46]
        let ink: [UInt8] = isDark ? [0xC8, 0xC8, 0xCE] : [0x44, 0x44, 0x4C]
        for (index, tile) in tiles.enumerated() {
            let cellX = margin + index % columns * (width + margin)
            let cellY = margin + index / columns * (step + margin)
            let x = cellX + (width - tile.width) / 2
            let y = cellY + (height - tile.height) / 2
            // A hair's breadth around each, so that white on light grey has an edge.
            fill(sheet, x - 1, y - 1, tile.width + 2, tile.height + 2, edge)
            fill(sheet, x, y, tile.width, tile.height, [colour.red, colour.green, colour.blue, 255])
            cpicture_lay_over(
                sheet.start, CInt(sheet.width), CInt(sheet.height), CInt(x), CInt(y), tile.start, CInt(tile.width),
                CInt(tile.height))
            guard index < labels.count else { continue }
            let letters = Double(geometry.labelHeight) * 0.52
            cpicture_write_label(
                sheet.start, CInt(sheet.width), CInt(sheet.height), Double(cellX) + Double(width) / 2,
                Double(cellY + height) + Double(geometry.labelHeight) * 0.4, letters, labels[index], ink)
        }
        return sheet
    }

    private func fill(_ sheet: Pixels, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ colour: [UInt8]) {
        cpicture_fill(
            sheet.start, CInt(sheet.width), CInt(sheet.height), CInt(x), CInt(y), CInt(width), CInt(height), colour)
    }
}

/// Pictures of one size, one after the other in memory.
final class Frames {
    let start: UnsafeMutablePointer<UInt8>
    private let size: PixelSize
    private let count: Int

    /// Black.
    /// - Returns: `nil` when there is no memory.
    init?(_ size: PixelSize, _ count: Int) {
        guard count > 0, let start = calloc(count, size.width * size.height * 4) else { return nil }
        self.start = start.assumingMemoryBound(to: UInt8.self)
        self.size = size
        self.count = count
    }

    deinit { free(start) }

    /// Puts a picture into its place; one of another size in the middle of it, with what stands over cut off.
    func set(_ index: Int, _ picture: Pixels) {
        guard 0..<count ~= index else { return }
        let to = start + index * size.width * size.height * 4
        cpicture_flatten(to, size.width * size.height, 0, 0, 0)
        if picture.width == size.width, picture.height == size.height {
            memcpy(to, picture.start, picture.count * 4)
        } else {
            cpicture_lay_over(
                to, CInt(size.width), CInt(size.height), CInt((size.width - picture.width) / 2),
                CInt((size.height - picture.height) / 2), picture.start, CInt(picture.width), CInt(picture.height))
        }
    }
}
