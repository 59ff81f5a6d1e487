import CPlatform
import Containment
import Foundation
import Testing

/// Who may open what. Landlock is tested where the kernel has it; the list of system calls everywhere.
@Suite struct FileTests {
    static let landlock = vp_landlock_abi() > 0

    @Test(arguments: Contained.User.possible)
    func `without a path in the profile no file opens`(user: Contained.User) throws {
        let folder = try TemporaryFolder()
        let canary = try folder.file("canary").path
        let attempts = ["open:/etc/passwd", "open:/", "open:/usr/share", "open:/proc/self/environ", "open:\(canary)"]
        let contained = try Contained(attempts, as: user)
        for attempt in attempts { #expect(contained.errno(attempt) == EACCES, "\(attempt)") }
    }

    @Test(.enabled(if: landlock), arguments: Contained.User.possible)
    func `the paths of the profile open for reading, and nothing beside them`(user: Contained.User) throws {
        let folder = try TemporaryFolder()
        let allowed = try folder.folder("allowed")
        let inside = try folder.file("allowed/inside").path
        let outside = try folder.file("outside").path
        try FileManager.default.createSymbolicLink(
            at: allowed.appending(path: "link"), withDestinationURL: URL(filePath: outside))
        let profile = try ContainmentProfile(read: [allowed.path, "/usr/share/does-not-exist"])
        let contained = try Contained(
            [
                "open:\(inside)", "open:\(allowed.path)", "open:\(outside)", "open:\(allowed.path)/../outside",
                "open:\(allowed.path)/link", "append:\(inside)", "create:\(allowed.path)/new",
            ], as: user, profile: profile)
        #expect(contained.report?[.files] == .active)
        #expect(contained.errno("open:\(inside)") == 0)
        #expect(contained.errno("open:\(allowed.path)") == 0)
        #expect(contained.errno("open:\(outside)") == EACCES)
        #expect(contained.errno("open:\(allowed.path)/../outside") == EACCES)
        #expect(contained.errno("open:\(allowed.path)/link") == EACCES)
        #expect(contained.errno("append:\(inside)") == EACCES)
        #expect(contained.errno("create:\(allowed.path)/new") == EACCES)
    }

    @Test(.enabled(if: landlock), arguments: ["/lib", "/usr/", "/usr//lib", "/usr/lib/"])
    func `links and odd spellings in a profile are not taken for holes`(path: String) throws {
        let profile = try ContainmentProfile(read: [path])
        let contained = try Contained(["open:/usr/lib", "open:/etc/passwd"], profile: profile)
        #expect(contained.report?[.files] == .active)
        #expect(contained.errno("open:/usr/lib") == 0)
        #expect(contained.errno("open:/etc/passwd") == EACCES)
    }

    @Test(.enabled(if: landlock), arguments: Contained.User.possible)
    func `files are written in the private folder only, and links lead nowhere`(user: Contained.User) throws {
        let folder = try TemporaryFolder()
        let own = try folder.folder("private", owner: user == .nobody ? uid_t(VP_NOBODY) : nil)
        let other = try folder.folder("other", owner: uid_t(VP_NOBODY))
        try FileManager.default.createSymbolicLink(
            at: own.appending(path: "link"), withDestinationURL: other.appending(path: "target"))
        let profile = try ContainmentProfile(calls: ["unlink"], privateFolder: true)
        let contained = try Contained(
            [
                "create:\(own.path)/new", "unlink:\(own.path)/new", "create:\(other.path)/new",
                "create:\(own.path)/link", "open:/etc/passwd", "append:/etc/passwd",
            ], as: user, profile: profile, privateFolder: own)
        #expect(contained.report?[.files] == .active)
        #expect(contained.errno("create:\(own.path)/new") == 0)
        #expect(contained.errno("unlink:\(own.path)/new") == 0)
        #expect(contained.errno("create:\(other.path)/new") == EACCES)
        #expect(contained.errno("create:\(own.path)/link") != 0)
        #expect(contained.errno("open:/etc/passwd") == EACCES)
        #expect(contained.errno("append:/etc/passwd") == EACCES)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
    }

    @Test(.enabled(if: getuid() == 0)) func `root gives the private folder to nobody and stops being root`() throws {
        let folder = try TemporaryFolder()
        let own = try folder.folder("private")
        let secret = try folder.file("secret").path
        chmod(secret, 0o600)
        let profile = try ContainmentProfile(read: [secret], privateFolder: true)
        let contained = try Contained(
            ["create:\(own.path)/new", "open:\(secret)"], profile: profile, privateFolder: own)
        #expect(contained.report?[.identity] == .active)
        #expect(contained.errno("create:\(own.path)/new") == 0)
        // The profile allows it, and the rights of the file do not.
        #expect(contained.errno("open:\(secret)") == EACCES)
        var status = stat()
        #expect(stat(own.appending(path: "new").path, &status) == 0)
        #expect(status.st_uid == uid_t(VP_NOBODY))
    }
}
