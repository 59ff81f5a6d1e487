import Glibc
import Testing
import VitrineKit
import VitrineTesting

@testable import ImageRenderer

// Textures in files of Khronos, and blocks of light.
extension ImageRendererTests {
    /// Blocks of random bits, one of each way, and the light of their pixels in parts of 255 as Pillow unpacks them: red first.
    private static let light = [
        (
            "e8b6f1621b3f34341c0808f3d9e9cfc0",
            "54d14b53d0473eb7484cd23f58d45753d14955e13c3aaa4d56d25058d4543aaa4d55e13c58d45453d0476eff3555e13c"
        ),
        (
            "1d061d69809a9923d86482a0236c3aac",
            "1b9436005b3e01463d005b3e3afd4bffffb3005b3e01463d7eff6cc3ff7b29c83e1f1b3858ff5b1b943658ff5bc3ff7b"
        ),
        (
            "82eccde156ac60938671305df521b427",
            "497e544d80574b7f564b7a4e4b7f564f83584b7b504b7a4e497e544b7f564b88584b7c514f83584b7a4e4b7e524b8858"
        ),
        (
            "66609bad16cc0965d46fdf1f8fb15f46",
            "1a313c1b333b192b3f1a2e3f1a2f3d1a2d3f192b3f1b323b1a2f3d1a2d3f1a2d3f1b343a1a2d3f192c3f1a2f3d1a303c"
        ),
        (
            "eaeae9fd35a685ca7b66f7a7d4081df0",
            "3ee71942e2163cec1c3cec1c3ee7183ced1c3cea1b41e3173ee8193ced1c3ceb1b41e3173ced1c3cee1c3fe51742e216"
        ),
        (
            "4ed97cea6d2f77a8f2c35cff5e52ca31",
            "32f5b93ae5943dde8335fd9842d6783dde8326ff981fff982bffdc2eff982aff9822ff9831ff981fff9831ff981dff98"
        ),
        (
            "b2ed34fa9637e178b57a3bab58a2c91d",
            "3844d6314eb6ff65c64b39bf3844d6ff76c83131bd3844d63844d67343c13131bd2859927343c1c155c41876585038ff"
        ),
        (
            "968d3ae8322480a2e5800e91b2e670fb",
            "5ca3ad489c8d1f53ff17bbff4f9e9869a7c463a5b93718f170a9cf63a5b95ca3ad489c8d76acda70a9cf70a9cf76acda"
        ),
        (
            "daedbc03af477f114e3e517046206b79",
            "58daff2d97449c486f5c7ee439b39245b0ff9c486f84557f9c486f76629f45b0ff76629f6a6fc084557f3ccaff84557f"
        ),
        (
            "de7b12b3ad9a42f85bec10d59d44967e",
            "e2ff2b93ff7a62ffff1a23ff1010ff1a23ff3db3ffffffda62ffff274cffffff91dcff76274cff52ff651dff54fffffd"
        ),
        (
            "23ba55d003ecc2d43479c525a466aabf",
            "6f00c16501b2341b693d0a78520394247d505203946f00c15b02a32e32604506814506812e32602e32601aff3b295158"
        ),
        (
            "27e9a545efec14a6a40dcb8a1ac621b7",
            "30476c1bba2717f71b37388a1ace2218e31e1bba271e8d341bba27343d7a23723f18e31e343d7a30476c207c391ace22"
        ),
        (
            "4b5430a93cb6d44dd14effa1632a2301",
            "3b2b282f1c192e1b183725212d1a172d1a173a2926311e1b38262335221f311e1b3928243826233928243a29263b2b28"
        ),
        (
            "0f336424382b1cf0dc54f487acdf947a",
            "3869c43969c43869c43869c43869c43969c43869c43869c43969c43869c43969c43969c43869c43869c43869c43869c4"
        ),
    ]

    /// The same of ETC2: numbers of Vulkan's formats, blocks, and pixels with their alpha as texture2ddecoder unpacks them.
    private static let etc = [
        (
            147, "f9f13148878dd13e",
            "f6f62affffff50ff7c0000ffb62e2effffff50ffffff50ff900808ffa21a1aff"
                + "e2e216ffffff3cff900808ffb62e2effe2e216fff6f62affa21a1aff7c0000ff"
        ),
        (
            147, "7643eaea4b3c37a5",
            "fff9ffff4413c0ff463de2ff8077ffffa271ffff000038ff463de2ff8077ffff"
                + "000038ffa271ffff8077ffff5a51f6ff4413c0fffff9ffff5a51f6ff6c63ffff"
        ),
        (
            147, "f348d53fcdd46eca",
            "bb4488ffdd5533ffdd5533ffbb4488ffff9573ffbb4488ffff9573ffff9573ff"
                + "dd5533ff9d1500ff9d1500ff9d1500ffff9573ff9d1500ff9d1500ffdd5533ff"
        ),
        (
            147, "ce0455eb37c3c563",
            "9fb0d2ffa4d70bff9fb0d2ffb5c6e8ff9fb0d2ff8ec100ffb5c6e8ffb5c6e8ff"
                + "a4d70bff9fb0d2ff9fb0d2ff8ec100ffa4d70bffb5c6e8ffa4d70bff8ec100ff"
        ),
        (
            147, "6dab06139d98cc73",
            "dbab92ffada8a1ff80a4b1ff52a1c0ffaa99a1ff7d95b1ff4f92c0ff218ecfff"
                + "7a87b1ff4c83c0ff1e80cfff007cdeff4974c0ff1b71cfff006ddeff006aeeff"
        ),
        (
            149, "ca894d08bffdad45",
            "c68442ff00000000c17714ff00000000ce8c4aff0000000000000000c17714ff"
                + "c68442ffc68442ffc17714ffde9431ff0000000000000000c17714ffc17714ff"
        ),
        (
            149, "eb2638f14296bba0",
            "772266ff00000000398effff398effff00000000398effff2d82f9ff398effff"
                + "00000000772266ff772266ff00000000772266ff2d82f9ff398effff398effff"
        ),
        (
            149, "941ccb2d693465ac",
            "4bc2c2ff00000000703d2cff4bc2c2ff4bc2c2ff703d2cff4bc2c2ff703d2cff"
                + "703d2cff4bc2c2ff007070ff703d2cff007070ff007070ff000000004bc2c2ff"
        ),
        (
            151, "d299cc1fc613d7c0b070d6cfffc8af5f",
            "ffddffffffddffff4b096cc09452b578ffddff78d694f7ff4b096cdb4b096cff"
                + "df9df0c08b499cc08b499cffa866b9c08b499ca5a866b9ff8b499cf68b499cc0"
        ),
    ]

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.map { Int($0) - ($0 > 0x39 ? 0x57 : 0x30) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func words(_ values: [Int]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    /// A file of KTX 2.0.
    private static func ktx2(
        _ format: Int, _ content: [UInt8], width: Int = 4, height: Int = 4, packing: Int = 0, words said: [UInt8] = []
    ) -> [UInt8] {
        let start = 104 + said.count
        return KTXPicture.newSignature + words([format, 1, width, height, 0, 0, 1, 1, packing, 0, 0, 104, said.count])
            + words([0, 0, 0, 0]) + words([start, 0, content.count, 0, content.count, 0]) + said + content
    }

    /// A file of KTX 1.1.
    private static func ktx(
        _ numbers: [Int], _ content: [UInt8], width: Int = 4, height: Int = 4, words said: [UInt8] = []
    ) -> [UInt8] {
        KTXPicture.signature + words([0x0403_0201, numbers[0], 1, numbers[1], numbers[2], numbers[1]])
            + words([width, height, 0, 0, 1, 1, said.count]) + said + words([content.count]) + content
    }

    private func pixels(_ file: [UInt8]) throws -> [UInt8] {
        RGBAPicture(try draw(file, mimeType: "image/ktx")).pixels
    }

    @Test("Each way to write a block of light is read, and shown as a screen writes light", arguments: light)
    func lightBlocks(block: String, light: String) throws {
        let made = try pixels(Self.ktx2(143, Self.bytes(block)))
        /// What sRGB writes (IEC 61966-2-1).
        func written(_ light: Int) -> Double {
            let light = Double(min(255, light)) / 255
            return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        }
        for (index, value) in Self.bytes(light).enumerated() {
            let found = Double(made[index / 3 * 4 + index % 3])
            #expect(written(Int(value)) - 1 <= found && found <= written(Int(value) + 1) + 1, "\(index)")
        }
        // The same in a texture of DirectX.
        var head = [Int](repeating: 0, count: 36)
        (head[0], head[2], head[3], head[18], head[19], head[20]) = (124, 4, 4, 32, 4, 0x3031_5844)
        (head[31], head[32], head[34]) = (95, 3, 1)
        let file = Array("DDS ".utf8) + Self.words(head) + Self.bytes(block)
        #expect(RGBAPicture(try draw(file, mimeType: "image/x-dds")).pixels == made)
    }

    @Test("Light with a sign is read, and what is darker than nothing is black")
    func signedLight() throws {
        // Ends of ten bits each: half of the light that there can be less than none, and none.
        var block = [UInt8](repeating: 0, count: 16)
        func put(_ value: Int, at: Int, count: Int) {
            for bit in 0..<count where value >> bit & 1 == 1 { block[(at + bit) / 8] |= 1 << UInt8((at + bit) % 8) }
        }
        put(3, at: 0, count: 5)
        for channel in 0..<3 { put(0x300, at: 5 + 10 * channel, count: 10) }
        #expect(
            try pixels(Self.ktx2(144, block)).enumerated().allSatisfy { $0.element == ($0.offset % 4 == 3 ? 255 : 0) })
        // The same bits without a sign are brighter than white.
        #expect(try pixels(Self.ktx2(143, block)).allSatisfy { $0 == 255 })
        // A number that is kept for later.
        #expect(try pixels(Self.ktx2(143, [0x13] + [UInt8](repeating: 9, count: 15))).contains(0))
    }

    @Test("Each way to write a block of ETC2 is read", arguments: etc)
    func blocksOfTelephones(format: Int, block: String, wanted: String) throws {
        #expect(try pixels(Self.ktx2(format, Self.bytes(block))) == Self.bytes(wanted))
        let older = [147: 0x9274, 149: 0x9276, 151: 0x9278][format] ?? 0
        #expect(try pixels(Self.ktx([0, 0, older], Self.bytes(block))) == Self.bytes(wanted))
    }

    @Test("What a block leaves out is a hole where its format has alpha, and black where it has none")
    func blocksWithoutAlpha() throws {
        // Blue, then red: the first is not the larger. The last of four numbers, then twice the first, for each row.
        let block: [UInt8] = [0x1F, 0, 0, 0xF8, 0x43, 0x43, 0x43, 0x43]
        for (format, older, alpha) in [(131, 0x83F0, 255), (132, 0x8C4C, 255), (133, 0x83F1, 0), (134, 0x8C4D, 0)] {
            let wanted = [0, 0, 0, UInt8(alpha), 0, 0, 255, 255]
            #expect(try pixels(Self.ktx2(format, block)).prefix(8) == wanted[...], "\(format)")
            #expect(try pixels(Self.ktx([0, 0, older], block)).prefix(8) == wanted[...], "\(older)")
        }
    }

    @Test("Values of eleven bits are read, one and two of them, with a sign and without one")
    func values() throws {
        // A base, a factor and a table, and the first of its steps for all pixels.
        let block: [UInt8] = [100, 0x1D] + [UInt8](repeating: 0, count: 6)
        #expect(try pixels(Self.ktx2(153, block)).prefix(4) == [99, 99, 99, 255])
        #expect(try pixels(Self.ktx2(154, block)).prefix(4) == [226, 226, 226, 255])
        #expect(try pixels(Self.ktx2(155, block + block)).prefix(4) == [99, 99, 248, 255])
        #expect(try pixels(Self.ktx2(156, block + block)).prefix(4) == [226, 226, 128, 255])
    }

    @Test("Pixels that stand by themselves are read as numbers of every size, row by row")
    func plainPixels() throws {
        let two: [UInt8] = [255, 0, 0, 255, 0, 128, 0, 64]
        #expect(try pixels(Self.ktx2(37, two, width: 2, height: 1)) == two)
        #expect(try pixels(Self.ktx2(44, two, width: 2, height: 1)).prefix(4) == [0, 0, 255, 255])
        #expect(try pixels(Self.ktx2(9, [7, 8], width: 2, height: 1)) == [7, 7, 7, 255, 8, 8, 8, 255])
        #expect(try pixels(Self.ktx2(16, [7, 8], width: 1, height: 1)) == [7, 8, 0, 255])
        #expect(try pixels(Self.ktx2(4, [0x1F, 0xF8], width: 1, height: 1)) == [255, 0, 255, 255])
        // Half as much light as white has, as a fraction of 16 and of 32 bits; more than white; no number.
        #expect(
            try pixels(Self.ktx2(97, [0, 0x38, 0, 0x44, 0, 0x7E, 0, 0x38], width: 1, height: 1)) == [188, 255, 0, 128])
        #expect(try pixels(Self.ktx2(100, [0, 0, 0, 0x3F], width: 1, height: 1)) == [188, 188, 188, 255])
        #expect(try pixels(Self.ktx2(70, [0xFF, 0x7F], width: 1, height: 1)) == [127, 127, 127, 255])
        // Rows of the older kind are filled up to four bytes.
        let rows: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0]
        #expect(
            try pixels(Self.ktx([0x1401, 0x1907, 0x8051], rows, width: 1, height: 2)) == [1, 2, 3, 255, 4, 5, 6, 255])
        // Four or five bits of each channel, the first of them highest.
        func packed(_ type: Int, _ format: Int, _ value: Int) throws -> [UInt8] {
            let bytes = [UInt8(value & 255), UInt8(value >> 8), 0, 0]
            return try pixels(Self.ktx([type, format, 0x8056], bytes, width: 1, height: 1))
        }
        #expect(try packed(0x8033, 0x1908, 0xF128) == [255, 17, 34, 136])
        #expect(try packed(0x8033, 0x80E1, 0xF128) == [34, 17, 255, 136])
        #expect(try packed(0x8034, 0x80E1, 0xF801) == [0, 0, 255, 255])
        #expect(try packed(0x8363, 0x1907, 0xF800) == [255, 0, 0, 255])
        for (type, format) in [(0x8363, 0x1908), (0x8033, 0x1907), (0x8034, 0x1903), (0x8033, 0)] {
            let error = #expect(throws: PluginError.self) { try packed(type, format, 0) }
            #expect(error?.code == .unsupported)
        }
        let up = Self.words([27]) + Array("KTXorientation\0S=r,T=u\0\0\0".utf8)
        #expect(
            try pixels(Self.ktx([0x1401, 0x1907, 0x8051], rows, width: 1, height: 2, words: up)) == [
                4, 5, 6, 255, 1, 2, 3, 255,
            ])
    }

    @Test("What is packed once more is unpacked, no more of it than the picture has")
    func packedPixels() throws {
        let wanted = [UInt8](repeating: 9, count: 64)
        // A frame of one block that says a byte 64 times; a stream of one block that is not packed.
        let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 64, 0x03, 0x02, 0, 9]
        #expect(try pixels(Self.ktx2(37, zstd, packing: 2)) == wanted)
        let zlib: [UInt8] = [0x78, 1, 1, 64, 0, 0xBF, 0xFF] + wanted
        #expect(try pixels(Self.ktx2(37, zlib, packing: 3)) == wanted)
        for (file, code) in [
            (Self.ktx2(37, Array(zstd.dropLast()), packing: 2), PluginError.Code.corrupt),
            (Self.ktx2(37, wanted, packing: 2), .corrupt), (Self.ktx2(37, [], packing: 3), .corrupt),
            (Self.ktx2(109, zstd, width: 7000, height: 9000, packing: 2), .limitExceeded),
            (Self.ktx2(0, wanted, packing: 1), .unsupported), (Self.ktx2(157, wanted), .unsupported),
            (Self.ktx2(37, wanted, width: 5), .corrupt), (Self.ktx2(37, wanted, width: 0), .corrupt),
            (Self.ktx2(37, wanted, width: -1, height: -1), .limitExceeded),
            (Array(Self.ktx([0x1401, 0x1908, 0x8058], wanted).dropLast()), .corrupt),
            (Self.ktx([0x1400, 0x1908, 0x8058], wanted), .unsupported), (KTXPicture.newSignature, .corrupt),
        ] as [([UInt8], PluginError.Code)] {
            let error = #expect(throws: PluginError.self) { try pixels(file) }
            #expect(error?.code == code, "\(String(describing: error))")
        }
    }
}
