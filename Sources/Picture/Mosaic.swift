internal import CPicture
import Finishing
import Glibc
import VitrineKit

/// The picture of a folder: one picture whole, or two to four side by side in a square, with transparent gaps.
struct Mosaic {
    /// A part of the square.
    struct Cell: Hashable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    /// The least side of a square that has room for four.
    static let smallestBox = 4

    /// Where pictures lie in a square: two as halves, of three the first as a half, four as quarters.
    /// - Parameters:
    ///   - count: 2 to 4.
    ///   - box: the square's side, at least ``smallestBox``.
    static func cells(_ count: Int, box: Int) -> [Cell] {
        let gap = max(1, box / 64)
        let first = (box - gap) / 2
        let second = (x: first + gap, length: box - first - gap)
        let left = Cell(x: 0, y: 0, width: first, height: box)
        let right = Cell(x: second.x, y: 0, width: second.length, height: box)
        func split(_ cell: Cell) -> [Cell] {
            var (top, bottom) = (cell, cell)
            top.height = first
            (bottom.y, bottom.height) = (second.x, second.length)
            return [top, bottom]
        }
        switch count {
        case 2: return [left, right]
        case 3: return [left] + split(right)
        default:
            let (lefts, rights) = (split(left), split(right))
            return [lefts[0], rights[0], lefts[1], rights[1]]
        }
    }

    /// Draws pictures into their cells. One that is too small for its cell is not enlarged, and lies in its middle.
    static func drawn(_ pictures: [Pixels], box: Int) throws(PluginError) -> Pixels {
        let square = try Pixels(width: box, height: box)
        memset(square.start, 0, square.count * 4)
        for (picture, cell) in zip(pictures, cells(pictures.count, box: box)) {
            let part = try covering(picture, cell)
            let x = cell.x + (cell.width - part.width) / 2
            let y = cell.y + (cell.height - part.height) / 2
            for row in 0..<part.height {
                memcpy(
                    square.start + ((y + row) * box + x) * 4, part.start + row * part.width * 4, part.width * 4)
            }
        }
        return square
    }

    /// The picture as small as it can be to fill a cell, and what stands over cut off: the same at both sides, and more
    /// below than above, where pages begin and heads are.
    private static func covering(_ picture: Pixels, _ cell: Cell) throws(PluginError) -> Pixels {
        let scale = min(
            1, max(Double(cell.width) / Double(picture.width), Double(cell.height) / Double(picture.height)))
        let small = try picture.scaled(
            to: PixelSize(
                width: max(1, Int((Double(picture.width) * scale).rounded())),
                height: max(1, Int((Double(picture.height) * scale).rounded()))))
        let (width, height) = (min(small.width, cell.width), min(small.height, cell.height))
        return try small.cut(
            x: (small.width - width) / 2, y: (small.height - height) / 4, width: width, height: height)
    }
}
