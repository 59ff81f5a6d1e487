import Testing
import VitrineKit

@testable import ProgramRenderer

@Suite struct AppImageTests {
    /// The fixture with texts of the same length in the place of others.
    private static func changed(_ changes: KeyValuePairs<String, String>) throws -> [UInt8] {
        var bytes = try ProgramRendererTests.fixture("vitrine.AppImage")
        for (old, new) in changes {
            let range = try #require(bytes.firstRange(of: Array(old.utf8)), "\(old)")
            try #require(old.utf8.count == new.utf8.count)
            bytes.replaceSubrange(range, with: Array(new.utf8))
        }
        return bytes
    }

    private static let link = "./usr/../vitrine.png", entry = "vitrine.desktop"

    @Test(
        "Links that lead out of it, nowhere, to folders or in circles are no icon",
        arguments: [
            "././././././.DirIcon", "./../../vitrine.pngg", "/usr/.../vitrine.png", "usr/share/icons/none",
            "usr/share/./../share", "vitrine.desktop/./vi",
        ])
    func links(target: String) throws {
        // Without the entry for menus nothing else is tried.
        let alone = try Self.changed([Self.entry: "vitrine.desktoX", Self.link: target])
        #expect(try ProgramRendererTests.failure(alone) == .empty)
        // The entry leads to the picture of the icon theme.
        let rendering = try ProgramRendererTests.draw(try Self.changed([Self.link: target]))
        #expect(ProgramRendererTests.isUpright(rendering) && rendering.facts.title == "Vitrine Viewer")
    }

    @Test("An icon that is no picture is refused, and one that is not there is none")
    func icons() throws {
        let text = try Self.changed([Self.link: "././/vitrine.desktop"])
        #expect(ProgramRendererTests.isUpright(try ProgramRendererTests.draw(text)))
        let alone = try Self.changed([Self.entry: "vitrine.desktoX", Self.link: "vitrine.txt/../i.txt"])
        #expect(try ProgramRendererTests.failure(alone) == .empty)
        let named = try Self.changed([Self.entry: "vitrine.desktoX", Self.link: ".////vitrine.desktoX"])
        #expect(try ProgramRendererTests.failure(named) == .unsupported)
    }

    @Test("Programs for Linux without the mark of an AppImage have no icon; the first type is not read")
    func marks() throws {
        var bytes = try ProgramRendererTests.fixture("vitrine.AppImage")
        bytes[10] = 1
        #expect(try ProgramRendererTests.failure(bytes) == .unsupported)
        bytes.replaceSubrange(8..<11, with: [0, 0, 0])
        #expect(try ProgramRendererTests.failure(bytes) == .empty)
        #expect(try ProgramRendererTests.failure(Array(bytes.prefix(9))) == .empty)
    }

    @Test("Behind the program there must be a file system")
    func start() throws {
        let bytes = try ProgramRendererTests.fixture("vitrine.AppImage")
        #expect(try ProgramRendererTests.failure(Array(bytes.prefix(128))) == .unsupported)
        #expect(try ProgramRendererTests.failure(Array(bytes.prefix(20))) == .unsupported)
        #expect(try ProgramRendererTests.failure(Array(bytes.prefix(200))) == .corrupt)
        func with(_ at: Int, _ new: [UInt8]) throws -> PluginError.Code {
            var changed = bytes
            changed.replaceSubrange(at..<at + new.count, with: new)
            return try ProgramRendererTests.failure(changed)
        }
        // Where the table of sections is, how many there are, and the order of bytes.
        #expect(try with(40, [255, 255, 255, 255, 255, 255, 255, 0x7F]) == .unsupported)
        #expect(try with(40, [255, 255, 255, 255, 255, 255, 255, 255]) == .unsupported)
        #expect(try with(60, [0, 0]) == .unsupported)
        #expect(try with(60, [255, 255]) == .unsupported)
        #expect(try with(5, [2]) == .unsupported)
        // How files are packed, how long blocks are, and where folders begin.
        #expect(try with(128 + 20, [99, 0]) == .unsupported)
        #expect(try with(128 + 12, [1, 2, 3, 4]) == .corrupt)
        #expect(try with(128 + 72, [255, 255, 255, 255, 255, 255, 255, 255]) == .corrupt)
    }

    @Test("Failures of reading are passed on as they are")
    func reading() throws {
        let bytes = try ProgramRendererTests.fixture("vitrine.AppImage")
        let renderer = try ProgramRenderer(RendererEnvironment(pluginFolder: "/"))
        let request = RenderRequest(box: 128, mimeType: "application/vnd.appimage")
        let error = #expect(throws: PluginError.self) {
            try renderer.render(LostInput(bytes, from: 200), request)
        }
        #expect(error?.code == .offline)
    }

    /// An input of which only the beginning can be read.
    private final class LostInput: RandomAccessInput {
        private let bytes: BytesInput
        private let end: Int64

        init(_ bytes: [UInt8], from end: Int64) { (self.bytes, self.end) = (BytesInput(bytes), end) }

        var size: Int64 { bytes.size }
        var fileDescriptor: CInt? { nil }

        func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
            guard offset + Int64(buffer.count) <= end else { throw PluginError(.offline, "the server is gone") }
            return try bytes.read(at: offset, into: buffer)
        }
    }
}
