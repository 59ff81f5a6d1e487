import Testing
import VitrineKit

@testable import JPEGRenderer

/// What is said of files that hold no picture which the decoder knows.
@Suite struct JPEGHeaderTests {
    /// A frame's segment behind its mark: length, bits, height, width, and what is stored.
    private static func frame(_ mark: UInt8, bits: UInt8 = 8, height: UInt8 = 2, colours: UInt8 = 1) -> [UInt8] {
        let parts = (0..<colours).flatMap { (number: UInt8) -> [UInt8] in [number, 0x11, 0] }
        return [0xFF, mark, 0, 8 + 3 * colours, bits, 0, height, 0, 2, colours] + parts
    }

    private static let start: [UInt8] = [0xFF, 0xD8]
    private static let end: [UInt8] = [0xFF, 0xD9]
    private static let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 0, 0, 0, 63, 0]
    private static let camera: [UInt8] = [0xFF, 0xE1, 0, 10] + Array("Exif\0\0ab".utf8)

    /// A segment of a camera that says how the picture has to be turned.
    private static func turned(_ orientation: UInt8) -> [UInt8] {
        let directory: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        return [0xFF, 0xE1, 0, 34] + Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
    }

    @Test("Of two cameras that say how the picture has to be turned, the first one counts")
    func orientations() throws {
        let bytes = Self.start + Self.turned(6) + Self.turned(3) + Self.frame(0xC0) + Self.scan + Self.end
        let header = try bytes.withUnsafeBytes { try JPEGHeader($0) }
        #expect(header.orientation == Orientation(exif: 6))
    }

    private func error(_ bytes: [UInt8]) throws -> PluginError {
        let renderer = try JPEGRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        let error = #expect(throws: PluginError.self) {
            try renderer.render(BytesInput(bytes), RenderRequest(box: 64, mimeType: "image/jpeg"))
        }
        return try #require(error)
    }

    @Test(
        "It is said why there is no picture",
        arguments: [
            (Array("JFIF as text".utf8), PluginError.Code.corrupt, "does not begin like one"),
            (start + camera + end, .empty, "no picture in it"),
            (start + camera, .corrupt, "cut off before its picture begins"),
            (start + camera + scan + end, .corrupt, "how large it is"),
            (start + frame(0xC0, height: 0) + scan + end, .corrupt, "no size"),
            (start + frame(0xC0) + scan, .corrupt, "cut off where its picture begins"),
            (start + frame(0xC2) + scan, .corrupt, "cut off where its picture begins"),
            (start + frame(0xC0, colours: 0) + scan + end, .corrupt, "no colours"),
        ])
    func lack(bytes: [UInt8], code: PluginError.Code, words: String) throws {
        let error = try error(bytes)
        #expect(error.code == code && error.message.contains(words), "\(error)")
    }

    @Test(
        "It is said which variety the decoder does not know",
        arguments: [
            (frame(0xC1, bits: 12), "has 12 bits a sample"), (frame(0xC3), "compressed without loss"),
            (frame(0xC5), "differences"), (frame(0xC0, colours: 2), "has 2 colours"),
        ])
    func varieties(frame: [UInt8], words: String) throws {
        let error = try error(Self.start + frame + Self.scan + Self.end)
        #expect(error.code == .unsupported && error.message.contains(words), "\(error)")
    }
}
