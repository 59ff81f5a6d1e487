import Glibc
import Testing
import VitrineKit

@testable import LocalBackend

/// What inotify tells of a tree, with the real thing.
@Suite(.timeLimit(.minutes(10))) struct WatchTests {
    private let tree: TemporaryTree
    /// For what leaves the source and stays as it is.
    private let outside: TemporaryTree

    init() throws {
        tree = try TemporaryTree()
        outside = try TemporaryTree()
        try tree.put("file", "content")
        try tree.folder("below")
        try tree.put("below/file", "deep")
    }

    private func root(followsLinks: Bool = false) throws -> RootFolder {
        try RootFolder(path: Array(tree.path.utf8), followsLinks: followsLinks, crossesFileSystems: false)
    }

    private func path(_ text: String) throws -> ItemPath { try ItemPath(text) }

    /// Waits until a folder is told, whatever is told before.
    private func told(_ folder: String, _ watch: any FolderWatch) async throws {
        let path = try path(folder)
        while true {
            guard case .folders(let folders) = await watch.next() else {
                Issue.record("something else was told")
                return
            }
            if folders.contains(path) { return }
        }
    }

    private func rename(_ old: String, _ new: String) throws {
        try tree.with(Array(old.utf8)) { old in
            var new = Array("\(tree.path)/\(new)".utf8CString)
            return Glibc.rename(old, &new)
        }
    }

    enum Change: CaseIterable { case addition, writing, removal, renaming, permission, time, folder, link, hardLink }

    @Test("every change in a folder is told", arguments: Change.allCases)
    func isTold(_ change: Change) async throws {
        let watch = try InotifyWatch(root())
        #expect(await watch.add([.root, try path("below")]) == [nil, nil])
        switch change {
        case .addition: try tree.put("below/new", "")
        case .writing: try tree.put("below/file", "other content")
        case .removal: try tree.with(Array("below/file".utf8)) { unlink($0) }
        case .renaming: try rename("below/file", "below/other")
        case .permission: try tree.with(Array("below/file".utf8)) { chmod($0, 0o600) }
        case .time:
            let times = [timespec(tv_sec: 1, tv_nsec: 2), timespec(tv_sec: 3, tv_nsec: 4)]
            try tree.with(Array("below/file".utf8)) { utimensat(AT_FDCWD, $0, times, 0) }
        case .folder: try tree.folder("below/folder")
        case .link: try tree.link("below/link", to: "file")
        case .hardLink:
            try tree.with(Array("file".utf8)) { old in
                var new = Array("\(tree.path)/below/hard".utf8CString)
                return link(old, &new)
            }
        }
        try await told("below", watch)
    }

    @Test func aMoveIsToldOfBothFolders() async throws {
        let watch = try InotifyWatch(root())
        #expect(await watch.add([.root, try path("below")]) == [nil, nil])
        try rename("below/file", "moved")
        var folders: Set<ItemPath> = []
        while folders.count < 2, case .folders(let more) = await watch.next() { folders.formUnion(more) }
        #expect(folders == [.root, try path("below")])
    }

    @Test func aFolderThatMovedIsKnownByItsNewPath() async throws {
        let watch = try InotifyWatch(root())
        #expect(await watch.add([.root, try path("below")]) == [nil, nil])
        try rename("below", "above")
        try await told("", watch)
        #expect(await watch.add([try path("above")]) == [nil])
        try tree.put("above/file", "other content")
        try await told("above", watch)
    }

    /// All that is told until some folder is.
    private func toldUpTo(_ last: String, _ watch: any FolderWatch) async throws -> Set<ItemPath> {
        let last = try path(last)
        var told: Set<ItemPath> = []
        while !told.contains(last), case .folders(let more) = await watch.next() { told.formUnion(more) }
        return told
    }

    /// Puts one folder into the place of another, which leaves the source.
    private func replace(_ folder: String, by other: String) throws {
        try tree.with(Array(folder.utf8)) { old in
            var new = Array("\(outside.path)/gone".utf8CString)
            return Glibc.rename(old, &new)
        }
        try rename(other, folder)
    }

    @Test func aFolderInThePlaceOfAnotherIsToldWithWhatIsWatchedBelow() async throws {
        for name in ["below/deep", "below/deep/deeper", "belowed", "other", "other/deep", "mark"] {
            try tree.folder(name)
        }
        let watch = try InotifyWatch(root())
        let names = ["", "below", "below/deep", "below/deep/deeper", "belowed", "other", "other/deep", "mark"]
        let answers = await watch.add(try names.map(path))
        #expect(answers.allSatisfy { $0 == nil })
        try replace("below", by: "other")
        try tree.put("mark/end", "")
        let told = try await toldUpTo("mark", watch)
        #expect(told == Set(try ["", "below", "below/deep", "below/deep/deeper", "mark"].map(path)))
    }

    /// Moves a folder or link out of the source, or back.
    private func leave(_ name: String, back: Bool = false) throws {
        try tree.with(Array(name.utf8)) { inside in
            let outside = Array("\(outside.path)/gone".utf8CString)
            return outside.withUnsafeBufferPointer { outside -> CInt in
                guard let outside = outside.baseAddress else { return -1 }
                return back ? Glibc.rename(outside, inside) : Glibc.rename(inside, outside)
            }
        }
    }

    @Test func aFolderThatLeavesTheSourceGivesItsWatchesBack() async throws {
        for name in ["below/deep", "belowed", "third", "mark"] { try tree.folder(name) }
        let watch = try InotifyWatch(root(), folderLimit: 5)
        let names = ["", "below", "below/deep", "belowed", "mark"]
        #expect(await watch.add(try names.map(path)).allSatisfy { $0 == nil })
        #expect(watch.systemWatches == 5)
        try leave("below")
        try tree.put("mark/end", "")
        #expect(try await toldUpTo("mark", watch) == Set(try ["", "below", "below/deep", "mark"].map(path)))
        #expect(watch.systemWatches == 3)
        try tree.put("belowed/file", "")
        try await told("belowed", watch)
        let answers = await watch.add(try ["third", "below"].map(path))
        #expect(answers[0] == nil && answers[1]?.code == .notFound)
        // Once it is back it is watched as before.
        watch.remove(try path("third"))
        try leave("below", back: true)
        #expect(await watch.add(try ["below", "below/deep"].map(path)) == [nil, nil])
        try tree.put("below/deep/file", "")
        try await told("below/deep", watch)
    }

    @Test(arguments: [true, false]) func aLinkThatIsGoneGivesItsWatchBack(_ isMoved: Bool) async throws {
        try tree.folder("mark")
        try tree.folder("third")
        try outside.folder("folder")
        try outside.folder("folder/deep")
        try tree.link("link", to: outside.path + "/folder")
        let watch = try InotifyWatch(root(followsLinks: true), folderLimit: 4)
        let names = ["", "mark", "link", "link/deep"]
        #expect(await watch.add(try names.map(path)).allSatisfy { $0 == nil })
        if isMoved { try leave("link") } else { try tree.with(Array("link".utf8)) { unlink($0) } }
        try tree.put("mark/end", "")
        #expect(try await toldUpTo("mark", watch) == Set(try names.map(path)))
        #expect(watch.systemWatches == 2)
        #expect(await watch.add(try ["third", "below"].map(path)) == [nil, nil])
    }

    @Test func aLinkThatLeadsElsewhereGivesTheOldWatchBack() async throws {
        try tree.folder("mark")
        for name in ["first", "second"] { try outside.folder(name) }
        try tree.link("link", to: outside.path + "/first")
        try tree.link("new", to: outside.path + "/second")
        let watch = try InotifyWatch(root(followsLinks: true))
        #expect(await watch.add(try ["", "link", "mark"].map(path)).allSatisfy { $0 == nil })
        try rename("new", "link")
        #expect(await watch.add([try path("link")]) == [nil])
        #expect(watch.systemWatches == 3)
        try outside.put("first/file", "")
        try tree.put("mark/end", "")
        _ = try await toldUpTo("mark", watch)
        try outside.put("second/file", "")
        try await told("link", watch)
    }

    @Test func aFolderThatLeavesUnderOneOfItsNamesIsWatchedUnderTheOther() async throws {
        try tree.folder("mark")
        try outside.folder("folder")
        for name in ["link", "other"] { try tree.link(name, to: outside.path + "/folder") }
        let watch = try InotifyWatch(root(followsLinks: true))
        #expect(await watch.add(try ["", "link", "other", "mark"].map(path)).allSatisfy { $0 == nil })
        try leave("other")
        try tree.put("mark/end", "")
        _ = try await toldUpTo("mark", watch)
        try outside.put("folder/file", "")
        #expect(try await !toldUpTo("link", watch).contains(path("other")))
    }

    @Test func aLinkInThePlaceOfAnotherIsToldAsAFolderIs() async throws {
        try tree.folder("other")
        try tree.folder("mark")
        try tree.link("link", to: "below")
        try tree.link("new", to: "other")
        let watch = try InotifyWatch(root(followsLinks: true))
        #expect(await watch.add(try ["", "link", "mark"].map(path)).allSatisfy { $0 == nil })
        try rename("new", "link")
        try tree.put("mark/end", "")
        #expect(try await toldUpTo("mark", watch) == Set(try ["", "link", "mark"].map(path)))
    }

    @Test func moreFoldersBelowTheNewOneThanAreKeptAreEverything() async throws {
        for name in ["other", "below/a", "below/b", "below/c"] { try tree.folder(name) }
        let watch = try InotifyWatch(root(), changeLimit: 3)
        #expect(await watch.add(try ["", "below", "below/a", "below/b", "below/c"].map(path)).allSatisfy { $0 == nil })
        try replace("below", by: "other")
        while case .folders(let told) = await watch.next() { try #require(told.count < 4, "all were kept") }
    }

    @Test func moreFoldersThanAreAllowedAreRefusedWithTheSettingThatAllowsThem() async throws {
        try tree.folder("third")
        let watch = try InotifyWatch(root(), folderLimit: 2)
        let answers = await watch.add([.root, try path("below"), try path("third")])
        #expect(answers[0] == nil && answers[1] == nil)
        #expect(answers[2]?.code == .limitExceeded)
        #expect(answers[2]?.message.contains("fs.inotify.max_user_watches") == true)
        // One that is given back can be used for another one, and one that is watched can be added again.
        #expect(await watch.add([try path("below")]) == [nil])
        watch.remove(try path("below"))
        #expect(await watch.add([try path("third")]) == [nil])
        try tree.put("third/new", "")
        try await told("third", watch)
    }

    @Test func moreChangesThanAreKeptAreEverything() async throws {
        let watch = try InotifyWatch(root(), changeLimit: 3)
        // So many that not all of them are read in pieces that are kept, however slow the machine is.
        let names = (0..<300).map { "folder \($0)" }
        for name in names { try tree.folder(name) }
        #expect(await watch.add(try names.map { try path($0) }).allSatisfy { $0 == nil })
        for name in names { try tree.put(name + "/new", "") }
        var seen = 0
        while true {
            if case .folders(let folders) = await watch.next() {
                seen += folders.count
                try #require(seen < names.count, "all were kept")
                continue
            }
            break
        }
        // What comes afterwards is told as before.
        try tree.put("folder 0/other", "")
        switch await watch.next() {
        case .folders(let folders): #expect(!folders.isEmpty)
        case .everything: break
        case .ended(let error): Issue.record(error)
        @unknown default: Issue.record("something new")
        }
    }

    @Test(arguments: [true, false])
    func aSourceThatIsGoneEndsTheWatch(_ isMoved: Bool) async throws {
        let outer = try TemporaryTree()
        try outer.folder("source")
        let watch = try InotifyWatch(
            RootFolder(path: Array("\(outer.path)/source".utf8), followsLinks: false, crossesFileSystems: false))
        #expect(await watch.add([.root]) == [nil])
        try outer.with(Array("source".utf8)) { old in
            var new = Array("\(outer.path)/elsewhere".utf8CString)
            return isMoved ? Glibc.rename(old, &new) : rmdir(old)
        }
        while true {
            guard case .ended(let error) = await watch.next() else { continue }
            #expect(error.code == .offline)
            break
        }
        #expect(await watch.add([.root]).first??.code != nil)
    }

    @Test func aFolderWithTwoNamesIsToldUnderBoth() async throws {
        try tree.link("second", to: "below")
        let watch = try InotifyWatch(root(followsLinks: true))
        #expect(await watch.add([try path("below"), try path("second")]) == [nil, nil])
        try tree.put("below/new", "")
        guard case .folders(let folders) = await watch.next() else { throw TemporaryTree.Failure(errno: 0) }
        #expect(folders == [try path("below"), try path("second")])
    }

    @Test func aLinkInPlaceOfAFolderIsNotWatched() async throws {
        try tree.link("link", to: "below")
        let watch = try InotifyWatch(root())
        #expect(await watch.add([try path("link")]).first??.code == .notAFile)
    }
}
