import Glibc
import Testing
import VitrineKit

@testable import LocalBackend

/// Links, special files, file systems: what makes a local tree dangerous to walk.
struct LinkTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try TemporaryTree()
        try tree.folder("source")
        try tree.folder("source/real")
        try tree.put("source/real/file.txt", "inside")
        try tree.put("outside.txt", "outside")
        try tree.link("source/out", to: "../outside.txt")
        try tree.link("source/dangling", to: "nowhere")
        try tree.link("source/loop", to: "loop")
        try tree.link("source/folder", to: "real")
        try tree.link("source/real/up", to: "..")
        try tree.pipe("source/pipe")
    }

    private func backend(_ settings: BackendSettings = BackendSettings()) async throws -> LocalBackend {
        try await LocalBackend(source: SourceURI(file: (tree.path + "/source").utf8), settings: settings)
    }

    private func kinds(_ backend: LocalBackend, _ folder: String) async throws -> [String: Entry.Kind] {
        var kinds: [String: Entry.Kind] = [:]
        for try await page in backend.list(try ItemPath(folder)) {
            for entry in page { kinds[String(decoding: entry.name, as: UTF8.self)] = entry.kind }
        }
        return kinds
    }

    private func code(_ body: () async throws -> some Any) async -> PluginError.Code? {
        do { _ = try await body() } catch { return (error as? PluginError)?.code }
        return nil
    }

    @Test func linksAreListedAsLinksAndNotFollowed() async throws {
        let backend = try await backend()
        #expect(
            try await kinds(backend, "") == [
                "real": .folder, "out": .link, "dangling": .link, "loop": .link, "folder": .link, "pipe": .special,
            ])
        for name in ["out", "dangling", "loop", "folder", "folder/file.txt", "real/up/real/file.txt", "pipe"] {
            #expect(await code { try await backend.open(try ItemPath(name)) } == .notAFile, "\(name)")
        }
        #expect(await code { try await kinds(backend, "folder") } == .notAFile)
        #expect(await code { try await backend.stat(try ItemPath("folder/file.txt")) } == .notAFile)
        #expect(try await backend.stat(try ItemPath("loop")).kind == .link)
    }

    @Test func linksAreFollowedOnRequestButNotInCircles() async throws {
        let backend = try await backend(BackendSettings(followsLinks: true))
        #expect(
            try await kinds(backend, "") == [
                "real": .folder, "out": .file, "dangling": .link, "loop": .link, "folder": .folder, "pipe": .special,
            ])
        #expect(try await kinds(backend, "folder") == ["file.txt": .file, "up": .link])
        let file = try await backend.open(try ItemPath("out"))
        #expect(try await file.read(at: 0, count: 100) == Array("outside".utf8))
        #expect(await code { try await backend.open(try ItemPath("dangling")) } == .notAFile)
        #expect(await code { try await backend.open(try ItemPath("pipe")) } == .notAFile)
    }

    @Test func aSourceWhoseFolderIsAnotherOneIsNoticed() async throws {
        try tree.folder("new")
        try tree.put("new/file.txt", "another")
        try tree.folder("old")
        try tree.put("old/file.txt", "inside")
        try tree.link("way", to: "old")
        for name in ["old", "way"] {
            let path = try ItemPath("file.txt")
            let backend = try await LocalBackend(
                source: SourceURI(file: "\(tree.path)/\(name)".utf8), settings: BackendSettings())
            let file = try await backend.open(path)
            #expect(try await file.current() == file.entry)
            #expect(rename("\(tree.path)/\(name)", "\(tree.path)/away") == 0)
            #expect(await code { try await file.current() } == .notFound, "nothing is there any more")
            try tree.link(name, to: "new")
            #expect(try await file.current().differs(from: file.entry), "another folder has its place")
            #expect(unlink("\(tree.path)/\(name)") == 0)
            #expect(rename("\(tree.path)/away", "\(tree.path)/\(name)") == 0)
            #expect(try await file.current() == file.entry)
        }
    }

    @Test func aFileThatChangesIsNoticed() async throws {
        let backend = try await backend()
        let path = try ItemPath("real/file.txt")
        let file = try await backend.open(path)
        #expect(try await !file.current().differs(from: file.entry))
        try tree.put("source/real/file.txt", "longer than before")
        #expect(try await file.current().differs(from: file.entry))
    }

    @Test func aFileThatIsReplacedOrRemovedIsNoticed() async throws {
        let backend = try await backend()
        let file = try await backend.open(try ItemPath("real/file.txt"))
        try tree.put("source/new", "inside")
        #expect(rename(tree.path + "/source/new", tree.path + "/source/real/file.txt") == 0)
        #expect(try await file.current().differs(from: file.entry))
        #expect(unlink(tree.path + "/source/real/file.txt") == 0)
        #expect(await code { try await file.current() } == .notFound)
        #expect(try await file.read(at: 0, count: 100) == Array("inside".utf8))
    }

    @Test func aFileBehindALinkThatWasSlippedInIsAnotherOne() async throws {
        let backend = try await backend()
        let file = try await backend.open(try ItemPath("real/file.txt"))
        try tree.folder("elsewhere")
        try tree.put("elsewhere/file.txt", "inside")
        #expect(rename(tree.path + "/source/real", tree.path + "/moved") == 0)
        try tree.link("source/real", to: "../elsewhere")
        #expect(await code { try await file.current() } == .notAFile)
        #expect(await code { try await backend.open(try ItemPath("real/file.txt")) } == .notAFile)
    }

    @Test func aLinkThatWasSlippedInIsNotFollowedToTheSameFile() async throws {
        let backend = try await backend()
        let file = try await backend.open(try ItemPath("real/file.txt"))
        #expect(rename(tree.path + "/source/real", tree.path + "/moved") == 0)
        try tree.link("source/real", to: "../moved")
        #expect(await code { try await file.current() } == .notAFile)
    }

    @Test func aMountThatWasSlippedInIsNotEntered() throws {
        // A file below /proc, which is a file system of its own on every Linux machine.
        var status = stat()
        try #require(fstatat(AT_FDCWD, "/proc/version", &status, 0) == 0)
        let (path, file) = (try ItemPath("proc/version"), Entry(Array("version".utf8), status))
        let closed = try RootFolder(path: Array("/".utf8), followsLinks: false, crossesFileSystems: false)
        guard let place = Descriptor(Array("/".utf8), flags: Descriptor.place | O_DIRECTORY), let top = OpenRoot(place)
        else {
            Issue.record("the root cannot be opened")
            return
        }
        #expect(closed.status(of: path, ifStill: file, from: top) == nil)
        let isOpened = closed.file(straight: path, &status) != nil
        #expect(!isOpened)
        let open = try RootFolder(path: Array("/".utf8), followsLinks: false, crossesFileSystems: true)
        #expect(open.status(of: path, ifStill: file, from: top) != nil)
    }

    @Test func aFileIsOpenedOverALinkToTheRoot() async throws {
        try tree.link("root", to: "source")
        let backend = try await LocalBackend(
            source: SourceURI(file: (tree.path + "/root").utf8), settings: BackendSettings())
        let file = try await backend.open(try ItemPath("real/file.txt"))
        #expect(try await file.read(at: 0, count: 100) == Array("inside".utf8))
        #expect(try await !file.current().differs(from: file.entry))
    }

    @Test func otherFileSystemsAreNotEntered() async throws {
        // /proc is a file system of its own on every Linux machine.
        let root = SourceURI(file: "/".utf8)
        let closed = try await LocalBackend(source: root, settings: BackendSettings())
        let proc = try await closed.stat(try ItemPath("proc"))
        #expect(try await proc.volume != closed.stat(.root).volume)
        #expect(await code { try await kinds(closed, "proc") } == .forbidden)
        #expect(await code { try await closed.open(try ItemPath("proc/version")) } == .forbidden)
        let open = try await LocalBackend(source: root, settings: BackendSettings(crossesFileSystems: true))
        #expect(try await kinds(open, "proc")["version"] == .file)
    }

    @Test func devicesAreNotOpened() async throws {
        let backend = try await LocalBackend(
            source: SourceURI(file: "/dev".utf8), settings: BackendSettings(crossesFileSystems: true))
        #expect(await code { try await backend.open(try ItemPath("null")) } == .notAFile)
    }

    @Test(arguments: ["file://elsewhere/tmp", "file:tmp", "s3://bucket/key", "file://"])
    func otherMachinesAreRefused(_ text: String) async throws {
        let source = try SourceURI(text)
        #expect(await code { try await LocalBackend(source: source, settings: BackendSettings()) } == .invalidArgument)
    }

    @Test func aRootThatIsNoFolderIsRefused() async throws {
        let file = try SourceURI("file://\(tree.path)/outside.txt")
        #expect(await code { try await LocalBackend(source: file, settings: BackendSettings()) } == .notAFile)
        let nothing = try SourceURI("file://\(tree.path)/nothing")
        #expect(await code { try await LocalBackend(source: nothing, settings: BackendSettings()) } == .notFound)
    }

    @Test func whatTheUserMayNotReadIsForbidden() async throws {
        try tree.folder("source/closed")
        try tree.put("source/closed/file.txt", "secret")
        try tree.put("source/secret.txt", "secret")
        for (name, mode) in [("", 0o755), ("/source", 0o755), ("/source/closed", 0), ("/source/secret.txt", 0)] {
            #expect(chmod(tree.path + name, mode_t(mode)) == 0)
        }
        let path = tree.path + "/source"
        await #expect(processExitsWith: .success) { [path = path as String] in
            // Root may read everything: become somebody else.
            if geteuid() == 0 { #expect(setgid(65534) == 0 && setuid(65534) == 0) }
            let backend = try await LocalBackend(source: SourceURI(file: path.utf8), settings: BackendSettings())
            #expect(await backend.mayRead(try ItemPath("real/file.txt")))
            for name in ["secret.txt", "closed/file.txt"] {
                #expect(await !backend.mayRead(try ItemPath(name)), "\(name)")
                let error = await #expect(throws: PluginError.self) { try await backend.open(try ItemPath(name)) }
                #expect(error?.code == .forbidden, "\(name)")
            }
            let error = await #expect(throws: PluginError.self) {
                for try await _ in backend.list(try ItemPath("closed")) {}
            }
            #expect(error?.code == .forbidden)
        }
    }

    @Test func aRootThatWentAwayIsNotEmpty() async throws {
        let backend = try await backend()
        #expect(rename(tree.path + "/source", tree.path + "/moved") == 0)
        #expect(await code { try await kinds(backend, "") } == .notFound)
    }
}
