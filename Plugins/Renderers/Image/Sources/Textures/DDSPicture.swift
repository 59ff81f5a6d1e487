internal import CImageCodecs
internal import VitrineKit

/// A texture as graphics cards keep it (Microsoft, "Programming Guide for DDS"), as far as ImageMagick does not read it: blocks of
/// BC4 to BC7, greys with alpha, fractions, what names its format by a number, and pixels of any bits. Of a list of pictures, the
/// six sides of a cube or the layers of a body the first is drawn.
enum DDSPicture {
    private static let headLength = 128, longHeadLength = 148

    /// Draws the first and largest picture of the file.
    /// - Returns: `nil` for what is left to ImageMagick.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard bytes.count >= headLength, let (layout, start) = layout(bytes) else { return nil }
        let size = PixelSize(width: bytes.number(16), height: bytes.number(12))
        guard size.width > 0, size.height > 0 else { return nil }
        try check(size)
        var texture = Texture(layout: layout, size: size)
        if start == longHeadLength { texture.alpha = alpha(bytes.number(144)) }
        let pixels = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return Rendering(try texture.bitmap(pixels, box: box), facts: Facts(size: size))
    }

    /// - Parameter flags: `miscFlags2` of the long head.
    private static func alpha(_ flags: Int) -> Texture.Alpha {
        switch flags & 7 {
        case 2: .multiplied
        case 3, 4: .none
        default: .straight
        }
    }

    /// How pixels are written, and where they begin.
    private static func layout(_ bytes: UnsafeRawBufferPointer) -> (Texture.Layout, Int)? {
        switch String(decoding: bytes[84..<88], as: UTF8.self) {
        case "DX10":
            guard bytes.count >= longHeadLength else { return nil }
            return numbered[bytes.number(128)].map { ($0, longHeadLength) }
        case "ATI1", "BC4U": return (.blocks(VI_BC4), headLength)
        case "BC4S": return (.blocks(VI_BC4_SIGNED), headLength)
        case "ATI2", "BC5U": return (.blocks(VI_BC5), headLength)
        case "BC5S": return (.blocks(VI_BC5_SIGNED), headLength)
        default: break
        }
        // Numbers of `D3DFORMAT` in the place of letters.
        if bytes.number(80) & 4 != 0, let layout = older[bytes.number(84)] { return (layout, headLength) }
        // Brightness (0x2_0000), with alpha (1) or without, and masks of whole bytes.
        let isGrey = bytes.number(80) & 0x2_0000 != 0
        switch (isGrey, bytes.number(80) & 1, bytes.number(88), bytes.number(92), bytes.number(104)) {
        case (true, 0, 8, _, _): return (.texels(.numbers(.byte, "l")), headLength)
        case (true, 1, 16, 0xFF, 0xFF00): return (.texels(.numbers(.byte, "la")), headLength)
        default: return masked(bytes).map { (.texels($0), headLength) }
        }
    }

    /// Colours (0x40) whose bits the file names, with alpha (1) or without, and without a name of their format (4).
    private static func masked(_ bytes: UnsafeRawBufferPointer) -> Texel? {
        let flags = bytes.number(80), bits = bytes.number(88)
        guard flags & 0x44 == 0x40, [8, 16, 24, 32].contains(bits) else { return nil }
        var masks = stride(from: 92, through: 104, by: 4).map { UInt32(truncatingIfNeeded: bytes.number($0)) }
        if flags & 1 == 0 { masks[3] = 0 }
        return masks[..<3].contains { $0 != 0 } ? .bits(bits / 8, masks) : nil
    }

    private static let older: [Int: Texture.Layout] = [
        36: .texels(.numbers(.short, "rgba")), 111: .texels(.numbers(.half, "l")), 112: .texels(.numbers(.half, "rg")),
        113: .texels(.numbers(.half, "rgba")), 114: .texels(.numbers(.float, "l")),
        115: .texels(.numbers(.float, "rg")), 116: .texels(.numbers(.float, "rgba")),
    ]

    /// By the numbers of `DXGI_FORMAT`: without a type, from 0 to 1 or with a sign, and in sRGB.
    private static let numbered: [Int: Texture.Layout] = {
        var table: [Int: Texture.Layout] = [
            2: .texels(.numbers(.float, "rgba")), 6: .texels(.numbers(.float, "rgb")),
            10: .texels(.numbers(.half, "rgba")), 11: .texels(.numbers(.short, "rgba")),
            16: .texels(.numbers(.float, "rg")), 24: .texels(.bits(4, [0x3FF, 0xFFC00, 0x3FF0_0000, 0xC000_0000])),
            34: .texels(.numbers(.half, "rg")), 41: .texels(.numbers(.float, "l")),
            49: .texels(.numbers(.byte, "rg")), 54: .texels(.numbers(.half, "l")), 56: .texels(.numbers(.short, "l")),
            61: .texels(.numbers(.byte, "l")), 85: .texels(.bits(2, [0xF800, 0x7E0, 0x1F, 0])),
            86: .texels(.bits(2, [0x7C00, 0x3E0, 0x1F, 0x8000])),
            115: .texels(.bits(2, [0xF00, 0xF0, 0xF, 0xF000])),
            81: .blocks(VI_BC4_SIGNED), 84: .blocks(VI_BC5_SIGNED), 96: .blocks(VI_BC6_SIGNED),
        ]
        let kinds = [
            (70...72, VI_BC1), (73...75, VI_BC2), (76...78, VI_BC3), (79...80, VI_BC4), (82...83, VI_BC5),
            (94...95, VI_BC6), (97...99, VI_BC7),
        ]
        for (numbers, kind) in kinds { for each in numbers { table[each] = .blocks(kind) } }
        for each in 27...29 { table[each] = .texels(.numbers(.byte, "rgba")) }
        for each in [87, 90, 91] { table[each] = .texels(.numbers(.byte, "bgra")) }
        for each in [88, 92, 93] { table[each] = .texels(.numbers(.byte, "bgrx")) }
        return table
    }()
}
