import Testing
import VitrineKit
import VitrineTesting

// Textures of graphics cards (DDS).
extension ImageRendererTests {
    /// A texture of one block, or of pixels.
    private func texture(
        _ format: UInt32, _ content: [UInt8], side: UInt32 = 4, fourCC: String = "DX10", flags: UInt32 = 4,
        bits: UInt32 = 0, masks: [UInt32] = [], alpha: UInt32 = 0
    ) -> [UInt8] {
        var words = [UInt32](repeating: 0, count: 36)
        (words[0], words[1], words[2], words[3]) = (124, 0x1007, side, side)
        (words[18], words[19], words[21]) = (32, flags, bits)
        words[20] = fourCC.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        if bits == 16 { (words[22], words[25]) = (0xFF, 0xFF00) }
        for (index, mask) in masks.enumerated() { words[22 + index] = mask }
        (words[31], words[32], words[34], words[35]) = (format, 3, 1, alpha)
        if fourCC != "DX10" { words.removeLast(5) }
        let head = Array("DDS ".utf8) + words.flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 0xFF) } }
        return head + content
    }

    private func pixel(_ file: [UInt8], x: Int = 0, y: Int = 0) throws -> [Int] {
        let pixel = RGBAPicture(try draw(file, mimeType: "image/x-dds")).pixel(x: x, y: y)
        return [pixel.red, pixel.green, pixel.blue, pixel.alpha].map(Int.init)
    }

    @Test("The channels of a texture's pixels lie where it says")
    func maskedTextures() throws {
        func pixels(_ content: [UInt8], _ bits: UInt32, _ masks: [UInt32]) throws -> [Int] {
            let flags: UInt32 = masks.count > 3 ? 0x41 : 0x40
            let content = (0..<4).flatMap { _ in content }
            return try pixel(texture(0, content, side: 2, fourCC: "", flags: flags, bits: bits, masks: masks))
        }
        #expect(try pixels([1, 2, 3, 4], 32, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]) == [1, 2, 3, 4])
        #expect(try pixels([1, 2, 3, 4], 32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]) == [3, 2, 1, 4])
        #expect(try pixels([1, 2, 3, 4], 32, [0xFF, 0xFF00, 0xFF_0000]) == [1, 2, 3, 255])
        #expect(try pixels([3, 2, 1], 24, [0xFF_0000, 0xFF00, 0xFF]) == [1, 2, 3, 255])
        #expect(try pixels([0x1F, 0x80], 16, [0x7C00, 0x3E0, 0x1F, 0]) == [0, 0, 255, 255])
        #expect(try pixels([0xE3], 8, [0xE0, 0x1C, 3]) == [255, 0, 255, 255])
        #expect(try pixels([0xFF, 3, 0, 0x40], 32, [0x3FF, 0xF_FC00, 0x3FF0_0000, 0xC000_0000]) == [255, 0, 0, 85])
        let short = texture(0, [1, 2, 3], side: 2, fourCC: "", flags: 0x40, bits: 32, masks: [1, 2, 4])
        #expect(throws: PluginError.self) { try draw(short, mimeType: "image/x-dds") }
    }

    @Test("Every way of blocks and pixels of a texture is read")
    func textures() throws {
        // Red and blue of 5 bits, the second of them for all pixels but the first.
        let colours: [UInt8] = [0x00, 0xF8, 0x1F, 0x00, 0x54, 0x55, 0x55, 0x55]
        #expect(try pixel(texture(71, colours)) == [255, 0, 0, 255])
        #expect(try pixel(texture(71, colours), x: 1) == [0, 0, 255, 255])
        let alpha: [UInt8] = [0x0F] + [UInt8](repeating: 0x88, count: 7)
        #expect(try pixel(texture(74, alpha + colours)) == [255, 0, 0, 255])
        #expect(try pixel(texture(74, alpha + colours), x: 1) == [0, 0, 255, 0])
        let values: [UInt8] = [200, 100, 1, 0, 0, 0, 0, 0]
        #expect(try pixel(texture(77, values + colours)) == [255, 0, 0, 100])
        for file in [texture(80, values), texture(0, values, fourCC: "ATI1")] {
            #expect(try pixel(file) == [100, 100, 100, 255] && pixel(file, x: 1) == [200, 200, 200, 255])
        }
        for file in [texture(83, values + values), texture(0, values + values, fourCC: "ATI2")] {
            // 55 of 255 to the left and up, so that most of it leads out of the surface.
            #expect(try pixel(file) == [100, 100, 249, 255])
        }
        let signed: [UInt8] = [127, 0x81, 1, 0, 0, 0, 0, 0]
        #expect(try pixel(texture(81, signed)) == [0, 0, 0, 255])
        #expect(try pixel(texture(84, signed + signed), x: 1) == [255, 255, 128, 255])
        let flat: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        #expect(try pixel(texture(84, flat + flat)) == [127, 127, 255, 255])
        #expect(try pixel(texture(84, signed + flat), x: 1) == [255, 127, 128, 255])
        let four: [UInt8] = [1, 2, 3, 4] + [UInt8](repeating: 9, count: 12)
        #expect(try pixel(texture(28, four, side: 2)) == [1, 2, 3, 4])
        #expect(try pixel(texture(87, four, side: 2)) == [3, 2, 1, 4])
        #expect(try pixel(texture(88, four, side: 2)) == [3, 2, 1, 255])
        // Multiplied by their alpha, without one, and with something else in its place.
        let half: [UInt8] = [64, 0, 128, 128] + [UInt8](repeating: 0, count: 12)
        #expect(try pixel(texture(28, half, side: 2, alpha: 2)) == [128, 0, 255, 128])
        #expect(try pixel(texture(28, half, side: 2, alpha: 1)) == [64, 0, 128, 128])
        for other: UInt32 in [3, 4] {
            #expect(try pixel(texture(28, half, side: 2, alpha: other)) == [64, 0, 128, 255])
        }
        #expect(try pixel(texture(74, alpha + colours, alpha: 3), x: 1) == [0, 0, 255, 255])
        #expect(try pixel(texture(0, four, side: 2, fourCC: "\0\0\0\0", flags: 0x20001, bits: 16)) == [1, 1, 1, 2])
        #expect(
            try pixel(texture(0, four, side: 2, fourCC: "\0\0\0\0", flags: 0x20000, bits: 8), x: 1) == [2, 2, 2, 255])
        // No mode is nothing.
        #expect(try pixel(texture(98, [UInt8](repeating: 0, count: 16))) == [0, 0, 0, 0])
        #expect(throws: PluginError.self) { try pixel(texture(98, [64] + four, side: 5)) }
        #expect(throws: PluginError.self) { try pixel(texture(98, [64] + four, side: 1 << 31)) }
    }

    @Test(
        "Each mode of BC7 is read, with parts, and with alpha in the place of a colour",
        arguments: [
            (
                [0x54E9_BC8A_5CD6_871B, 0x6513_2704_D3C1_A6FE],
                [
                    0x8C29_7BFF, 0xADD8_E1FF, 0x9B98_57FF, 0x88AC_60FF, 0x663A_8DFF, 0x6A78_65FF, 0x63D6_73FF,
                    0xAF80_4DFF,
                    0x663A_8DFF, 0x6A78_65FF, 0xD457_3AFF, 0xAF80_4DFF, 0x8C29_7BFF, 0x9DC1_C3FF, 0xAF80_4DFF,
                    0x76C1_6AFF,
                ]
            ),
            (
                [0x5C7F_D0A6_A3A4_50B6, 0xD23F_0812_8B2F_330C],
                [
                    0x445E_96FF, 0x4372_8AFF, 0xAD8F_46FF, 0xD7D5_9AFF, 0xC1B1_6FFF, 0xD7D5_9AFF, 0x4372_8AFF,
                    0x429B_72FF,
                    0xC1B1_6FFF, 0xEBF7_C3FF, 0x451E_BBFF, 0x460A_C7FF, 0x4387_7EFF, 0x4372_8AFF, 0xD7D5_9AFF,
                    0xCDC4_86FF,
                ]
            ),
            (
                [0x31D0_2312_5F20_572C, 0x9531_98BB_3B93_F030],
                [
                    0x3F26_51FF, 0xFF39_CEFF, 0x4769_91FF, 0x5A31_08FF, 0xB63C_9DFF, 0x6E4C_C1FF, 0x231B_9EFF,
                    0x6A3F_6AFF,
                    0x9431_EFFF, 0x231B_9EFF, 0x6A3F_6AFF, 0x9431_EFFF, 0x3F26_51FF, 0x6A3F_6AFF, 0x6E4C_C1FF,
                    0x231B_9EFF,
                ]
            ),
            (
                [0x8976_503B_6411_D558, 0x36F6_7607_9D3B_D7A3],
                [
                    0xA377_D2FF, 0xEA80_D0FF, 0xEA80_D0FF, 0xEA80_D0FF, 0xEDE3_75FF, 0x586E_D5FF, 0x1165_D7FF,
                    0xEA80_D0FF,
                    0xD56A_76FF, 0xD56A_76FF, 0x1165_D7FF, 0x1165_D7FF, 0xE1A8_76FF, 0xD56A_76FF, 0xEDE3_75FF,
                    0xEA80_D0FF,
                ]
            ),
            (
                [0x00A3_5A09_9950_D8D0, 0x6B0D_546F_0367_5A16],
                [
                    0x87A2_859E, 0x70A2_6A9B, 0x5BB3_5299, 0xB1B3_B6A3, 0xC6A2_CEA5, 0x46A2_3996, 0x87A2_859E,
                    0x87A2_859E,
                    0x70D7_6A9B, 0x9CC6_9DA0, 0x5BA2_5299, 0x46A2_3996, 0xC6B3_CEA5, 0x46D7_3996, 0x9CC6_9DA0,
                    0x87C6_859E,
                ]
            ),
            (
                [0x9C17_2411_E20B_8F30, 0x8D11_6E17_38F7_D93D],
                [
                    0x7B16_BC9E, 0xB81B_7DC4, 0x7B10_F77B, 0x9110_F77B, 0x7B1B_7DC4, 0xB821_42E7, 0xA410_F77B,
                    0x4121_42E7,
                    0xB81B_7DC4, 0xA421_42E7, 0xA416_BC9E, 0x411B_7DC4, 0x5410_F77B, 0x6821_42E7, 0x7B1B_7DC4,
                    0x9121_42E7,
                ]
            ),
            (
                [0x21DD_B66C_AD4A_26E0, 0x90C1_92D3_AC94_AF0F],
                [
                    0x408A_92AD, 0x408A_77AD, 0x4C6A_92CD, 0x34AB_C88C, 0x28CB_AD6C, 0x408A_77AD, 0x408A_92AD,
                    0x408A_ADAD,
                    0x34AB_928C, 0x34AB_778C, 0x4C6A_77CD, 0x408A_C8AD, 0x34AB_778C, 0x408A_77AD, 0x408A_92AD,
                    0x28CB_AD6C,
                ]
            ),
            (
                [0x4608_2E8F_D8BE_11C0, 0xA170_B31C_9318_2CF9],
                [
                    0x73A8_7D2B, 0xF1FB_178D, 0xCEE4_3372, 0x5E9A_8E1B, 0xA1C6_584F, 0x5191_9910, 0x69A1_8623,
                    0xACCD_4F57,
                    0xCEE4_3372, 0x5191_9910, 0x69A1_8623, 0xC4DD_3C6A, 0x468A_A208, 0x96BF_6146, 0x5191_9910,
                    0xB9D6_4561,
                ]
            ),
            (
                [0xD23C_6827_DDAD_7480, 0x0FD6_3CA7_436A_654F],
                [
                    0xAD5E_74C0, 0xEF34_7DB6, 0xF274_707E, 0xAD5E_74C0, 0xF4B7_6244, 0xF7F7_550C, 0xAD5E_74C0,
                    0xAE4D_45CF,
                    0xF7F7_550C, 0xAB71_A4B1, 0xAB71_A4B1, 0xF7F7_550C, 0xAA82_D3A2, 0xAD5E_74C0, 0xEF34_7DB6,
                    0xEF34_7DB6,
                ]
            ),
        ] as [([UInt64], [UInt32])])
    func blocks(block: [UInt64], wanted: [UInt32]) throws {
        // Blocks of random bits, and their pixels as Pillow unpacks them: red first.
        let bytes = block.flatMap { half in (0..<8).map { UInt8(half >> ($0 * 8) & 0xFF) } }
        let picture = RGBAPicture(try draw(texture(98, bytes), mimeType: "image/x-dds"))
        #expect(picture.pixels == wanted.flatMap { pixel in [24, 16, 8, 0].map { UInt8(pixel >> $0 & 0xFF) } })
    }
}
