internal import CImageCodecs
internal import VitrineKit

/// A texture as graphics cards keep it (Microsoft, "Programming Guide for DDS"), as far as ImageMagick does not read it: blocks of
/// BC4, BC5 and BC7, greys with alpha, and what names its format by a number.
enum DDSPicture {
    private static let headLength = 128, longHeadLength = 148

    /// How pixels are written.
    private enum Layout {
        case blocks(vb_kind)
        /// Each by itself, of so many bytes; where in it red, green, blue and alpha are, in bytes.
        case pixels(Int, [Int?])
    }

    /// What the fourth channel is.
    private enum Alpha {
        case straight
        /// Alpha by which the colours were multiplied.
        case multiplied
        /// All ones, or something other than alpha.
        case none

        /// - Parameter flags: `miscFlags2` of the long head.
        init(_ flags: Int) {
            switch flags & 7 {
            case 2: self = .multiplied
            case 3, 4: self = .none
            default: self = .straight
            }
        }

        /// Makes a row of R, G, B and alpha straight.
        func straighten(_ row: UnsafeMutableRawPointer, _ width: Int) {
            guard case .multiplied = self else { return }
            let pixels = UnsafeMutableRawBufferPointer(start: row, count: width * 4)
            for at in stride(from: 0, to: pixels.count, by: 4) {
                let alpha = Int(pixels[at + 3])
                guard 1..<255 ~= alpha else { continue }
                for channel in at..<at + 3 {
                    pixels[channel] = UInt8(min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
                }
            }
        }
    }

    /// Draws the first and largest picture of the file.
    /// - Returns: `nil` for what is left to ImageMagick.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard bytes.count >= headLength, let (layout, start) = layout(bytes) else { return nil }
        let size = PixelSize(width: number(bytes, 16), height: number(bytes, 12))
        guard size.width > 0, size.height > 0 else { return nil }
        try check(size)
        let alpha = start == longHeadLength ? Alpha(number(bytes, 144)) : .straight
        switch layout {
        case .blocks(let kind): return try unpacked(bytes, start, kind, size, alpha, box: box)
        case .pixels(let length, let places): return try copied(bytes, start, length, places, size, alpha, box: box)
        }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// How pixels are written, and where they begin.
    private static func layout(_ bytes: UnsafeRawBufferPointer) -> (Layout, Int)? {
        switch String(decoding: bytes[84..<88], as: UTF8.self) {
        case "DX10":
            guard bytes.count >= longHeadLength else { return nil }
            return numbered[number(bytes, 128)].map { ($0, longHeadLength) }
        case "ATI1", "BC4U": return (.blocks(VB_BC4), headLength)
        case "BC4S": return (.blocks(VB_BC4_SIGNED), headLength)
        case "ATI2", "BC5U": return (.blocks(VB_BC5), headLength)
        case "BC5S": return (.blocks(VB_BC5_SIGNED), headLength)
        default: break
        }
        // Brightness (0x2_0000), with alpha (1) or without, and masks of whole bytes.
        let isGrey = number(bytes, 80) & 0x2_0000 != 0
        switch (isGrey, number(bytes, 80) & 1, number(bytes, 88), number(bytes, 92), number(bytes, 104)) {
        case (true, 0, 8, _, _): return (.pixels(1, [0, 0, 0, nil]), headLength)
        case (true, 1, 16, 0xFF, 0xFF00): return (.pixels(2, [0, 0, 0, 1]), headLength)
        default: return nil
        }
    }

    /// By the numbers of `DXGI_FORMAT`: without a type, from 0 to 1 or with a sign, and in sRGB.
    private static let numbered: [Int: Layout] = {
        var table: [Int: Layout] = [
            81: .blocks(VB_BC4_SIGNED), 84: .blocks(VB_BC5_SIGNED), 88: .pixels(4, [2, 1, 0, nil]),
            92: .pixels(4, [2, 1, 0, nil]), 93: .pixels(4, [2, 1, 0, nil]), 61: .pixels(1, [0, 0, 0, nil]),
        ]
        let kinds = [(70...72, VB_BC1), (73...75, VB_BC2), (76...78, VB_BC3), (79...80, VB_BC4), (82...83, VB_BC5)]
        for (numbers, kind) in kinds + [(97...99, VB_BC7)] { for each in numbers { table[each] = .blocks(kind) } }
        for each in 27...29 { table[each] = .pixels(4, [0, 1, 2, 3]) }
        for each in [87, 90, 91] { table[each] = .pixels(4, [2, 1, 0, 3]) }
        return table
    }()

    private static let short = PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")

    private static func copied(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ length: Int, _ places: [Int?], _ size: PixelSize,
        _ alpha: Alpha, box: Int
    ) throws(PluginError) -> Rendering {
        guard size.width * size.height * length <= bytes.count - start else { throw short }
        var rows = try RowReducer(size, box: box, hasAlpha: places[3] != nil && alpha != .none)
        for y in 0..<size.height {
            _ = rows.next { row in
                for x in 0..<size.width {
                    let from = start + (y * size.width + x) * length
                    for channel in 0..<4 {
                        let value = places[channel].map { bytes[from + $0] } ?? 255
                        row.storeBytes(of: value, toByteOffset: 4 * x + channel, as: UInt8.self)
                    }
                }
                alpha.straighten(row, size.width)
                return true
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }

    private static func unpacked(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ kind: vb_kind, _ size: PixelSize, _ alpha: Alpha,
        box: Int
    ) throws(PluginError) -> Rendering {
        let length = Int(vb_block_bytes(kind)), across = (size.width + 3) / 4
        guard across * ((size.height + 3) / 4) * length <= bytes.count - start, let base = bytes.baseAddress else {
            throw short
        }
        let hasAlpha = alpha != .none && ![VB_BC4, VB_BC4_SIGNED, VB_BC5, VB_BC5_SIGNED].contains(kind)
        var rows = try RowReducer(size, box: box, hasAlpha: hasAlpha)
        // Four rows of pixels, those of a block after those of the one before.
        var pixels = [UInt8](repeating: 0, count: across * 64)
        for y in 0..<size.height {
            pixels.withUnsafeMutableBufferPointer { pixels in
                guard let target = pixels.baseAddress else { return }
                if y % 4 == 0 {
                    let line = base + start + y / 4 * across * length
                    for block in 0..<across {
                        vb_decode(
                            kind, (line + block * length).assumingMemoryBound(to: UInt8.self), target + block * 64)
                    }
                }
                _ = rows.next { row in
                    for block in 0..<across {
                        let count = min(4, size.width - 4 * block) * 4
                        (row + block * 16).copyMemory(from: target + block * 64 + y % 4 * 16, byteCount: count)
                    }
                    if hasAlpha { alpha.straighten(row, size.width) }
                    return true
                }
            }
        }
        return Rendering(rows.bitmap, facts: Facts(size: size))
    }
}
