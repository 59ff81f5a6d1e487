import Foundation
import Testing
import VitrineKit

@testable import PreviewCache

/// Links in the places of folders of the cache.
struct LinkTests {
    private let scratch: Scratch
    private let elsewhere: Scratch

    init() throws {
        scratch = try Scratch()
        elsewhere = try Scratch()
    }

    /// Puts a link to a folder with some rights in the place of one of the cache.
    private func link(_ place: String, rights: mode_t) throws -> String {
        let path = scratch.path + "/" + place
        try FileManager.default.createDirectory(atPath: Path.parent(path), withIntermediateDirectories: true)
        #expect(chmod(elsewhere.path, rights) == 0)
        #expect(symlink(elsewhere.path, path) == 0)
        return path
    }

    /// A standard preview, one of another size, and a failure.
    private func store(_ place: String) throws {
        switch place.split(separator: "/").last {
        case "large": try scratch.cache.store()
        case "fail":
            try scratch.cache.rememberFailure(PluginError(.corrupt, ""), of: Sample.subject, renderer: "")
        default: try scratch.cache.store(size: try PreviewSize(pixels: 300))
        }
    }

    private static let places = ["thumbnails/large", "thumbnails/fail", "vitrine/previews/tmp"]

    @Test(arguments: places)
    func aLinkOfOnesOwnToAFolderOfOnesOwnIsFollowed(place: String) throws {
        _ = try link(place, rights: 0o755)
        try store(place)
        // The user's own group is the user.
        #expect(chown(elsewhere.path, geteuid(), getegid()) == 0 && chmod(elsewhere.path, 0o770) == 0)
        try store(place)
        #expect(scratch.cache.refusal(of: [.large, try PreviewSize(pixels: 300)]) == nil)
        #expect(elsewhere.files.isEmpty == (place == "vitrine/previews/tmp"))
    }

    @Test(arguments: places)
    func aLinkToAFolderThatOthersMayWriteToIsRefused(place: String) throws {
        let path = try link(place, rights: 0o757)
        let error = try #require(throws: PluginError.self) { try store(place) }
        #expect(error.code == .forbidden && error.message.contains("'\(path)', which is a link to a folder to which"))
        #expect(elsewhere.files == [] && scratch.files == [])
        // A run is told before it begins, but for failures, without which it does.
        let refusal = scratch.cache.refusal(of: [.large, try PreviewSize(pixels: 300)])
        #expect(refusal == (place == "thumbnails/fail" ? nil : error))
    }

    @Test(arguments: ["thumbnails", "vitrine/previews"])
    func aStoreMayLieAnywhere(store: String) throws {
        // As on disks whose file system knows no rights.
        _ = try link(store, rights: 0o777)
        try scratch.cache.store()
        try scratch.cache.store(size: try PreviewSize(pixels: 300))
        #expect(scratch.cache.lookup(Sample.subject, size: .large) != .absent && elsewhere.files.count == 1)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make files of others"), arguments: places + ["thumbnails"])
    func aLinkOfAnotherUserIsRefused(place: String) throws {
        let path = try link(place, rights: 0o700)
        #expect(lchown(path, 65534, 65534) == 0)
        let error = try #require(throws: PluginError.self) { try place == "thumbnails" ? store("large") : store(place) }
        #expect(
            error.code == .forbidden && error.message.contains("'\(path)', which is a link that belongs to another"))
        #expect(elsewhere.files == [] && scratch.files == [])
    }

    @Test(arguments: ["thumbnails/large", "vitrine/previews/tmp"], [0o755, 0o757] as [mode_t])
    func whatDeadProcessesLeftIsRemovedOnlyWhereOneWouldWrite(place: String, rights: mode_t) throws {
        _ = try link(place, rights: rights)
        // A process that is no more: the number of one that was reaped.
        let gone = Process()
        gone.executableURL = URL(fileURLWithPath: "/bin/true")
        try gone.run()
        gone.waitUntilExit()
        let file = try elsewhere.file("vitrine-\(gone.processIdentifier)-1.tmp")
        let anHourAgo = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: anHourAgo], ofItemAtPath: file)
        #expect(scratch.cache.removeAbandonedFiles() == (rights == 0o755 ? 1 : 0))
        #expect(FileManager.default.fileExists(atPath: file) == (rights != 0o755))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make files of others"), arguments: [0, 65534] as [uid_t])
    func nothingIsCountedOrLockedBehindALinkOfAnotherUser(owner: uid_t) throws {
        let path = try link("vitrine/previews", rights: 0o700)
        #expect(lchown(path, owner, owner) == 0)
        let usage = UsageFile(folder: path)
        #expect((usage.update { $0 = UsageFile.Usage(bytes: 1, counted: 1) } != nil) == (owner == 0))
        #expect((CollectionLock(path) != nil) == (owner == 0))
        #expect(elsewhere.files.isEmpty == (owner != 0))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make files of others"), arguments: places)
    func aLinkToAFolderOfAnotherUserIsRefused(place: String) throws {
        let path = try link(place, rights: 0o700)
        #expect(chown(elsewhere.path, 65534, 65534) == 0)
        let error = try #require(throws: PluginError.self) { try store(place) }
        #expect(error.code == .forbidden && error.message.contains("'\(path)', which is a link to a folder of another"))
        #expect(elsewhere.files == [])
    }
}
