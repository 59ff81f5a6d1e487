import Glibc
import LocalBackend
import TestServers
import Testing
import VitrineKit
import VitrineTesting

extension TestFile {
    /// The permissions of a file, which may be made as programs usually make files.
    fileprivate static func mode(_ path: String, create: Bool = false) throws -> mode_t {
        if create { close(open(path, O_CREAT | O_WRONLY, 0o666)) }
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o777
    }
}

@Suite struct WritingTests {
    let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder("local") }

    private func connect(_ name: String) async throws -> LocalBackend {
        try TestFile.makeFolder("\(scratch.path)/\(name)")
        return try await LocalBackend(
            source: SourceURI(file: "\(scratch.path)/\(name)".utf8), settings: BackendSettings(crossesFileSystems: true)
        )
    }

    @Test func conformsToWriting() async throws {
        let suite = WritableConformance { try await connect("root") }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "only root can mount a small disk"))
    func conformsOnSmallDisks() async throws {
        for name in ["root", "root/closed", "small"] { try TestFile.makeFolder("\(scratch.path)/\(name)") }
        let closed = try SmallDisk(on: scratch.path + "/root/closed", mebibytes: 1, isReadOnly: true)
        let small = try SmallDisk(on: scratch.path + "/small", mebibytes: 4)
        let suite = WritableConformance(
            large: 9 << 20, forbidden: try ItemPath("closed"),
            small: { .init(try await connect("small"), tooMany: 5 << 20) }
        ) { try await connect("root") }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
        withExtendedLifetime((closed, small)) {}
    }

    @Test func twoThatWriteTheSameDoNotMix() async throws {
        let backend = try await connect("root")
        let path = try ItemPath("same.bin")
        let bytes = [UInt8](repeating: 7, count: 9 << 20)
        let draft = FileDraft(size: Int64(bytes.count), token: "same")
        let first = try await backend.write(path, draft)
        try await first.append(Array(bytes.prefix(1 << 20)), at: 0)
        // The other one holds the lock of the hidden name.
        let second = try await backend.write(path, draft)
        #expect(second.kept == 0)
        try await second.append(bytes, at: 0)
        _ = try await second.commit(.ifAbsent, content: [])
        try await first.append(Array(bytes.dropFirst(1 << 20)), at: 1 << 20)
        await #expect(throws: PluginError.self) { try await first.commit(.ifAbsent, content: []) }
        await first.abandon()
        #expect(try await backend.stat(path).size == Int64(bytes.count))
    }

    @Test func aLinkWithAHiddenNameIsNotWrittenThrough() async throws {
        let backend = try await connect("root")
        try TestFile.write(scratch.path + "/outside", "keep")
        let hidden = String(decoding: UnfinishedName.of("trap"), as: UTF8.self)
        symlink(scratch.path + "/outside", "\(scratch.path)/root/\(hidden)")
        let draft = FileDraft(size: 9 << 20, token: "trap")
        let transaction = try await backend.write(try ItemPath("file"), draft)
        try await transaction.append([UInt8](repeating: 1, count: 100), at: 0)
        await transaction.abandon()
        #expect(TestFile.text(scratch.path + "/outside") == "keep")
    }

    @Test func aFolderThatIsALinkIsNotWrittenInto() async throws {
        let backend = try await connect("root")
        try TestFile.makeFolder(scratch.path + "/elsewhere")
        symlink(scratch.path + "/elsewhere", scratch.path + "/root/link")
        let path = try ItemPath("link/file")
        let error = await #expect(throws: PluginError.self) {
            try await backend.write(path, FileDraft(size: 1))
        }
        #expect(error?.code == .notAFile)
    }

    @Test(arguments: [100, 9 << 20])
    func aCopyHasThePermissionsOfWhatItReplaces(size: Int) async throws {
        let backend = try await connect("root")
        let path = try ItemPath("file")
        let usual = try TestFile.mode(scratch.path + "/probe", create: true)
        for expected in [usual, 0o600, 0o640] {
            if expected != usual { chmod(scratch.path + "/root/file", expected) }
            let transaction = try await backend.write(path, FileDraft(size: Int64(size), token: "mode"))
            try await transaction.append([UInt8](repeating: 1, count: size), at: 0)
            _ = try await transaction.commit(expected == usual ? .ifAbsent : .replacing, content: [])
            #expect(try TestFile.mode(scratch.path + "/root/file") == expected)
        }
    }

    @Test func whatNobodyFindsAgainIsNotKept() async throws {
        let backend = try await connect("root")
        let draft = FileDraft(size: 9 << 20, token: "same")
        let first = try await backend.write(try ItemPath("file"), draft)
        // The other one holds the lock of the hidden name.
        var second: (any WriteTransaction)? = try await backend.write(try ItemPath("file"), draft)
        try await second?.append([1], at: 0)
        await second?.suspend()
        second = try await backend.write(try ItemPath("file"), draft)
        second = nil
        await first.suspend()
        var names: [[UInt8]] = []
        for try await page in backend.list(.root) { names += page.map(\.name) }
        #expect(names == [UnfinishedName.of("same")])
    }
}
