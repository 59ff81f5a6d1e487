import PictureTraits
import Testing

@Suite struct PNGChunksTests {
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [1, 2, 3, 4]
    }

    private static let file =
        [UInt8](repeating: 9, count: 8) + chunk("IHDR", [1, 2]) + chunk("gAMA", []) + chunk("IDAT", [7])
        + chunk("eXIf", [5, 6])

    @Test("Chunks are found in their order, with where they lie") func order() {
        Self.file.withUnsafeBytes { file in
            let chunks = Array(PNGChunks(file))
            #expect(chunks.map(\.name) == ["IHDR", "gAMA", "IDAT", "eXIf"])
            #expect(chunks.map(\.range) == [8..<22, 22..<34, 34..<47, 47..<61])
            #expect(chunks.map(\.content) == [16..<18, 30..<30, 42..<43, 55..<57])
            #expect(chunks.allSatisfy { $0.isWhole })
            #expect(PNGChunks(file).beforePixels.map(\.name) == ["IHDR", "gAMA"])
            #expect(PNGChunks.camera(file).map(Array.init) == [5, 6])
        }
    }

    @Test("Of a file that is cut off anywhere, nothing is said to lie behind its end") func cut() {
        for length in 0..<Self.file.count {
            Self.file.prefix(length).withUnsafeBytes { file in
                let chunks = Array(PNGChunks(file))
                #expect(chunks.allSatisfy { $0.range.upperBound <= length && $0.content.upperBound <= length })
                #expect(chunks.dropLast().allSatisfy { $0.isWhole }, "\(length)")
                #expect(chunks.filter(\.isWhole).count == [22, 34, 47, 61].count { $0 <= length }, "\(length)")
            }
        }
        let huge = [UInt8](repeating: 9, count: 8) + [255, 255, 255, 255] + Array("eXIf".utf8) + [1, 2, 3, 4]
        huge.withUnsafeBytes { file in
            #expect(PNGChunks(file).map(\.length) == [0xFFFF_FFFF])
            #expect(PNGChunks.camera(file).map(Array.init) == [1, 2, 3, 4])
        }
    }
}
