internal import CPicture
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
    ///   - areHalvesWide: whether halves lie above each other instead of side by side. Default: no.
    static func cells(_ count: Int, box: Int, areHalvesWide: Bool = false) -> [Cell] {
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
        let (lefts, rights) = (split(left), split(right))
        let upright =
            switch count {
            case 2: [left, right]
            case 3: [left] + rights
            default: [lefts[0], rights[0], lefts[1], rights[1]]
            }
        guard areHalvesWide, count < 4 else { return upright }
        return upright.map { Cell(x: $0.y, y: $0.x, width: $0.height, height: $0.width) }
    }

    /// Whether pictures that are shown as halves are wide rather than high: both of two, taken together, the first of three.
    private static func areHalvesWide(_ pictures: [Pixels]) -> Bool {
        let halves = pictures.prefix(pictures.count == 2 ? 2 : 1)
        let shape = halves.reduce(1) { $0 * Double($1.width) / Double($1.height) }
        return pictures.count < 4 && shape > 1
    }

    /// Draws pictures into their cells. One that is too small for its cell lies in the middle of it.
    static func drawn(_ pictures: [Pixels], box: Int) throws(PluginError) -> Pixels {
        let square = try Pixels(width: box, height: box)
        memset(square.start, 0, square.count * 4)
        let cells = cells(pictures.count, box: box, areHalvesWide: areHalvesWide(pictures))
        for (picture, cell) in zip(pictures, cells) {
            let part = try covering(picture, cell, box: box)
            let x = cell.x + (cell.width - part.width) / 2
            let y = cell.y + (cell.height - part.height) / 2
            for row in 0..<part.height {
                memcpy(
                    square.start + ((y + row) * box + x) * 4, part.start + row * part.width * 4, part.width * 4)
            }
        }
        return square
    }

    /// How much larger a picture may become. Most have sides of which one is at most twice as long as the other.
    private static let mostEnlarged = 2.0

    /// The picture as small as it can be to fill a cell, and what stands over cut off: the same at both sides, and more
    /// below than above, where pages begin and heads are. One that was made as large as the square is the preview of something
    /// at least that large, and may be enlarged; a smaller one is as large as the original.
    private static func covering(_ picture: Pixels, _ cell: Cell, box: Int) throws(PluginError) -> Pixels {
        let isLarge = max(picture.width, picture.height) >= box
        let scale = min(
            isLarge ? mostEnlarged : 1,
            max(Double(cell.width) / Double(picture.width), Double(cell.height) / Double(picture.height)))
        guard scale > 1 else {
            return try small(picture, scale).cut(to: cell)
        }
        // What is enlarged is only what will be seen.
        let seen = Cell(
            x: 0, y: 0, width: Int((Double(cell.width) / scale).rounded(.up)),
            height: Int((Double(cell.height) / scale).rounded(.up)))
        let part = try picture.cut(to: seen)
        func side(_ part: Int, _ cell: Int) -> Int { max(part, min(cell, Int((Double(part) * scale).rounded(.up)))) }
        return try part.enlarged(
            to: PixelSize(width: side(part.width, cell.width), height: side(part.height, cell.height)))
    }

    private static func small(_ picture: Pixels, _ scale: Double) throws(PluginError) -> Pixels {
        try picture.scaled(
            to: PixelSize(
                width: max(1, Int((Double(picture.width) * scale).rounded())),
                height: max(1, Int((Double(picture.height) * scale).rounded()))))
    }
}

extension Pixels {
    /// The part of the picture that is seen in a cell.
    fileprivate func cut(to cell: Mosaic.Cell) throws(PluginError) -> Pixels {
        let (width, height) = (min(self.width, cell.width), min(self.height, cell.height))
        return try cut(x: (self.width - width) / 2, y: (self.height - height) / 4, width: width, height: height)
    }
}
