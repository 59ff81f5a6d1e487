internal import CXCF

/// Unpacks one tile after the other into the same memory.
struct TileReader: ~Copyable {
    private let picture: XCFPicture
    private let plain: UnsafeMutableRawBufferPointer

    private static let mostPixels = TileMap.side * TileMap.side
    private static let mostBytes = mostPixels * 32

    init(_ picture: XCFPicture) {
        self.picture = picture
        plain = .allocate(byteCount: Self.mostBytes, alignment: 16)
    }

    deinit { plain.deallocate() }

    /// The numbers of a tile, pixel by pixel.
    /// - Parameters:
    ///   - count: how many pixels the tile has.
    ///   - values: room for as many numbers as a pixel has bytes, times `count`.
    /// - Returns: how many numbers a pixel has; `nil` when the tile is damaged.
    func read(
        _ map: TileMap, column: Int, row: Int, count: Int, into values: UnsafeMutableBufferPointer<Float>
    ) -> Int? {
        let channels = map.bytesPerPixel / picture.samples.kind.bytes
        let length = count * map.bytesPerPixel
        guard 1...4 ~= channels, channels * picture.samples.kind.bytes == map.bytesPerPixel else { return nil }
        if map.isEmpty {
            for index in 0..<count * channels { values[index] = 0 }
            return channels
        }
        guard let place = map.place(column: column, row: row), place < picture.bytes.count else { return nil }
        let source = UnsafeRawBufferPointer(rebasing: picture.bytes[place...])
        switch picture.packing {
        case .none:
            guard source.count >= length else { return nil }
            picture.samples.read(UnsafeRawBufferPointer(rebasing: source[..<length]), into: values)
        case .runs:
            guard unrun(source, bytesPerPixel: map.bytesPerPixel, count: count) else { return nil }
            picture.samples.read(UnsafeRawBufferPointer(rebasing: plain[..<length]), into: values)
        case .zlib:
            var filled = uLongf(length)
            // What follows the tile in the file is not looked at; a packed tile is hardly longer than a plain one.
            let most = min(source.count, 2 * Self.mostBytes)
            let status = uncompress(
                plain.baseAddress?.assumingMemoryBound(to: Bytef.self), &filled,
                source.baseAddress?.assumingMemoryBound(to: Bytef.self), uLong(most))
            guard status == Z_OK, filled == length else { return nil }
            picture.samples.read(UnsafeRawBufferPointer(rebasing: plain[..<length]), into: values)
        }
        return channels
    }

    /// Each byte of a pixel has runs of its own: 0 to 126 and a byte for one to 127 times that byte, 127 with a number of
    /// two bytes for more; 255 down to 129 for one to 127 bytes as they are, 128 with a number for more.
    private func unrun(_ source: UnsafeRawBufferPointer, bytesPerPixel: Int, count: Int) -> Bool {
        var at = 0
        for channel in 0..<bytesPerPixel {
            var filled = 0
            while filled < count {
                guard at < source.count else { return false }
                let code = Int(source[at])
                at += 1
                let isRun = code < 128
                var length = isRun ? code + 1 : 256 - code
                if code == 127 || code == 128 {
                    guard at + 2 <= source.count else { return false }
                    length = Int(source[at]) << 8 | Int(source[at + 1])
                    at += 2
                }
                let taken = isRun ? 1 : length
                guard length > 0, length <= count - filled, taken <= source.count - at else { return false }
                for index in 0..<length {
                    plain[(filled + index) * bytesPerPixel + channel] = source[isRun ? at : at + index]
                }
                filled += length
                at += taken
            }
        }
        return true
    }
}
