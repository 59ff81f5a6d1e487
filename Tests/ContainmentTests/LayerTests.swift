import CPlatform
import Containment
import Foundation
import Testing

/// What stands on this system. A kernel without a layer makes the test of that layer skip, not pass.
@Suite struct LayerTests {
    static let landlock = vp_landlock_abi()

    @Test(arguments: Contained.User.possible)
    func `no layer is broken, and those that every system has are active`(user: Contained.User) throws {
        let report = try #require(try Contained([], as: user).report)
        for layer in report.layers {
            if case .broken(let reason) = layer.state { Issue.record("\(layer.layer.rawValue) is broken: \(reason)") }
        }
        for layer in [.descriptors, .identity, .privileges, .dumps, .limits, .calls] as [Containment.Layer] {
            #expect(report[layer] == .active)
        }
    }

    @Test(.enabled(if: landlock >= 6), arguments: Contained.User.possible)
    func `Landlock holds files, TCP and signals`(user: Contained.User) throws {
        let report = try #require(try Contained([], as: user).report)
        #expect(report[.files] == .active)
        #expect(report[.tcp] == .active)
        #expect(report[.signals] == .active)
    }

    @Test(arguments: Contained.User.possible)
    func `what attacks need is refused by seccomp`(user: Contained.User) throws {
        let expected: [String: Int32] = [
            "socket": ENOSYS, "local-socket": ENOSYS, "fork": EAGAIN, "spawn": EAGAIN, "exec": ENOSYS, "kill": ENOSYS,
            "chmod": ENOSYS, "unshare": ENOSYS, "uring": ENOSYS, "thread": EAGAIN, "execute-memory": EPERM,
        ]
        let contained = try Contained(Array(expected.keys), as: user)
        for (attempt, errno) in expected { #expect(contained.errno(attempt) == errno, "\(attempt)") }
    }

    @Test(arguments: ["ptrace": SIGSYS, "abort": SIGABRT])
    func `calls that only an attack makes end the process, and abort still works`(attempt: String, signal: Int32) throws
    {
        #expect(try Contained([attempt]).signal == signal)
    }

    @Test func `a forgotten descriptor is closed`() throws {
        #expect(try Contained(["descriptor"]).errno("descriptor") == EBADF)
    }

    @Test func `memory ends at the limit`() throws {
        let size = 512 << 20
        let contained = try Contained(
            ["map:\(size)", "map:4096", "allocate", "raise-limit"], options: ["--address-space", "\(size)"])
        #expect(contained.errno("map:\(size)") == ENOMEM)
        #expect(contained.errno("map:4096") == 0)
        #expect(contained.errno("allocate") == ENOMEM)
        #expect(contained.errno("raise-limit") != 0)
    }

    @Test func `a worker that spins with signals blocked ends when its processor time is used up`() throws {
        let contained = try Contained(["spin"], options: ["--processor-time", "1"])
        #expect(contained.signal == SIGKILL)
    }

    @Test func `the calls by which a thread makes itself known when it begins are left to every worker`() throws {
        let contained = try Contained(["rseq", "set_robust_list"])
        // The answer of the kernel to nothing at all; the filter's would be ENOSYS.
        #expect(contained.errno("rseq") == EINVAL)
        #expect(contained.errno("set_robust_list") == EINVAL)
    }

    @Test func `threads start only with the profile, and processes not even then`() throws {
        let profile = try ContainmentProfile(threads: true)
        let contained = try Contained(["thread", "fork", "spawn"], profile: profile)
        #expect(contained.errno("thread") == 0)
        #expect(contained.errno("fork") == EAGAIN)
        #expect(contained.errno("spawn") == EAGAIN)
    }

    @Test func `a profile that loads libraries may map executable memory and is refused politely`() throws {
        let profile = try ContainmentProfile(threads: true, loadsLibraries: true)
        let contained = try Contained(["execute-memory", "socket", "exec", "kill", "ptrace", "fork"], profile: profile)
        #expect(contained.errno("execute-memory") == 0)
        for attempt in ["socket", "exec", "kill", "ptrace"] { #expect(contained.errno(attempt) == EPERM, "\(attempt)") }
        #expect(contained.errno("fork") == EAGAIN)
    }
}
