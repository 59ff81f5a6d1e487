import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

// Sprites of Aseprite.
extension ImageRendererTests {
    private static let sprite = "image/x-aseprite"

    private static func chunk(_ kind: Int, _ content: [UInt8]) -> [UInt8] {
        little(content.count + 6, 4) + little(kind, 2) + content
    }

    private static func layer(
        flags: Int = 1, kind: Int = 0, depth: Int = 0, blending: Int = 0, opacity: UInt8 = 255
    ) -> [UInt8] {
        chunk(
            0x2004,
            little(flags, 2) + little(kind, 2) + little(depth, 2) + little(0, 4) + little(blending, 2) + [opacity]
                + [0, 0, 0] + little(1, 2) + [0x61])
    }

    /// Pixels as they are, or in zlib's format, in which they are not made smaller.
    private static func cel(
        _ layer: Int, x: Int = 0, y: Int = 0, width: Int, height: Int, order: Int = 0, isPacked: Bool = false,
        opacity: UInt8 = 255, _ pixels: [UInt8]
    ) -> [UInt8] {
        var (low, high) = (1, 0)
        for byte in pixels {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        let sum = (high << 16 | low).bigEndian >> 32
        let packed =
            [0x78, 1, 1] + little(pixels.count, 2) + little(~pixels.count, 2) + pixels + little(sum, 4)
        let head = little(layer, 2) + little(x, 2) + little(y, 2) + [opacity] + little(isPacked ? 2 : 0, 2)
        return chunk(
            0x2005,
            head + little(order, 2) + [0, 0, 0, 0, 0] + little(width, 2) + little(height, 2)
                + (isPacked ? packed : pixels))
    }

    private static func sprite(
        width: Int, height: Int, depth: Int = 32, shape: [UInt8] = [1, 1], clear: UInt8 = 0, _ chunks: [UInt8]...
    ) -> [UInt8] {
        let all = chunks.flatMap(\.self)
        var head = little(0, 4) + little(0xA5E0, 2) + little(1, 2) + little(width, 2) + little(height, 2)
        head +=
            little(depth, 2) + little(1, 4) + little(100, 2) + little(0, 8) + [clear, 0, 0, 0] + little(0, 2) + shape
        head += [UInt8](repeating: 0, count: 128 - head.count)
        let frame = little(all.count + 16, 4) + little(0xF1FA, 2) + little(chunks.count, 2) + little(0, 8)
        return head + frame + all
    }

    private func pixels(_ file: [UInt8]) throws -> [UInt8] {
        RGBAPicture(try draw(file, mimeType: Self.sprite)).pixels
    }

    @Test("The visible layers of a sprite are laid upon each other, in their order and where they lie")
    func layers() throws {
        let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255])
        let whole = Self.cel(0, width: 2, height: 1, isPacked: true, red + red)
        // One juts out at the left, one lies outside.
        let part = Self.cel(1, x: -1, width: 2, height: 1, green + blue)
        let outside = Self.cel(1, x: 9, y: -9, width: 1, height: 1, green)
        let two = Self.layer() + Self.layer()
        #expect(try pixels(Self.sprite(width: 2, height: 1, two, whole, part, outside)) == blue + red)
        // Another order than that of layers.
        let lower = Self.cel(1, width: 1, height: 1, order: -2, green)
        #expect(try pixels(Self.sprite(width: 2, height: 1, two, whole, lower)) == red + red)
        // One step up, which is where the next layer lies.
        let raised = Self.cel(0, width: 1, height: 1, order: 1, red) + Self.cel(1, width: 1, height: 1, blue)
        #expect(try pixels(Self.sprite(width: 1, height: 1, two, raised)) == red)
        // Not visible, in a group that is not, and only to be drawn from.
        for (first, second) in [
            (Self.layer(), Self.layer(flags: 0)), (Self.layer(flags: 0, kind: 1), Self.layer(depth: 1)),
            (Self.layer(), Self.layer(flags: 65)),
        ] {
            let seen = try pixels(
                Self.sprite(width: 1, height: 1, first + second, Self.cel(1, width: 1, height: 1, green)))
            #expect(seen == [0, 0, 0, 0])
        }
    }

    @Test("Layers of a sprite blend by their opacity and mode")
    func blending() throws {
        let below = Self.cel(0, width: 1, height: 1, [200, 100, 40, 255])
        func seen(_ blending: Int, layer: UInt8 = 255, cel: UInt8 = 255) throws -> [UInt8] {
            let layers = Self.layer() + Self.layer(blending: blending, opacity: layer)
            let upper = Self.cel(1, width: 1, height: 1, opacity: cel, [100, 200, 0, 255])
            return try pixels(Self.sprite(width: 1, height: 1, layers, below, upper))
        }
        let expected: [Int: [UInt8]] = [
            0: [100, 200, 0, 255], 1: [78, 78, 0, 255], 2: [222, 222, 40, 255], 4: [100, 100, 0, 255],
            5: [200, 200, 40, 255], 10: [100, 100, 40, 255], 16: [255, 255, 40, 255], 17: [100, 0, 40, 255],
        ]
        for (mode, colour) in expected { #expect(try seen(mode) == colour, "\(mode)") }
        #expect(try seen(0, layer: 128) == [150, 150, 20, 255] && seen(0, cel: 0) == [200, 100, 40, 255])
        for mode in [3, 6, 7, 8, 9, 11, 18] { #expect(try seen(mode) != seen(0), "\(mode)") }
        for mode in [12, 15, 99] {
            let error = #expect(throws: PluginError.self) { try seen(mode) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("Greys and indices of a sprite have their colours, and pixels their shape")
    func kinds() throws {
        let grey = Self.sprite(width: 1, height: 1, depth: 16, Self.layer(), Self.cel(0, width: 1, height: 1, [7, 90]))
        #expect(try pixels(grey) == [7, 7, 7, 90])
        let colours: [UInt8] = [0, 0, 1, 2, 3, 255] + [1, 0, 4, 5, 6, 255, 2, 0, 0x61, 0x62] + [0, 0, 7, 8, 9, 255]
        let palette = Self.chunk(
            0x2019, little(3, 4) + little(1, 4) + little(3, 4) + little(0, 8) + colours)
        // The clear index is seen on the background alone.
        for (flags, first) in [(1, [0, 0, 0, 0]), (9, [4, 5, 6, 255])] as [(Int, [UInt8])] {
            let file = Self.sprite(
                width: 2, height: 1, depth: 8, shape: [1, 2], clear: 2, palette, Self.layer(flags: flags),
                Self.cel(0, width: 2, height: 1, [2, 3]))
            #expect(try draw(file, mimeType: Self.sprite).facts.size == PixelSize(width: 2, height: 2))
            let row: [UInt8] = first + [7, 8, 9, 255]
            #expect(try pixels(file) == row + row)
        }
    }

    @Test("Palettes without alpha are in packets, of which a newer one stands for all")
    func olderPalettes() throws {
        func seen(_ palettes: [UInt8]...) throws -> [UInt8] {
            let cel = Self.cel(0, width: 3, height: 1, [0, 2, 255])
            let file = Self.sprite(
                width: 3, height: 1, depth: 8, clear: 9, palettes.flatMap(\.self), Self.layer(), cel)
            return try pixels(file)
        }
        // One colour, two passed over, another one; and colours of 64 steps.
        let packets = little(2, 2) + [0, 1, 10, 20, 30] + [1, 1, 40, 50, 60]
        let black: [UInt8] = [0, 0, 0, 255]
        #expect(try seen(Self.chunk(4, packets)) == [10, 20, 30, 255] + [40, 50, 60, 255] + black)
        let all = little(1, 2) + [0, 0] + (0..<256).flatMap { [UInt8($0), 63, 0] }
        #expect(try seen(Self.chunk(4, all)) == [0, 63, 0, 255] + [2, 63, 0, 255] + [255, 63, 0, 255])
        #expect(try seen(Self.chunk(0x11, packets)).prefix(4) == [40, 80, 121, 255])
        let newer = little(1, 4) + little(0, 8) + little(0, 8) + [0, 0, 7, 8, 9, 255]
        #expect(try seen(Self.chunk(0x2019, newer), Self.chunk(4, packets)).prefix(4) == [7, 8, 9, 255])
        // Cut off within a colour.
        #expect(try seen(Self.chunk(4, Array(packets.dropLast()))) == [10, 20, 30, 255] + black + black)
    }

    @Test("Sprites that claim what is not there are refused")
    func brokenSprites() throws {
        let good = Self.sprite(
            width: 2, height: 2, Self.layer(),
            Self.cel(0, width: 2, height: 2, isPacked: true, [UInt8](repeating: 9, count: 16)))
        for count in [130, 143, good.count - 20, good.count - 8] {
            let error = #expect(throws: PluginError.self, "\(count)") {
                try draw(Array(good.prefix(count)), mimeType: Self.sprite)
            }
            #expect(error?.code == .corrupt, "\(count)")
        }
        let tiles = Self.sprite(width: 1, height: 1, Self.layer(kind: 2))
        let error = #expect(throws: PluginError.self) { try draw(tiles, mimeType: Self.sprite) }
        #expect(error?.code == .unsupported)
        // A palette from beyond its end, cels that are too short or of no layer.
        let odd =
            Self.chunk(0x2019, [UInt8](repeating: 0xFF, count: 40)) + Self.cel(7, width: 1, height: 1, [1, 2, 3, 4])
        #expect(try pixels(Self.sprite(width: 1, height: 1, odd)) == [0, 0, 0, 0])
        for chunk in [Self.chunk(0x2005, [0]), Self.chunk(0x2004, [1]), little(2, 4) + little(0x2005, 2)] {
            let error = #expect(throws: PluginError.self) {
                try draw(Self.sprite(width: 1, height: 1, chunk), mimeType: Self.sprite)
            }
            #expect(error?.code == .corrupt)
        }
    }
}
