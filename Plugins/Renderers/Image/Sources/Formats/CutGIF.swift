internal import BinaryNumbers
internal import VitrineKit

/// What is there of a GIF whose first picture is cut off or damaged (CompuServe, "Graphics Interchange Format", version 89a,
/// sections 18 to 23 and appendix F). Viewers show it, and ImageMagick shows nothing.
enum CutGIF {
    /// Draws the first picture; pixels that are missing are transparent.
    /// - Returns: `nil` when no two pixels of it differ, and where it has no colours.
    /// - Throws: `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard let frame = Frame(bytes) else { return nil }
        try check(frame.canvas)
        var codes = Codes(bits: frame.codeBits)
        let numbers = codes.numbers(bytes, at: frame.start, count: frame.width * frame.height)
        guard numbers.contains(where: { $0 != numbers.first }) else { return nil }
        var rows = try RowReducer(frame.canvas, box: box, hasAlpha: true)
        let lines = frame.lines
        for y in 0..<frame.canvas.height {
            _ = rows.next { row in
                let target = UnsafeMutableRawBufferPointer(start: row, count: frame.canvas.width * 4)
                target.initializeMemory(as: UInt8.self, repeating: 0)
                guard lines.indices.contains(y - frame.top) else { return true }
                let first = lines[y - frame.top] * frame.width
                for x in 0..<max(0, min(frame.width, numbers.count - first)) {
                    let number = numbers[first + x]
                    guard number != frame.nothing else { continue }
                    target.storeBytes(
                        of: frame.colour(number, bytes), toByteOffset: 4 * (frame.left + x), as: SIMD4<UInt8>.self)
                }
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: frame.canvas))
    }

    /// What is said of the first picture before its pixels.
    private struct Frame {
        let canvas: PixelSize
        let left: Int, top: Int, width: Int, height: Int
        /// The number that is no colour.
        let nothing: UInt8?
        /// Bits of a number.
        let codeBits: Int
        /// Where the packed pixels begin.
        let start: Int
        private let colours: Range<Int>
        private let isInterlaced: Bool

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard let found = GIFPalette.firstPicture(bytes) else { return nil }
            func number(_ at: Int) -> Int { Int(bytes.number(UInt16.self, at: at)) }
            let at = found.descriptor
            (left, top, width, height) = (number(at + 1), number(at + 3), number(at + 5), number(at + 7))
            canvas = PixelSize(width: max(number(6), left + width), height: max(number(8), top + height))
            colours = found.colours
            nothing = found.nothing
            isInterlaced = bytes[at + 9] & 0x40 != 0
            guard width > 0, height > 0, !colours.isEmpty, found.pixels + 1 < bytes.count,
                1...8 ~= bytes[found.pixels]
            else { return nil }
            codeBits = Int(bytes[found.pixels])
            start = found.pixels + 1
        }

        /// Which of the rows that are stored each row is.
        var lines: [Int] {
            guard isInterlaced else { return Array(0..<height) }
            var lines = [Int](repeating: 0, count: height)
            var next = 0
            for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
                for y in stride(from: first, to: height, by: step) {
                    lines[y] = next
                    next += 1
                }
            }
            return lines
        }

        /// R, G, B and alpha; black for a number without a colour.
        func colour(_ number: UInt8, _ bytes: UnsafeRawBufferPointer) -> SIMD4<UInt8> {
            let at = colours.lowerBound + 3 * Int(number)
            guard at + 3 <= colours.upperBound else { return SIMD4(0, 0, 0, 255) }
            return SIMD4(bytes[at], bytes[at + 1], bytes[at + 2], 255)
        }
    }

    /// Strings of numbers by their codes (appendix F): each is another one and one number more.
    private struct Codes {
        private static let most = 4096, widest = 12
        private let bits: Int
        /// Of each code the one before it, its last number, and how many it stands for.
        private var before: [UInt16]
        private var last: [UInt8]
        private var length: [UInt16]

        init(bits: Int) {
            self.bits = bits
            before = Array(repeating: 0, count: Self.most)
            last = (0..<Self.most).map { UInt8(truncatingIfNeeded: $0) }
            length = Array(repeating: 1, count: Self.most)
        }

        /// Unpacks numbers.
        /// - Parameters:
        ///   - start: where blocks begin, each behind its length.
        ///   - count: how many there are at most.
        /// - Returns: those before the first that is missing or damaged.
        mutating func numbers(_ bytes: UnsafeRawBufferPointer, at start: Int, count: Int) -> [UInt8] {
            let clear = 1 << bits
            var (next, width) = (clear + 2, bits + 1)
            var previous: Int?
            var (held, have) = (0, 0)
            var numbers: [UInt8] = []
            var block = start
            while block < bytes.count, bytes[block] != 0 {
                let end = min(block + 1 + Int(bytes[block]), bytes.count)
                for byte in bytes[block + 1..<end] {
                    held |= Int(byte) << have
                    have += 8
                    while have >= width {
                        let code = held & (1 << width - 1)
                        held >>= width
                        have -= width
                        if code == clear {
                            (next, width, previous) = (clear + 2, bits + 1, nil)
                            continue
                        }
                        guard code != clear + 1, numbers.count < count else { return numbers }
                        if let previous, next < Self.most {
                            // A code that is not known yet is the string that it makes itself.
                            guard code <= next else { return numbers }
                            before[next] = UInt16(previous)
                            last[next] = first(code == next ? previous : code)
                            length[next] = length[previous] + 1
                            next += 1
                            if next == 1 << width, width < Self.widest { width += 1 }
                        }
                        guard code < next else { return numbers }
                        append(code, to: &numbers, upTo: count)
                        previous = code
                    }
                }
                block = end
            }
            return numbers
        }

        /// The first number that a code stands for.
        private func first(_ code: Int) -> UInt8 {
            var code = code
            while length[code] > 1 { code = Int(before[code]) }
            return last[code]
        }

        private func append(_ code: Int, to numbers: inout [UInt8], upTo count: Int) {
            let start = numbers.count
            var code = code
            numbers.append(contentsOf: repeatElement(0, count: Int(length[code])))
            for at in (start..<numbers.count).reversed() {
                numbers[at] = last[code]
                code = Int(before[code])
            }
            if numbers.count > count { numbers.removeLast(numbers.count - count) }
        }
    }
}
