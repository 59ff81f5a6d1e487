import Glibc
import Testing

@testable import Containment

/// What root is in a user namespace.
@Suite struct UserNamespaceTests {
    @Test(arguments: [
        ("         0          0 4294967295\n", false), ("0 1000 1\n", true), ("0 1000 1\n1 100000 65536\n", false),
        ("0 1000 1\n1 100000 65533\n", true), ("0 0 1\n", false), ("0 100000 65536\n", false),
        ("1000 1000 1\n", false), ("65534 5 1\n", false),
    ])
    func `only a root who is somebody else outside, and nobody else inside, is ordinary`(map: String, isOrdinary: Bool)
    {
        #expect(UserNamespace(map: map)?.hasOrdinaryRootOnly(ownerOfRootsFiles: 65534) == isOrdinary)
        #expect(UserNamespace(map: map)?.hasOrdinaryRootOnly(ownerOfRootsFiles: 0) == false)
    }

    @Test(arguments: [
        "", "\n", "0 1000", "0 1000 x", "0 -1 1", "0 1 2 3", "99999999999 1 1", "0 1 18446744073709551615",
    ])
    func `what is no map is none`(map: String) { #expect(UserNamespace(map: map) == nil) }

    @Test func `those who are not in a map have no id`() {
        let map = UserNamespace(map: "0 1000 1\n10 100000 5\n")
        #expect([0, 10, 14].allSatisfy { map?.knows($0) == true })
        #expect([1, 9, 15, 65534, .max].allSatisfy { map?.knows($0) == false })
    }

    @Test func `this process has one`() {
        #expect(UserNamespace.current != nil && UserNamespace.ownerOfRootsFiles != nil)
    }

    /// Words before a program whose namespace's map tells of an ordinary user, who is the system's root.
    private static let rootBehindAnother = [
        "/usr/bin/unshare", "--user", "--map-user=1000", "--map-group=1000", "/usr/bin/unshare", "--user",
        "--map-root-user",
    ]

    private static var canHideRoot: Bool { getuid() == 0 && (try? Contained([], after: rootBehindAnother)) != nil }

    @Test(.enabled(if: canHideRoot, "only root can hide itself, where user namespaces can be had"))
    func `the system's root behind another number is not ordinary`() throws {
        let report = try #require(try Contained([], after: Self.rootBehindAnother).report)
        guard case .absent = report[.identity] else {
            Issue.record("it is \(report[.identity])")
            return
        }
    }
}
