import CPlatform
import Containment
import Foundation
import Testing

/// Places that refuse some layers: the others stand, and what is missing is said.
@Suite struct DegradationTests {
    @Test(arguments: Contained.User.possible)
    func `inside Docker's profile only the namespaces are missing`(user: Contained.User) throws {
        let contained = try Contained(
            ["socket", "fork", "exec", "kill", "open:/etc/passwd"], as: user, options: ["--like-docker"])
        let report = try #require(contained.report)
        #expect(report[.namespaces] == .absent("Operation not permitted"))
        for layer in [.descriptors, .identity, .privileges, .dumps, .limits, .calls] as [Containment.Layer] {
            #expect(report[layer] == .active)
        }
        if vp_landlock_abi() > 0 { #expect(report[.files] == .active) }
        for (attempt, errno) in ["socket": ENOSYS, "fork": EAGAIN, "exec": ENOSYS, "kill": ENOSYS] {
            #expect(contained.errno(attempt) == errno, "\(attempt)")
        }
        #expect(contained.errno("open:/etc/passwd") == EACCES)
    }

    @Test(arguments: Contained.User.possible)
    func `inside an older Docker's profile Landlock is missing too, and seccomp still closes files`(
        user: Contained.User
    ) throws {
        let contained = try Contained(["open:/etc/passwd", "socket"], as: user, options: ["--like-old-docker"])
        let report = try #require(contained.report)
        for layer in [.files, .tcp, .signals] as [Containment.Layer] {
            guard case .absent(let reason) = report[layer] else {
                Issue.record("\(layer.rawValue) is not reported as absent")
                continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(report[.calls] == .active)
        #expect(Set(report.lacking.map(\.layer)) == [.namespaces, .files, .tcp, .signals])
        // Nothing is in the profile's list, so that no file opens even without Landlock.
        #expect(contained.errno("open:/etc/passwd") == EACCES)
        #expect(contained.errno("socket") == ENOSYS)
    }
}
