import RendererFixtures

/// Pictures and drawings of other programs that tests write.
enum Pictures {
    private static func big(_ values: Int...) -> [UInt8] { values.flatMap { little($0, 2).reversed() } }

    /// A Windows metafile that can be placed ([MS-WMF]), two inches wide and one high, with a red rectangle in its right
    /// half that does not reach the edges.
    /// - Parameters:
    ///   - isWhite: whether the rectangle is white, and has no line.
    ///   - inch: units of the box for an inch.
    static func metafile(isWhite: Bool = false, inch: Int = 1440) -> [UInt8] {
        func record(_ function: Int, _ values: Int...) -> [UInt8] {
            little(3 + values.count, 4) + little(function, 2) + values.flatMap { little($0, 2) }
        }
        let records: [[UInt8]] = [
            record(0x020B, 0, 0), record(0x020C, 1440, 2880),
            record(0x02FC, 0, isWhite ? 0xFFFF : 0x00FF, isWhite ? 0xFF : 0, 0),
            record(0x012D, 0), record(0x02FA, isWhite ? 5 : 0, 0, 0, 0, 0), record(0x012D, 1),
            record(0x041B, 1300, 2700, 140, 1540), record(0),
        ]
        let placing =
            little(0x9AC6_CDD7, 4) + little(0, 6) + little(2880, 2) + little(1440, 2) + little(inch, 2) + little(0, 4)
        let sum = stride(from: 0, to: placing.count, by: 2).reduce([0, 0]) { sum, at in
            [sum[0] ^ placing[at], sum[1] ^ placing[at + 1]]
        }
        let body = records.flatMap { $0 }
        let header = little(1, 2) + little(9, 2) + little(0x300, 2) + little(9 + body.count / 2, 4) + little(2, 2)
        return placing + sum + header + little(8, 4) + little(0, 2) + body
    }

    /// A picture of QuickDraw, version 1, two inches wide and one high, with a black rectangle in its right half that does
    /// not reach the edges.
    static func quickDraw() -> [UInt8] {
        let black = [UInt8](repeating: 0xFF, count: 8)
        let drawing =
            big(0, 0, 72, 144) + [0x11, 0x01, 0x01] + big(10, 0, 0, 72, 144) + [0x0A] + black + [0x34]
            + big(10, 80, 60, 136) + [0xFF]
        return [UInt8](repeating: 0, count: 512) + big(drawing.count + 2) + drawing
    }

    /// A drawing of AutoCAD's exchange format: a frame, twice as wide as it is high.
    static func exchange() -> [UInt8] {
        let corners = [(0, 0), (100, 0), (100, 50), (0, 50), (0, 0)]
        let lines = zip(corners, corners.dropFirst()).map { from, to in
            "0\nLINE\n8\n0\n10\n\(from.0)\n20\n\(from.1)\n11\n\(to.0)\n21\n\(to.1)\n"
        }
        return Array("0\nSECTION\n2\nENTITIES\n\(lines.joined())0\nENDSEC\n0\nEOF\n".utf8)
    }

    /// The prefix of a file of WordPerfect, and text.
    /// - Parameters:
    ///   - start: where it says that the text begins.
    ///   - kind: what it says that the file is.
    static func wordPerfect(start: Int = 16, kind: UInt8 = 0x0A) -> [UInt8] {
        [0xFF] + Array("WPC".utf8) + little(start, 4) + [1, kind, 2, 1, 0, 0, 0, 0] + Array("Hello".utf8)
    }
}
