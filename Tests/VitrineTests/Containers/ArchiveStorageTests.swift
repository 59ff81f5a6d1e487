import Foundation
import TestSupport
import Testing
import VitrineKit
import VitrineTesting
import Workers

@testable import Vitrine

/// Archives as storages, with the real plugin in real workers. They are made by libarchive's own program.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: access("/usr/bin/bsdtar", X_OK) == 0, "libarchive-tools is not installed"))
struct ArchiveStorageTests {
    let scratch: TemporaryFolder
    let pipeline: PreviewPipeline

    init() throws {
        scratch = try TemporaryFolder()
        pipeline = try PreviewPipeline(PipelineTests.configuration(scratch))
    }

    /// Packs a folder of the scratch.
    private func pack(_ folder: String, as name: String, _ options: String...) throws -> String {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/bsdtar")
        program.arguments = ["-cf", "\(scratch.path)/\(name)"] + options + ["-C", "\(scratch.path)/\(folder)", "."]
        program.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        try program.run()
        program.waitUntilExit()
        try #require(program.terminationStatus == 0)
        return "archive:file://" + PercentEncoding.encode("\(scratch.path)/\(name)".utf8) + "!"
    }

    private func archive(_ uri: String) async throws -> (storage: Storage, archive: OpenArchive) {
        let storage = try await pipeline.storages.storage(for: SourceURI(uri), BackendSettings())
        let backend = try #require(storage.current as? ArchiveBackend)
        return (storage, backend.archive)
    }

    @Test(arguments: ["a.tar", "a.tar.gz"])
    func `it keeps the contract of storages`(name: String) async throws {
        let suite = BackendConformance(many: 700) { sample in
            for node in sample.nodes {
                let path = Array("\(scratch.path)/sample/".utf8) + node.path.bytes
                try makeNode(path, node.content)
            }
            // Names are bytes there; in other formats libarchive composes letters and their accents.
            let packing = name.hasSuffix("gz") ? "--gzip" : "--totals"
            let uri = try pack("sample", as: name, packing, "--format", "gnutar")
            return try await archive(uri).storage.current
        }
        let violations = await suite.violations()
        #expect(violations == [])
        await pipeline.end()
    }

    private func makeNode(_ path: [UInt8], _ content: [UInt8]?) throws {
        let folder = content == nil ? path : Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        for end in folder.indices where end > 0 && folder[end] == UInt8(ascii: "/") {
            mkdir(folder[..<end].map { CChar(bitPattern: $0) } + [0], 0o755)
        }
        mkdir(folder.map { CChar(bitPattern: $0) } + [0], 0o755)
        guard let content else { return }
        let fd = Glibc.open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        try #require(fd >= 0 && write(fd, content, content.count) == content.count)
        close(fd)
    }

    @Test func `two thousand members of a packed tar cost a few passes`() async throws {
        for number in 0..<2000 {
            try makeNode(Array("\(scratch.path)/many/\(number % 7)/\(number).txt".utf8), Array("text \(number)".utf8))
        }
        let (storage, archive) = try await archive(pack("many", as: "many.tar.gz", "--gzip"))
        // In an order that is not the archive's.
        for number in stride(from: 0, to: 2000, by: 1) {
            let number = number * 1201 % 2000
            let file = try await storage.open(ItemPath("\(number % 7)/\(number).txt"))
            #expect(try await file.read(at: 0, count: 100) == Array("text \(number)".utf8))
        }
        #expect(await archive.passes <= 4)
        await pipeline.end()
    }

    @Test func `a packed file that is much larger than it looks is unpacked within the room of a large one`()
        async throws
    {
        let text = [UInt8](repeating: 0x61, count: 20 << 20)
        try makeNode(Array("\(scratch.path)/text/a.txt".utf8), text)
        let path = "\(scratch.path)/text/a.txt.gz"
        let program = Process()
        program.executableURL = URL(filePath: "/bin/sh")
        // Of a pipe, so that the file does not tell its name.
        program.arguments = ["-c", "gzip < '\(scratch.path)/text/a.txt' > '\(path)'"]
        try program.run()
        program.waitUntilExit()
        let (storage, archive) = try await archive("archive:file://\(PercentEncoding.encode(path.utf8))!")
        let tree = try await archive.contents().tree
        try #require(tree.members.count == 1 && tree.members[0].size == nil)
        let name = try #require(try await archive.contents().paths[0])
        let file = try await storage.open(name)
        #expect(file.entry.size == Int64(text.count))
        #expect(try await file.read(at: Int64(text.count) - 3, count: 10) == [0x61, 0x61, 0x61])
        #expect(await archive.passes == 2)
        await pipeline.end()
    }

    @Test func `an unchanged archive is neither listed nor unpacked again, and of a changed one only what is new`()
        async throws
    {
        let picture = Products.fixtures.appending(path: "image/rgb-8.png")
        for name in ["a.png", "b/c.png"] {
            try makeNode(Array("\(scratch.path)/items/\(name)".utf8), [UInt8](try Data(contentsOf: picture)))
        }
        let uri = try pack("items", as: "items.zip", "--format", "zip")
        let catalog = scratch.path + "/catalog.sqlite"
        var configuration = PipelineTests.configuration(scratch)
        configuration.catalog = catalog
        let first = try PreviewPipeline(configuration)
        #expect(await first.prebuild([try SourceURI(uri)]).total.made == 2)
        await first.end()
        let second = try PreviewPipeline(configuration)
        #expect(await second.prebuild([try SourceURI(uri)]).total == .init(valid: 2))
        #expect(await second.workers.startedCount == 0)
        await second.end()
        try makeNode(
            Array("\(scratch.path)/items/d.jpg".utf8),
            [UInt8](try Data(contentsOf: Products.fixtures.appending(path: "image/plain.jpg"))))
        #expect(try pack("items", as: "items.zip", "--format", "zip") == uri)
        let third = try PreviewPipeline(configuration)
        let run = await third.prebuild([try SourceURI(uri)])
        #expect((run.total.made, run.total.valid, run.total.failed) == (1, 2, 0))
        await third.end()
    }

    @Test(arguments: ["7z": "7zip", "zip": "zip", "iso": "iso9660", "tar": "pax", "cpio": "newc"])
    func `folders of an archive are sources, and share what is known of it`(
        ending: String, format: String
    ) async throws {
        for name in ["a.txt", "b/c.txt", "b/d/e.txt"] {
            try makeNode(Array("\(scratch.path)/items/\(name)".utf8), Array(name.utf8))
        }
        let uri = try pack("items", as: "items.\(ending)", "--format", format)
        let folder = try await archive(uri + "/b")
        #expect(try await folder.storage.stat(.root).kind == .folder)
        let file = try await folder.storage.open(ItemPath("d/e.txt"))
        #expect(try await file.read(at: 0, count: 9) == Array("b/d/e.txt".utf8))
        let whole = try await archive(uri).archive
        #expect(whole === folder.archive)
        await #expect(throws: PluginError.self) { try await folder.storage.stat(ItemPath("a.txt")) }
        await pipeline.end()
    }

    @Test func `what was listed of an archive that was replaced since is not taken for what is in the new one`()
        async throws
    {
        try makeNode(Array("\(scratch.path)/items/a.txt".utf8), Array("old".utf8))
        let uri = try pack("items", as: "items.tar", "--format", "gnutar")
        let storage = try await archive(uri).storage
        let path = try ItemPath("a.txt")
        let entry = try await storage.stat(path)
        try makeNode(Array("\(scratch.path)/items/0.txt".utf8), Array("zero".utf8))
        try makeNode(Array("\(scratch.path)/items/a.txt".utf8), Array("new".utf8))
        _ = try pack("items", as: "items.tar", "--format", "gnutar")
        await #expect {
            _ = try await storage.open(path, listedAs: entry)
        } throws: {
            ($0 as? PluginError)?.code == .changed
        }
        let file = try await storage.open(path)
        #expect(try await file.read(at: 0, count: 9) == Array("new".utf8))
        await pipeline.end()
    }

    @Test func `holes of a file are there, at its end too`() async throws {
        let size = 400_000
        let data = [UInt8](repeating: 7, count: 8192)
        var content = [UInt8](repeating: 0, count: size)
        try makeNode(Array("\(scratch.path)/items/holes.bin".utf8), data)
        let fd = Glibc.open("\(scratch.path)/items/holes.bin", O_WRONLY)
        for start in [0, 131_072] {
            content.replaceSubrange(start..<start + data.count, with: data)
            try #require(pwrite(fd, data, data.count, off_t(start)) == data.count)
        }
        try #require(ftruncate(fd, off_t(size)) == 0 && close(fd) == 0)
        for format in ["gnu", "posix"] {
            let program = Process()
            program.executableURL = URL(filePath: "/usr/bin/tar")
            program.arguments = [
                "--sparse", "--format=\(format)", "-cf", "\(scratch.path)/\(format).tar", "-C",
                "\(scratch.path)/items", "holes.bin",
            ]
            try program.run()
            program.waitUntilExit()
            try #require(program.terminationStatus == 0)
            let packed = try Data(contentsOf: URL(filePath: "\(scratch.path)/\(format).tar"))
            #expect(packed.count < 100_000)
            let uri = "archive:file://" + PercentEncoding.encode("\(scratch.path)/\(format).tar".utf8) + "!"
            let file = try await archive(uri).storage.open(ItemPath("holes.bin"))
            #expect(file.entry.size == Int64(size))
            #expect(try await file.read(at: 0, count: size + 1) == content)
        }
        await pipeline.end()
    }

    @Test func `a member that is shorter than the archive says is damaged`() async throws {
        try makeNode(Array("\(scratch.path)/items/a.txt".utf8), [UInt8](repeating: 65, count: 100))
        let uri = try pack("items", as: "items.zip", "--format", "zip")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: scratch.path + "/items.zip")))
        let mark: [UInt8] = [0x50, 0x4B, 1, 2]
        let entry = bytes.indices.dropLast(46).first {
            bytes[$0..<$0 + 4].elementsEqual(mark) && bytes[$0 + 24] == 100
        }
        bytes[try #require(entry) + 24] = 200
        try Data(bytes).write(to: URL(filePath: scratch.path + "/items.zip"))
        let storage = try await archive(uri).storage
        await #expect {
            _ = try await storage.open(ItemPath("a.txt"))
        } throws: {
            ($0 as? PluginError)?.code == .corrupt
        }
        await pipeline.end()
    }

    @Test func `damage is told, and what lies before it is drawn`() async throws {
        let picture = [UInt8](try Data(contentsOf: Products.fixtures.appending(path: "image/rgb-8.png")))
        for name in ["1.png", "2.png", "3.png", "4.png"] {
            try makeNode(Array("\(scratch.path)/items/\(name)".utf8), picture)
        }
        let uri = try pack("items", as: "items.tar", "--format", "ustar")
        let path = scratch.path + "/items.tar"
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
        let run = await pipeline.prebuild([try SourceURI(uri)])
        #expect(run.total.made > 0)
        let told = run.failures.map(\.error) + run.failedSources.map(\.error)
        #expect(told.contains { $0.message.contains("not complete") }, "\(told)")
        try Data("no archive at all".utf8).write(to: URL(filePath: path))
        let none = await pipeline.prebuild([try SourceURI(uri)])
        #expect(none.failedSources.map(\.error.code) == [.corrupt])
        await pipeline.end()
    }
}
