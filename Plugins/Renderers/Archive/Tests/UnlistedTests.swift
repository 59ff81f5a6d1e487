import Testing
import VitrineKit

@testable import ArchiveRenderer

@Suite("What has no list for another reason than that nothing is in it", .serialized) struct UnlistedTests {
    private static func failure(_ bytes: [UInt8], _ type: String = "application/vnd.rar") -> PluginError? {
        do throws(PluginError) {
            let renderer = try ArchiveRenderer(RendererEnvironment(pluginFolder: "/"))
            _ = try renderer.render(BytesInput(bytes), RenderRequest(box: 64, mimeType: type))
            return nil
        } catch { return error }
    }

    /// Signature, main header, end: each header with its checksum in front.
    private static let newer: [UInt8] =
        [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 1, 0, 0xED, 0x55, 0x34, 0xD7, 4, 1, 0, 3, 1]
        + [0x8F, 0x82, 0x3D, 0x42, 3, 5, 0, 1]
    private static let older: [UInt8] =
        [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0, 0xF1, 0xFB, 0x73, 1, 0, 13, 0, 0, 0, 0, 0, 0, 0]
        + [0xC4, 0x3D, 0x7B, 0, 0x40, 7, 0]

    @Test("A part of a RAR archive in which no file begins says which part it is")
    func laterVolumes() {
        #expect(Self.failure(Self.newer)?.code == .unsupported)
        #expect(Self.failure(Self.newer)?.message.contains("part 2 of an archive") == true)
        #expect(Self.failure(Self.older)?.code == .unsupported)
        #expect(Self.failure(Self.older)?.message.contains("a later part of an archive") == true)
        // With data behind the header, and a number of two bytes.
        let head = Array(Self.newer[..<12]) + [14, 1, 5, 8, 3, 0x81, 2]
        #expect(LaterVolume.reason(head)?.message.contains("part 258 of") == true)
        for count in 0..<head.count { #expect(LaterVolume.reason(Array(head[..<count])) == nil, "\(count)") }
        #expect(LaterVolume.reason(Array(Self.newer[..<12]) + [UInt8](repeating: 0xFF, count: 60)) == nil)
    }

    @Test("First parts and whole archives with nothing in them are empty")
    func firstVolumes() {
        let first: [UInt8] =
            [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 1, 0, 0x53, 0x2A, 0x34, 0x45, 3, 1, 0, 1]
            + [0x8F, 0x82, 0x3D, 0x42, 3, 5, 0, 1]
        let olderFirst: [UInt8] =
            [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07, 0, 0xB2, 0xEF, 0x73, 1, 1, 13, 0, 0, 0, 0, 0, 0, 0]
            + [0xC4, 0x3D, 0x7B, 0, 0x40, 7, 0]
        #expect(Self.failure(first)?.code == .empty && Self.failure(olderFirst)?.code == .empty)
    }

    /// RFC 1952 around one block that is not packed, with the bytes' own checksum left out, which nobody compares.
    private static func gzip(_ text: String) -> [UInt8] {
        let size = UInt16(text.utf8.count)
        let length = [UInt8(truncatingIfNeeded: size), UInt8(size >> 8)]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + length + length.map { ~$0 } + Array(text.utf8)
            + [0, 0, 0, 0] + length + [0, 0]
    }

    @Test("A packed file that programs know as theirs is not listed as one file")
    func packedFiles() throws {
        let type = "application/gzip"
        let rest = String(repeating: "<dia:attribute/>", count: 100)
        let diagram = "<?xml version=\"1.0\"?>\n<dia:diagram xmlns:dia=\"a\">\(rest)</dia:diagram>"
        let error = Self.failure(Self.gzip(diagram), type)
        #expect(error?.code == .unsupported && error?.message.contains("Dia") == true)
        #expect(Self.failure(Self.gzip("words <dia:diagram " + rest), type) == nil)
        #expect(Self.failure(Self.gzip(diagram.replacing("diagram", with: "other")), type) == nil)
        let scene = "BLENDER-v405REND" + String(repeating: " ", count: 200)
        let reason = Self.failure(Self.gzip(scene), type)
        #expect(reason?.code == .unsupported && reason?.message.contains("no preview") == true)
        #expect(Self.failure(Self.gzip(String(scene.dropFirst())), type) == nil)
        // In an archive it has a name.
        for packed in [scene, diagram] { #expect(Self.failure(Self.gzip(packed), "application/x-tar") == nil) }
    }

    @Test("An image of a disc of UDF says so", arguments: ["NSR02", "NSR03", "NSR04"])
    func universalDisc(mark: String) {
        var image = [UInt8](repeating: 0, count: 128 << 10)
        for (index, name) in ["BEA01", mark, "TEA01"].enumerated() {
            let at = (32 << 10) + index * 2048 + 1
            image.replaceSubrange(at..<at + 5, with: Array(name.utf8))
        }
        // Empty, and with code by which computers start from it.
        for start in [0, 0x33] as [UInt8] {
            image.replaceSubrange(..<512, with: [UInt8](repeating: start, count: 512))
            let error = Self.failure(image, "application/x-cd-image")
            let isKnown = mark != "NSR04"
            #expect((error?.code == .unsupported) == isKnown, "\(start)")
            #expect(error?.message.contains("UDF") == isKnown, "\(start)")
        }
        // Cut off before these descriptors, or within them.
        for count in [20 << 10, (32 << 10) + 3, (34 << 10) + 4] {
            #expect(Self.failure(Array(image.prefix(count)), "application/x-cd-image")?.code != .unsupported)
        }
    }
}
