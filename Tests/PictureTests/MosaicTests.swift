import Testing
import VitrineKit

@testable import Picture

/// Where the pictures of a folder lie.
@Suite struct MosaicTests {
    @Test(arguments: [2, 3, 4, -2, -3], [4, 5, 64, 127, 256, 1024])
    func cellsFillTheSquareAndDoNotTouch(_ number: Int, _ box: Int) {
        let count = abs(number)
        let cells = Mosaic.cells(count, box: box, areHalvesWide: number < 0)
        #expect(cells.count == count)
        #expect(cells.allSatisfy { $0.x >= 0 && $0.y >= 0 && $0.width > 0 && $0.height > 0 })
        #expect(cells.map { $0.x + $0.width }.max() == box && cells.map { $0.y + $0.height }.max() == box)
        #expect(cells.map(\.x).min() == 0 && cells.map(\.y).min() == 0)
        for (index, one) in cells.enumerated() {
            for other in cells[(index + 1)...] {
                let apart =
                    one.x + one.width < other.x || other.x + other.width < one.x || one.y + one.height < other.y
                    || other.y + other.height < one.y
                #expect(apart, "\(one) \(other)")
            }
        }
    }

    private func plain(_ width: Int, _ height: Int, _ value: UInt8) throws -> Pixels {
        let pixels = try Pixels(width: width, height: height)
        for index in 0..<pixels.count * 4 { pixels.start[index] = index % 4 == 3 ? 255 : value }
        return pixels
    }

    /// Previews that are as large as they may be, of photographs in all shapes.
    @Test(arguments: [
        [(256, 192), (256, 144)], [(192, 256), (144, 256)], [(256, 144), (144, 256)], [(256, 256), (256, 192)],
        [(256, 144), (256, 192), (192, 256)], [(192, 256), (256, 144), (256, 144)], [(256, 128), (128, 256)],
        [(256, 192), (256, 192), (256, 192), (256, 144)],
    ])
    func previewsFillTheirCells(_ sizes: [(Int, Int)]) throws {
        let square = try Mosaic.drawn(try sizes.map { try plain($0.0, $0.1, 90) }, box: 256)
        let colors = (0..<256 * 256).map { square.color($0) }
        let empty = colors.count { $0 == [0, 0, 0, 0] }
        let full = colors.count { $0 == [90, 90, 90, 255] }
        // The gap, and the part of it between quarters.
        let gaps: [Int: Int] = [2: 1024, 3: 1024 + 504, 4: 1024 + 1008]
        #expect(empty == gaps[sizes.count] && full == colors.count - empty)
    }

    @Test func halvesOfWidePicturesLieAboveEachOther() throws {
        let square = try Mosaic.drawn([try plain(256, 192, 10), try plain(256, 144, 20)], box: 256)
        #expect(square.color(3 * 256 + 250) == [10, 10, 10, 255] && square.color(250 * 256 + 3) == [20, 20, 20, 255])
    }

    /// What lies between two pixels is between them, and takes no colour from what cannot be seen.
    @Test func enlargesWithSlopes() throws {
        let pixels = try Pixels(width: 2, height: 1)
        let values: [UInt8] = [100, 0, 0, 255, 200, 0, 0, 255]
        for index in values.indices { pixels.start[index] = values[index] }
        let four = try pixels.enlarged(to: PixelSize(width: 4, height: 3))
        let middle = (4..<8).map { four.color($0)[0] }
        #expect(middle == [100, 125, 175, 200])
        pixels.start[7] = 0
        let faded = try pixels.enlarged(to: PixelSize(width: 4, height: 1))
        let (reds, alphas) = ((0..<4).map { faded.color($0)[0] }, (0..<4).map { faded.color($0)[3] })
        #expect(reds == [100, 100, 100, 0] && alphas == [255, 191, 64, 0])
    }

    /// One that is too small is not enlarged; one that is too wide is cut at both sides.
    @Test func picturesKeepTheirShape() throws {
        let square = try Mosaic.drawn([try plain(400, 100, 10), try plain(2, 16, 20)], box: 64)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { (0..<4).map { square.start[(y * 64 + x) * 4 + $0] } }
        #expect(pixel(0, 0) == [10, 10, 10, 255] && pixel(30, 63) == [10, 10, 10, 255])
        #expect(pixel(31, 32) == [0, 0, 0, 0])
        #expect(pixel(48, 32) == [20, 20, 20, 255] && pixel(48, 20) == [0, 0, 0, 0])
    }
}

extension Pixels {
    fileprivate func color(_ index: Int) -> [UInt8] { (0..<4).map { start[index * 4 + $0] } }
}
