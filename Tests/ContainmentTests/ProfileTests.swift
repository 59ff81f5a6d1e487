import Containment
import Foundation
import Testing
import VitrineKit

@Suite struct ProfileTests {
    private func decode(_ json: String) throws -> ContainmentProfile {
        try JSONDecoder().decode(ContainmentProfile.self, from: Data(json.utf8))
    }

    @Test func `an empty object is the strictest profile`() throws {
        #expect(try decode("{}") == .strictest)
    }

    @Test func `a profile survives JSON`() throws {
        let profile = try ContainmentProfile(
            calls: ["pread64", "rename"], threads: true, read: ["/usr/share/fonts"], privateFolder: true,
            loadsLibraries: true)
        #expect(try JSONDecoder().decode(ContainmentProfile.self, from: JSONEncoder().encode(profile)) == profile)
    }

    @Test(arguments: [
        "socket", "connect", "execve", "fork", "clone", "ptrace", "kill", "openat", "mprotect", "prctl", "ioctl",
        "chmod",
        "unshare", "mount", "io_uring_setup", "no_such_call", "",
    ])
    func `calls that cannot be granted are refused by name`(call: String) throws {
        let failure = try #require(throws: PluginError.self) { try decode(#"{ "calls": ["read", "\#(call)"] }"#) }
        #expect(failure.code == .invalidArgument)
        #expect(failure.message.contains("'\(call)'"))
    }

    @Test func `calls that write files need a private folder`() throws {
        #expect(throws: PluginError.self) { try ContainmentProfile(calls: ["unlink"]) }
        #expect(try ContainmentProfile(calls: ["unlink"], privateFolder: true).calls == ["unlink"])
    }

    @Test(arguments: [
        "/", "//", "", "usr/share", "/usr/../home", "/usr/./share", "/home/somebody/Documents", "/root", "/etc",
        "/proc",
        "/proc/1/mem", "/dev/sda", "/tmp", "/usr/share\0/x",
    ])
    func `paths that hold more than a library's data are refused`(path: String) {
        #expect(throws: PluginError.self) { try ContainmentProfile(read: [path]) }
    }

    @Test(arguments: ["/usr", "/usr/share/fonts", "/etc/fonts", "/proc/self", "/dev/null", "/var/cache/fontconfig"])
    func `paths of the known renderers are accepted`(path: String) throws {
        #expect(try ContainmentProfile(read: [path]).read == [path])
    }

    @Test func `endless lists are refused`() {
        #expect(throws: PluginError.self) { try ContainmentProfile(calls: Array(repeating: "read", count: 129)) }
        #expect(throws: PluginError.self) { try ContainmentProfile(read: Array(repeating: "/usr/share", count: 65)) }
    }
}
