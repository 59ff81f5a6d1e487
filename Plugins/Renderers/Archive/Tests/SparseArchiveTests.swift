import ArchiveReading
import RendererFixtures
import Testing
import VitrineKit

@testable import ArchiveRenderer

/// Archives behind whose beginning there is nothing but a hole, of as many bytes as one likes.
@Suite struct SparseArchiveTests {
    private static let mark: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0]
    /// More is not read for an answer.
    private static let enough: Int64 = 1 << 30

    private static func failure(_ input: SparseInput, _ type: String) throws -> PluginError {
        let renderer = try ArchiveRenderer(RendererEnvironment(pluginFolder: "/"))
        let error = #expect(throws: PluginError.self) {
            try renderer.render(input, RenderRequest(box: 64, mimeType: type))
        }
        return try #require(error)
    }

    @Test("A terabyte of nothing is not gone through for a member of a zip file", .timeLimit(.minutes(1)))
    func nothing() throws {
        let input = SparseInput(Self.mark)
        let error = try Self.failure(input, "application/zip")
        #expect(error.code == .corrupt && error.message.contains("damaged"), "\(error)")
        #expect(input.bytesRead < Self.enough)
    }

    @Test("What lies before the hole is listed", .timeLimit(.minutes(1)))
    func beginning() throws {
        let zip = zipFile([(name: "a.txt", bytes: Array("word".utf8)), (name: "b.txt", bytes: [65])])
        let input = SparseInput(zip)
        let archive = try Archive(input)
        #expect(archive.members.prefix(2).map { String(decoding: $0.name, as: UTF8.self) } == ["a.txt", "b.txt"])
        #expect(try archive.contents(of: archive.members[0]) == Array("word".utf8))
        #expect(input.bytesRead < Self.enough)
    }

    @Test("Nor is what follows a file that is packed by itself", .timeLimit(.minutes(1)))
    func packed() throws {
        let input = SparseInput(try Fixtures.bytes("archive/picture.ppm.xz"))
        #expect(try Self.failure(input, "application/x-xz").code == .corrupt)
        #expect(input.bytesRead < Self.enough)
    }

    @Test("Members that lie far apart are reached without reading what is between them")
    func far() throws {
        func member(_ name: String, size: Int) throws -> [UInt8] {
            let packed = zipFile([(name: name, bytes: [65])])
            // The local header: sizes are at 18 and 22 (APPNOTE 6.3.10, 4.3.7).
            var head = Array(packed[..<(30 + name.utf8.count)])
            for place in [18, 22] {
                for byte in 0..<4 { head[place + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
            }
            return head
        }
        let first = try member("a", size: 3 << 30)
        let input = SparseInput(first, size: Int64(first.count) + 3 << 30)
        let archive = try Archive(input)
        #expect(archive.members.map(\.size) == [3 << 30])
        #expect(input.bytesRead < 1 << 20)
    }
}
