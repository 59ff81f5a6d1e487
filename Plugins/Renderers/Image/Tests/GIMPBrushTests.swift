import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

// Brushes and patterns of GIMP.
extension ImageRendererTests {
    private static func big(_ values: [Int]) -> [UInt8] {
        values.flatMap { RendererFixtures.big($0, 4) }
    }

    /// A file of two pixels, one above the other.
    private static func file(
        _ word: String, version: Int = 2, width: Int = 1, height: Int = 2, channels: Int, _ content: [UInt8]
    ) -> [UInt8] {
        var behind = Array(word.utf8)
        if word == "GIMP" { behind += big([10]) }
        behind += Array("name".utf8) + [0]
        return big([20 + behind.count, version, width, height, channels]) + behind + content
    }

    private func colours(_ file: [UInt8], _ type: String) throws -> [UInt8] {
        RGBAPicture(try draw(file, mimeType: type)).pixels
    }

    @Test("Patterns of grey and colours, with alpha and without, are read")
    func patterns() throws {
        let type = "image/x-gimp-pat"
        for (channels, content, wanted) in [
            (1, [7, 200], [7, 7, 7, 255, 200, 200, 200, 255]),
            (2, [7, 255, 200, 40], [7, 7, 7, 255, 200, 200, 200, 40]),
            (3, [1, 2, 3, 4, 5, 6], [1, 2, 3, 255, 4, 5, 6, 255]),
            (4, [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]),
        ] as [(Int, [UInt8], [UInt8])] {
            let file = Self.file("GPAT", version: 1, channels: channels, content)
            #expect(try colours(file, type) == wanted)
            #expect(try draw(file, mimeType: type).facts.size == PixelSize(width: 1, height: 2))
            let error = #expect(throws: PluginError.self) { try draw(file.dropLast(), mimeType: type) }
            #expect(error?.code == .corrupt)
        }
    }

    @Test("A brush of one channel is black on white, as is one of the first version, others have colours")
    func brushes() throws {
        let type = "image/x-gimp-gbr"
        let ink: [UInt8] = [255, 255, 255, 255, 55, 55, 55, 255]
        #expect(try colours(Self.file("GIMP", channels: 1, [0, 200]), type) == ink)
        #expect(try colours(Self.file("", version: 1, channels: 1, [0, 200]), type) == ink)
        let pixels: [UInt8] = [1, 2, 3, 255, 5, 6, 7, 8]
        let coloured = Self.file("GIMP", channels: 4, pixels)
        #expect(try colours(coloured, type) == pixels)
        // Several of them, of which one is drawn; the name looks like another format.
        let several = Array("BM and GIF87a\n2 ncells:2\n".utf8) + coloured + Self.file("GIMP", channels: 1, [0, 0])
        #expect(try colours(several, "image/x-gimp-gih") == pixels)
    }

    @Test("Brushes and patterns that claim what is not there are refused")
    func brokenBrushes() throws {
        let wrong: [([UInt8], String, PluginError.Code)] = [
            (Self.file("GIMP", width: 1 << 16, height: 1 << 16, channels: 1, []), "image/x-gimp-gbr", .limitExceeded),
            (Self.file("GIMP", width: 1 << 31, height: 1 << 31, channels: 4, []), "image/x-gimp-gbr", .limitExceeded),
            (Self.file("GIMP", width: 0, channels: 1, []), "image/x-gimp-gbr", .empty),
            (Self.file("GIMP", channels: 18, [1, 2]), "image/x-gimp-gbr", .unsupported),
            (Self.file("GPAT", version: 1, channels: 5, [1, 2]), "image/x-gimp-pat", .unsupported),
            (Self.file("GPAT", version: 9, channels: 1, [1, 2]), "image/x-gimp-pat", .corrupt),
            (Self.big([1 << 31, 2, 1, 1, 1]) + "GIMP1234".utf8, "image/x-gimp-gbr", .corrupt),
            (Self.big([20, 2, 1, 1, 1]) + "GIMP1234".utf8, "image/x-gimp-gbr", .corrupt),
            (Array("G04 a board of circuits*".utf8), "image/x-gimp-gbr", .corrupt),
            (Array("name\n".utf8), "image/x-gimp-gih", .corrupt),
            (Array("name\n1\n".utf8), "image/x-gimp-gih", .corrupt),
            (Array("name\nno number\n".utf8), "image/x-gimp-gih", .corrupt),
        ]
        for (bytes, type, code) in wrong {
            let error = #expect(throws: PluginError.self) { try draw(bytes, mimeType: type) }
            #expect(error?.code == code, "\(String(describing: error))")
        }
    }
}
