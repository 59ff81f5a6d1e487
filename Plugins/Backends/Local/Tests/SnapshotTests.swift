import Glibc
import LocalBackend
import Testing
import VitrineKit

/// What makes the digest of a folder differ, and what does not.
struct SnapshotTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try TemporaryTree()
        for name in ["a", "b", "c"] { try tree.put(name, "content of \(name)") }
        try tree.folder("below")
        try tree.put("below/file", "deep")
        try tree.link("link", to: "a")
    }

    private func snapshot(_ folder: String = "", unless known: FolderDigest? = nil) async throws -> FolderSnapshot {
        let backend = try await LocalBackend(source: tree.source, settings: BackendSettings())
        let answers = await backend.snapshots(of: [SnapshotRequest(folder: try ItemPath(folder), known: known)])
        return try #require(answers.first).get()
    }

    enum Change: CaseIterable { case addition, removal, renaming, growth, time, permission, replacement, kind }

    @Test("every change in a folder changes its digest", arguments: Change.allCases)
    func differs(_ change: Change) async throws {
        let before = try await snapshot()
        switch change {
        case .addition: try tree.put("d", "")
        case .removal: try tree.with(Array("a".utf8)) { unlink($0) }
        case .renaming:
            try tree.with(Array("a".utf8)) { old in
                var new = Array("\(tree.path)/z".utf8CString)
                return rename(old, &new)
            }
        case .growth: try tree.put("b", "content of b and more")
        case .time:
            let times = [timespec(tv_sec: 1, tv_nsec: 2), timespec(tv_sec: 3, tv_nsec: 4)]
            try tree.with(Array("c".utf8)) { utimensat(AT_FDCWD, $0, times, 0) }
        case .permission: try tree.with(Array("a".utf8)) { chmod($0, 0o600) }
        case .replacement:
            // The same name, size and time: another file all the same.
            try tree.put("new", "CONTENT OF A")
            try tree.with(Array("a".utf8)) { old in
                var status = stat()
                guard stat(old, &status) == 0 else { return -1 }
                var new = Array("\(tree.path)/new".utf8CString)
                let times = [status.st_atim, status.st_mtim]
                return utimensat(AT_FDCWD, &new, times, 0) == 0 ? rename(new, old) : -1
            }
        case .kind:
            try tree.with(Array("b".utf8)) { unlink($0) }
            try tree.folder("b")
        }
        let after = try await snapshot(unless: before.digest)
        #expect(after.digest != before.digest)
        guard case .entries(let entries) = after.content else {
            Issue.record("the entries of a changed folder are not told")
            return
        }
        #expect(entries.count == (change == .addition ? 6 : change == .removal ? 4 : 5))
    }

    @Test("reading files, and what happens further below, changes nothing")
    func same() async throws {
        let before = try await snapshot()
        try tree.put("below/other", "new")
        try tree.put("below/file", "longer than before")
        try tree.with(Array("a".utf8)) { file in
            var status = stat()
            guard stat(file, &status) == 0 else { return -1 }
            return utimensat(AT_FDCWD, file, [timespec(tv_sec: 9, tv_nsec: 9), status.st_mtim], 0)
        }
        let after = try await snapshot(unless: before.digest)
        #expect(after.digest == before.digest)
        guard case .unchanged = after.content else {
            Issue.record("an unchanged folder is told to have changed")
            return
        }
        let folder = try await snapshot("below")
        guard case .entries(let entries) = folder.content else { return }
        #expect(entries.count == 2)
    }

    @Test("a folder of more names than one system call returns is whole")
    func long() async throws {
        try tree.folder("many")
        for number in 0..<3000 { try tree.put("many/\(number) \(String(repeating: "x", count: 60))", "") }
        let whole = try await snapshot("many")
        guard case .entries(let entries) = whole.content else {
            Issue.record("there are no entries")
            return
        }
        #expect(Set(entries.map(\.name)).count == 3000)
        #expect(try await snapshot("many", unless: whole.digest).digest == whole.digest)
    }

    @Test("a folder that is not there, or none, is a failure of its own")
    func failures() async throws {
        let backend = try await LocalBackend(source: tree.source, settings: BackendSettings())
        let names = ["none", "a", "below"]
        let answers = await backend.snapshots(of: try names.map { SnapshotRequest(folder: try ItemPath($0)) })
        let codes = answers.map { answer -> PluginError.Code? in
            guard case .failure(let error) = answer else { return nil }
            return error.code
        }
        #expect(codes == [.notFound, .notAFile, nil])
    }
}
