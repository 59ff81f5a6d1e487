import Foundation
import TestSupport
import Testing

/// `vitrine account` with a real keyring, on a bus of its own.
@Suite(.timeLimit(.minutes(2))) struct AccountTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private struct Ending {
        var status: Int32
        var output: String
    }

    /// Runs shell lines in a home of their own.
    private func shell(_ lines: String, bus: Bool) throws -> Ending {
        let process = Process()
        // The thread of a test may have all signals blocked, and what inherits that cannot be ended: a bus would stay.
        let unblock = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            ["-c", unblock] + (bus ? ["/usr/bin/dbus-run-session", "--"] : []) + ["/bin/bash", "-euc", lines]
        process.environment = [
            "PATH": Products.folder.path + ":/usr/bin:/bin", "HOME": scratch.path, "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": scratch.path + "/run", "TMPDIR": scratch.path,
        ]
        try FileManager.default.createDirectory(
            atPath: scratch.path + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Ending(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    private static let secret = "correct horse battery"

    @Test func `a keyring keeps the secrets, and nothing else has them`() throws {
        let ending = try shell(
            """
            printf 'login' | gnome-keyring-daemon --unlock --components=secrets > keyring.log 2>&1
            printf '%s\\n' '\(Self.secret)' | vitrine account add work davs://cloud.example/team --user anna
            vitrine account list
            vitrine account list --json
            vitrine account remove work
            vitrine account list
            """.replacingOccurrences(of: "keyring.log", with: scratch.path + "/keyring.log"), bus: true)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("in your keyring"), "\(ending.output)")
        #expect(ending.output.contains("user=anna"))
        #expect(ending.output.contains(#""secretsIn":"secret-service""#))
        #expect(ending.output.contains("there is no account"))
        #expect(!ending.output.contains(Self.secret))
        try nothingHolds(Self.secret)
    }

    @Test func `without a keyring a file keeps them, which says so`() throws {
        let ending = try shell(
            """
            printf '%s\\nsecond\\n' '\(Self.secret)' \
                | vitrine account add store s3://bucket --secret secret-key --secret session-token --set region=x
            vitrine account list
            ! vitrine account add more s3://other --set password=x
            """, bus: false)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("a file that only you can read"))
        #expect(ending.output.contains("secret-key, session-token (file)"))
        #expect(ending.output.contains("does not belong on a command line"))
        #expect(!ending.output.contains(Self.secret))
        let file = scratch.path + "/.local/share/vitrine/secrets"
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(Self.secret))
        #expect(try shell("vitrine account remove store", bus: false).status == 0)
        try nothingHolds(Self.secret)
    }

    /// Looks through every file of the home.
    private func nothingHolds(_ text: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) {
            guard let bytes = FileManager.default.contents(atPath: scratch.path + "/" + name) else { continue }
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name) holds the secret")
        }
    }
}
