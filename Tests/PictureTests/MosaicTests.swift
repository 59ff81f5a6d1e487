import Testing

@testable import Picture

/// Where the pictures of a folder lie.
@Suite struct MosaicTests {
    @Test(arguments: [2, 3, 4], [4, 5, 64, 127, 256, 1024])
    func cellsFillTheSquareAndDoNotTouch(_ count: Int, _ box: Int) {
        let cells = Mosaic.cells(count, box: box)
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

    /// One that is too small is not enlarged; one that is too wide is cut at both sides.
    @Test func picturesKeepTheirShape() throws {
        func plain(_ width: Int, _ height: Int, _ value: UInt8) throws -> Pixels {
            let pixels = try Pixels(width: width, height: height)
            for index in 0..<pixels.count * 4 { pixels.start[index] = index % 4 == 3 ? 255 : value }
            return pixels
        }
        let square = try Mosaic.drawn([try plain(400, 100, 10), try plain(8, 8, 20)], box: 64)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { (0..<4).map { square.start[(y * 64 + x) * 4 + $0] } }
        #expect(pixel(0, 0) == [10, 10, 10, 255] && pixel(30, 63) == [10, 10, 10, 255])
        #expect(pixel(31, 32) == [0, 0, 0, 0])
        #expect(pixel(48, 32) == [20, 20, 20, 255] && pixel(48, 20) == [0, 0, 0, 0])
    }
}
