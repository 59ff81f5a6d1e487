internal import CImageCodecs

/// How pixels are written, by the numbers of OpenGL and of Vulkan.
enum KTXLayouts {
    /// - Parameters:
    ///   - type: `glType`, 0 for blocks.
    ///   - format: `glFormat`.
    ///   - inside: `glInternalFormat`, which names blocks.
    static func old(type: Int, format: Int, inside: Int) -> Texture.Layout? {
        guard type != 0 else { return blocks[inside].map { .blocks($0) } }
        if let masks = packed[type] { return packed(masks, orders[format]).map { .texels($0) } }
        guard let number = numbers[type], let order = orders[format] else { return nil }
        return .texels(.numbers(number, order))
    }

    private static let numbers: [Int: Texel.Number] = [
        0x1401: .byte, 0x1403: .short, 0x140B: .half, 0x8D61: .half, 0x1406: .float,
    ]

    /// GL_RED, GL_RG, GL_RGB, GL_RGBA, GL_BGR, GL_BGRA, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA.
    private static let orders = [
        0x1903: "l", 0x8227: "rg", 0x1907: "rgb", 0x1908: "rgba", 0x80E0: "bgr", 0x80E1: "bgra", 0x1906: "a",
        0x1909: "l",
        0x190A: "la",
    ]

    /// Pixels of 16 bits, whose first channel has the highest of them.
    /// - Returns: `nil` where the order has not as many channels as there are masks, or is another one.
    private static func packed(_ masks: [UInt32], _ order: String?) -> Texel? {
        switch (order, masks[3] != 0) {
        case ("rgb", false), ("rgba", true): .bits(2, masks)
        case ("bgra", true): .bits(2, [masks[2], masks[1], masks[0], masks[3]])
        default: nil
        }
    }

    /// GL_UNSIGNED_SHORT_5_6_5, _4_4_4_4 and _5_5_5_1: red, green, blue and alpha.
    private static let packed: [Int: [UInt32]] = [
        0x8363: [0xF800, 0x7E0, 0x1F, 0], 0x8033: [0xF000, 0xF00, 0xF0, 0xF], 0x8034: [0xF800, 0x7C0, 0x3E, 1],
    ]

    private static let blocks: [Int: vi_kind] = [
        // S3TC, and in sRGB; RGTC; BPTC.
        0x83F0: VI_BC1, 0x83F1: VI_BC1, 0x83F2: VI_BC2, 0x83F3: VI_BC3, 0x8C4C: VI_BC1, 0x8C4D: VI_BC1,
        0x8C4E: VI_BC2, 0x8C4F: VI_BC3, 0x8DBB: VI_BC4, 0x8DBC: VI_BC4_SIGNED, 0x8DBD: VI_BC5,
        0x8DBE: VI_BC5_SIGNED, 0x8E8C: VI_BC7, 0x8E8D: VI_BC7, 0x8E8E: VI_BC6_SIGNED, 0x8E8F: VI_BC6,
        // ETC1, EAC, ETC2.
        0x8D64: VI_ETC, 0x9270: VI_EAC, 0x9271: VI_EAC_SIGNED, 0x9272: VI_EAC_TWO, 0x9273: VI_EAC_TWO_SIGNED,
        0x9274: VI_ETC, 0x9275: VI_ETC, 0x9276: VI_ETC_CUT, 0x9277: VI_ETC_CUT, 0x9278: VI_ETC_ALPHA,
        0x9279: VI_ETC_ALPHA,
    ]

    /// Formats of OpenGL whose blocks have an alpha that is not meant: GL_COMPRESSED_RGB_S3TC_DXT1 and the same in sRGB.
    /// What others leave out is black in them.
    static let opaque: Set = [0x83F0, 0x8C4C]
    /// The same of Vulkan: VK_FORMAT_BC1_RGB_UNORM_BLOCK and VK_FORMAT_BC1_RGB_SRGB_BLOCK.
    static let newOpaque: Set = [131, 132]

    /// - Parameter format: of `VkFormat`.
    static func new(_ format: Int) -> Texture.Layout? { table[format] }

    private static let table: [Int: Texture.Layout] = {
        var table: [Int: Texture.Layout] = [
            4: .texels(.bits(2, [0xF800, 0x7E0, 0x1F, 0])),
            64: .texels(.bits(4, [0x3FF, 0xFFC00, 0x3FF0_0000, 0xC000_0000])),
        ]
        let plain: [(Int, Texel.Number, String)] = [
            (9, .byte, "l"), (16, .byte, "rg"), (23, .byte, "rgb"), (30, .byte, "bgr"), (37, .byte, "rgba"),
            (44, .byte, "bgra"),
        ]
        // The same in sRGB is six further on.
        for (first, number, order) in plain {
            for each in [first, first + 6] { table[each] = .texels(.numbers(number, order)) }
        }
        let wide: [(Int, Texel.Number, String)] = [
            (70, .short, "l"), (77, .short, "rg"), (84, .short, "rgb"), (91, .short, "rgba"), (76, .half, "l"),
            (83, .half, "rg"),
            (90, .half, "rgb"), (97, .half, "rgba"), (100, .float, "l"), (103, .float, "rg"), (106, .float, "rgb"),
            (109, .float, "rgba"),
        ]
        for (each, number, order) in wide { table[each] = .texels(.numbers(number, order)) }
        let kinds = [
            (131...134, VI_BC1), (135...136, VI_BC2), (137...138, VI_BC3), (139...139, VI_BC4),
            (140...140, VI_BC4_SIGNED),
            (141...141, VI_BC5), (142...142, VI_BC5_SIGNED), (143...143, VI_BC6), (144...144, VI_BC6_SIGNED),
            (145...146, VI_BC7), (147...148, VI_ETC), (149...150, VI_ETC_CUT), (151...152, VI_ETC_ALPHA),
            (153...153, VI_EAC), (154...154, VI_EAC_SIGNED), (155...155, VI_EAC_TWO), (156...156, VI_EAC_TWO_SIGNED),
        ]
        for (numbers, kind) in kinds { for each in numbers { table[each] = .blocks(kind) } }
        return table
    }()
}
