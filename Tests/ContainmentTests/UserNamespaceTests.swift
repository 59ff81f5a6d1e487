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
        #expect(UserNamespace(map: map)?.hasOrdinaryRootOnly == isOrdinary)
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

    @Test func `this process has one`() { #expect(UserNamespace.current != nil) }
}
