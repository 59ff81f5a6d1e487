import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import NIfTIRenderer

@Suite struct NIfTIRendererTests {
    /// A volume of NIfTI 1 or 2, whose numbers are told by where they are.
    private struct Volume {
        var counts = [4, 3, 2]
        var kind = NIfTIHeader.Kind.uint8
        var isSecond = false
        var isBigEndian = false
        /// A row for the right, one for the front, one for the head; `nil`: a quaternion, or nothing.
        var rows: [[Double]]? = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        var quaternion: [Double]?
        var steps = [1.0, 1, 1]
        var window = (0.0, 0.0)
        var slope = 0.0

        func bytes(_ value: (Int, Int, Int) -> Double) -> [UInt8] {
            var head = [UInt8](repeating: 0, count: isSecond ? 544 : 352)
            func order(_ bytes: [UInt8]) -> [UInt8] { isBigEndian ? bytes.reversed() : bytes }
            func put(_ bytes: [UInt8], _ at: Int) { head.replaceSubrange(at..<at + bytes.count, with: order(bytes)) }
            func put(_ number: Double, _ first: Int, _ second: Int) {
                if isSecond {
                    put(little(Int(bitPattern: UInt(number.bitPattern)), 8), second)
                } else {
                    put(little(Int(Float(number).bitPattern), 4), first)
                }
            }
            put(little(isSecond ? 540 : 348, 4), 0)
            for (index, count) in ([3] + counts).enumerated() {
                put(little(count, isSecond ? 8 : 2), isSecond ? 16 + 8 * index : 40 + 2 * index)
            }
            put(little(kind.rawValue, 2), isSecond ? 12 : 70)
            for (index, step) in ([1] + steps).enumerated() { put(step, 76 + 4 * index, 104 + 8 * index) }
            if isSecond { put(little(544, 8), 168) } else { put(352, 108, 0) }
            put(slope, 112, 176)
            put(window.1, 124, 192)
            put(window.0, 128, 200)
            if let rows {
                put(little(1, isSecond ? 4 : 2), isSecond ? 348 : 254)
                for row in 0..<3 {
                    for column in 0..<3 {
                        put(rows[row][column], 280 + 16 * row + 4 * column, 400 + 32 * row + 8 * column)
                    }
                }
            }
            if let quaternion {
                put(little(1, isSecond ? 4 : 2), isSecond ? 344 : 252)
                for (index, part) in quaternion.enumerated() { put(part, 256 + 4 * index, 352 + 8 * index) }
            }
            head.replaceSubrange(
                isSecond ? 4..<8 : 344..<348, with: isSecond ? [0x6E, 0x2B, 0x32, 0] : [0x6E, 0x2B, 0x31, 0])
            var numbers: [UInt8] = []
            for z in 0..<counts[2] {
                for y in 0..<counts[1] {
                    for x in 0..<counts[0] { numbers += order(stored(value(x, y, z))) }
                }
            }
            return head + numbers
        }

        private func stored(_ value: Double) -> [UInt8] {
            switch kind {
            case .float32: little(Int(Float(value).bitPattern), 4)
            case .float64: little(Int(bitPattern: UInt(value.bitPattern)), 8)
            default: little(Int(value), kind.size)
            }
        }
    }

    private func draw(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) throws -> Rendering {
        let renderer = try NIfTIRenderer(RendererEnvironment(pluginFolder: "/", maximumPixels: maximumPixels))
        return try renderer.render(BytesInput(bytes), RenderRequest(box: 128, mimeType: "application/x-nifti"))
    }

    /// The shades of a slice, row by row.
    private func shades(_ volume: Volume, _ value: (Int, Int, Int) -> Double) throws -> [[UInt8]] {
        let picture = RGBAPicture(try draw(volume.bytes(value)).bitmap)
        return (0..<picture.height).map { y in (0..<picture.width).map { picture.pixel(x: $0, y: y).red } }
    }

    private func failure(_ bytes: [UInt8], maximumPixels: Int = 64_000_000) -> PluginError.Code? {
        RendererFixtures.failure { try draw(bytes, maximumPixels: maximumPixels) }
    }

    @Test("It keeps the renderer's contract") func conformance() throws {
        let bytes = Volume(counts: [20, 16, 4]).bytes { x, y, _ in Double(x * y) }
        let sample = RendererSample("volume", mimeType: "application/x-nifti", bytes: bytes)
        let suite = RendererConformance(samples: [sample], scales: false) { environment throws(PluginError) in
            try NIfTIRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("The slice in the middle is shown with the front up and the right at the left, however it lies in the file")
    func orientation() throws {
        var volume = Volume(window: (0, 100))
        // Brighter to the right, from 0 on: the picture begins with the brightest.
        #expect(try shades(volume) { x, _, _ in Double(25 * x) } == [[UInt8]](repeating: [191, 128, 64, 0], count: 3))
        // Brighter to the front.
        #expect(try shades(volume) { _, y, _ in Double(50 * y) }.map { $0[0] } == [255, 128, 0])
        #expect(
            try shades(volume) { _, _, z in Double(100 * z) } == [[UInt8]](repeating: [255, 255, 255, 255], count: 3))
        // To the left and to the back, as rows of a picture.
        volume.rows = [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]
        #expect(try shades(volume) { x, _, _ in Double(25 * x) }[0] == [0, 64, 128, 191])
        #expect(try shades(volume) { _, y, _ in Double(50 * y) }.map { $0[0] } == [0, 128, 255])
        // The same by a half turn around the axis from foot to head.
        volume.rows = nil
        volume.quaternion = [0, 0, 1]
        #expect(try shades(volume) { x, _, _ in Double(25 * x) }[0] == [0, 64, 128, 191])
        // The first axis leads to the head, the second to the right, the third to the front, nearly.
        volume.quaternion = nil
        volume.rows = [[0.1, 1, 0], [0, 0.1, 1], [1, 0, 0.1]]
        #expect(try shades(volume) { _, y, _ in Double(50 * y) } == [[255, 128, 0], [255, 128, 0]])
        #expect(try shades(volume) { x, _, _ in x == 2 ? 100 : 0 } == [[255, 255, 255], [255, 255, 255]])
    }

    @Test(
        "Numbers of all kinds, in either order of bytes and of either version, are shades",
        arguments: [
            NIfTIHeader.Kind.uint8, .int8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .float32, .float64,
        ], [false, true])
    func kinds(kind: NIfTIHeader.Kind, isSecond: Bool) throws {
        for isBigEndian in [false, true] {
            var volume = Volume(kind: kind, isSecond: isSecond, isBigEndian: isBigEndian)
            let expected: [UInt8] = [255, 170, 85, 0]
            // Without a window, from the least to the most; a slope changes nothing then.
            #expect(try shades(volume) { x, _, _ in Double(10 * x + 3) }[0] == expected)
            volume.slope = 0.5
            volume.window = (0, 15)
            #expect(try shades(volume) { x, _, _ in Double(10 * x) }[0] == expected)
        }
    }

    @Test("Numbers that lie farther apart one way have pixels as wide as they are high, and strays take no light")
    func shapes() throws {
        let volume = Volume(steps: [1, 2, 1])
        #expect(try shades(volume) { _, y, _ in Double(y) }.map { $0[0] } == [255, 255, 128, 128, 0, 0])
        var large = Volume(counts: [40, 40, 1])
        large.kind = .float32
        let drawn = try shades(large) { x, y, _ in x == 0 && y == 0 ? 1e6 : x == 1 && y == 0 ? .nan : Double(x) }
        #expect(drawn[20][0] == 255 && 120...135 ~= drawn[20][20] && drawn[39][38] == 0)
        #expect(Set(try shades(Volume()) { _, _, _ in 7 }.joined()).count == 1)
    }

    @Test("Thick slices are not drawn larger than anybody asked for")
    func thickSlices() throws {
        let thick = Volume(counts: [600, 1, 40], rows: nil, steps: [1, 16, 16])
        let shallow = try draw(thick.bytes { x, _, _ in Double(x % 200) })
        #expect(shallow.facts.size == PixelSize(width: 600, height: 16))
        let deep = Volume(counts: [40, 600, 1], rows: nil, steps: [1, 16, 1])
        let drawn = try draw(deep.bytes { x, _, _ in Double(x) })
        #expect(drawn.facts.size == PixelSize(width: 40, height: 9600))
        #expect(drawn.bitmap.height == 600 && drawn.bitmap.width == 3)
    }

    @Test("What is empty, cut off, something else, too large, or no volume is refused")
    func bad() throws {
        let bytes = Volume().bytes { x, _, _ in Double(x) }
        #expect(failure([]) == .empty && failure(bytes) == nil)
        for count in [1, 100, 347, 348, 352, bytes.count - 1] {
            #expect(failure(Array(bytes.prefix(count))) == .corrupt, "\(count)")
        }
        #expect(failure((0..<2048).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }) == .corrupt)
        func changed(_ at: Int, _ other: [UInt8]) -> [UInt8] {
            var bytes = bytes
            bytes.replaceSubrange(at..<at + other.count, with: other)
            return bytes
        }
        for count in [0, -1] { #expect(failure(changed(42, little(count, 2))) == .corrupt, "\(count)") }
        #expect(failure(changed(40, little(9, 2))) == .corrupt)
        // Complex numbers, and connections of a brain.
        #expect(failure(changed(70, little(32, 2))) == .unsupported)
        #expect(failure(Volume(counts: [1, 1, 1]).bytes { _, _, _ in 1 }) == .unsupported)
        // Where numbers begin, and steps and slopes that are none.
        for offset in [Float.nan, -5, 1e30, .infinity] {
            #expect(failure(changed(108, little(Int(offset.bitPattern), 4))) == .corrupt, "\(offset)")
        }
        for place in [80, 84, 112, 124, 128, 256, 280] {
            for number in [Float.nan, .infinity, -1e38, .leastNonzeroMagnitude] {
                #expect(failure(changed(place, little(Int(number.bitPattern), 4))) == nil, "\(place): \(number)")
            }
        }
        // Thirty-two thousand along two axes, and along all three.
        #expect(failure(changed(42, little(32767, 2) + little(32767, 2))) == .limitExceeded)
        #expect(failure(bytes, maximumPixels: 11) == .limitExceeded)
    }
}
