import Foundation
import TestSupport
import Testing

/// How a run is started: workers find other layers of containment in each.
enum Surroundings: String, CaseIterable, CustomTestStringConvertible {
    case asStarted = "as the user of the tests"
    case asNobody = "as nobody"
    case withoutNamespaces = "without user namespaces"

    /// Those that this process can make: only root can become somebody else.
    static var possible: [Surroundings] { geteuid() == 0 ? allCases : [.asStarted, .withoutNamespaces] }

    var testDescription: String { rawValue }

    /// The program, with its arguments, that runs the words that follow in these surroundings.
    func prefix() throws -> [String] {
        switch self {
        case .asStarted: return []
        case .asNobody:
            var device = stat()
            try #require(
                stat("/dev/null", &device) == 0 && device.st_mode & 0o666 == 0o666,
                "no program of an ordinary user can run here: chmod 666 /dev/null")
            return ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        // What Docker's default profile refuses; Landlock and seccomp stay.
        case .withoutNamespaces: return [Products.program("ContainmentProbe"), "--like-docker", "--exec"]
        }
    }
}
