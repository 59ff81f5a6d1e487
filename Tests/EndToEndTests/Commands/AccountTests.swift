import Foundation
import TestServers
import TestSupport
import Testing
import VitrineTesting

/// `vitrine account` with a real keyring, on a bus of its own.
@Suite(.timeLimit(.minutes(10))) struct AccountTests {
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
            "VITRINE_PLUGIN_PATH": Products.checkout.appending(path: "Plugins").path,
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
            printf '%s\\n' '\(Self.secret) staple' | vitrine account login work
            vitrine account remove work
            vitrine account list
            """.replacingOccurrences(of: "keyring.log", with: scratch.path + "/keyring.log"), bus: true)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("its secrets are in your keyring"), "\(ending.output)")
        #expect(ending.output.contains("from now on; its secrets are in your keyring"), "\(ending.output)")
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

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func `a password that was changed is asked for, and what was listed stays`() throws {
        let server = try RcloneServer(.webdav)
        try FileManager.default.copyItem(
            at: Products.fixtures.appending(path: "image/alpha.png"), to: URL(filePath: server.root + "/a.png"))
        let uri = "dav://127.0.0.1:\(server.port)"
        let ending = try shell(
            """
            echo secret | vitrine account add work \(uri) --user bob
            vitrine prebuild \(uri)
            # Another password by now.
            sed -i 's/^password=secret$/password=\(Self.secret)/' "$HOME/.local/share/vitrine/secrets"
            ! vitrine prebuild \(uri)
            ! vitrine account login work --set usr=bob < /dev/null
            ! vitrine account login work --set password=x < /dev/null
            ! vitrine account login work --login code < /dev/null
            ! vitrine account login work --user eve < /dev/null
            vitrine account list
            echo secret | vitrine account login work --set rate=100
            vitrine account list
            vitrine prebuild \(uri)
            vitrine find a.png
            vitrine account add bare sftp://host.example
            ! vitrine account login bare
            vitrine account login bare --user bob
            """, bus: false)
        #expect(ending.status == 0, "\(ending.output)")
        for words in [
            "1 made", "'vitrine account login work' asks for another password", "did you mean 'user'?",
            "--login makes no sense beside a secret", "no password was given", " user=bob  ",
            "'work' asks with that from now on", "rate=100 user=bob",
            "0 made, 1 valid",
            "a.png", "has no secrets to ask for", "'bare' asks with that from now on; it has no secrets",
        ] { #expect(ending.output.contains(words), "\(words): \(ending.output)") }
        #expect(!ending.output.contains(Self.secret) && !ending.output.contains("user=eve"))
        try nothingHolds(Self.secret)
    }

    @Test func `a setting that its backend never reads is refused, and nothing is kept`() throws {
        let ending = try shell(
            """
            ! vitrine account add a s3://bucket --set regoin=x --secret secret-key < /dev/null
            ! vitrine account add b davs://cloud.example --user anna --secret passwrd < /dev/null
            ! vitrine account add c rclone:drive: --user anna < /dev/null
            ! vitrine account add d file:///srv --set speed=high
            ! vitrine account add e box: --set clientid=x
            ! vitrine account add f archive:file:///srv/photos.zip --set any=thing
            vitrine account list
            for scheme in sftp ftps feed dav imaps; do
                echo secret | vitrine account add $scheme $scheme://host.example --user anna --set rate=5
            done
            """, bus: false)
        #expect(ending.status == 0, "\(ending.output)")
        for words in [
            "'regoin' is no setting of 's3' (did you mean 'region'?); there are access-key, ",
            "'passwrd' is no setting of 'webdav' (did you mean 'password'?)", "'user' is no setting of 'rclone'",
            "'speed' is no setting of 'local'; it has none",
            "'clientid' is no setting of 'box' (did you mean 'client-id'?)",
            "nobody logs in to 'archive:'; add an account for the storage that the archive lies on",
            "there is no account", "'imaps' is imaps://host.example",
        ] { #expect(ending.output.contains(words), "\(words): \(ending.output)") }
    }

    /// The service is a stub of Box; curl stands for a browser.
    @Test(.enabled(if: ServiceStub.isInstalled, "python3 is not installed: 'make test' installs it"))
    func `a service is logged in to in a browser, read, and left again`() throws {
        let stub = try ServiceStub.box()
        try stub.configure(#"{"secret": "\#(Self.secret)"}"#)
        try FileManager.default.copyItem(
            at: Products.fixtures.appending(path: "image/alpha.png"), to: URL(filePath: stub.root + "/a.png"))
        let ending = try shell(
            """
            printf '%s\n' '\(Self.secret)' | vitrine account add mine box: --set client-id=vitrine-test \
                --set redirect-port=0 --set api-url=\(stub.url)/2.0 --set download-hosts=127.0.0.1:\(stub.downloadPort) \
                --set authorization-url=\(stub.url)/oauth2/authorize --set token-url=\(stub.url)/oauth2/token \
                --set revocation-url=\(stub.url)/oauth2/revoke 2> "$HOME/steps" &
            until address=$(grep -o 'http://[^ ]*authorize?[^ ]*' "$HOME/steps"); do kill -0 $!; done
            if grep -azqF '\(Self.secret)' /proc/$!/cmdline /proc/$!/environ; then echo 'others can see it'; fi
            curl --silent --location --noproxy '*' "$address"
            wait
            vitrine account list
            # No secret goes to a proxy on the way to this machine itself; nobody listens there.
            export http_proxy=http://127.0.0.1:1
            vitrine prebuild box:
            vitrine find a.png
            printf '%s' '{"secret": "\(Self.secret)", "revoke_status": 503}' > '\(stub.process.folder.path)/config.json'
            vitrine account remove mine
            vitrine find a.png || [ $? -eq 1 ]
            ! vitrine prebuild box:
            """, bus: false)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("You are logged in to Box") && !ending.output.contains("others can see it"))
        #expect(
            ending.output.contains("a file that only you can read") && ending.output.contains("oauth-tokens (file)"))
        #expect(ending.output.contains("1 made") && ending.output.contains("a.png"))
        #expect(
            ending.output.contains("was not told to forget") && ending.output.contains("nobody is logged in to Box"))
        for word in [Self.secret, "access-", "refresh-"] {
            #expect(!ending.output.contains(word), "\(ending.output)")
            try nothingHolds(word)
        }
        #expect(stub.seen.contains { $0.contains("revoke") && $0.contains("refresh-") })
    }

    @Test(.enabled(if: ServiceStub.isInstalled, "python3 is not installed: 'make test' installs it"))
    func `a secret that was changed at the service is asked for, and what is interrupted can be ended`() throws {
        let stub = try ServiceStub.box()
        try stub.configure(#"{"secret": "first", "interval": 1}"#)
        let ending = try shell(
            """
            export http_proxy=http://127.0.0.1:1
            printf 'first\n' | vitrine account add mine box: --set client-id=vitrine-test \
                --set device-url=\(stub.url)/oauth2/device --set token-url=\(stub.url)/oauth2/token \
                --set revocation-url=\(stub.url)/oauth2/revoke
            printf '%s' '{"secret": "second", "interval": 1}' > '\(stub.process.folder.path)/config.json'
            printf 'second\n' | vitrine account login mine
            grep -q '^client-secret=second$' "$HOME/.local/share/vitrine/secrets"
            printf '[[broken' > "$HOME/.config/vitrine/config"
            ! vitrine account remove mine
            rm "$HOME/.config/vitrine/config"
            vitrine account list
            vitrine account remove mine
            """, bus: false)
        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("or not its secret") && ending.output.contains("logged in anew"))
        #expect(ending.output.contains("oauth-tokens (file)") && ending.output.contains("took its tokens back"))
    }

    /// Looks through every file of the home.
    private func nothingHolds(_ text: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.path) {
            guard let bytes = FileManager.default.contents(atPath: scratch.path + "/" + name) else { continue }
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name) holds the secret")
        }
    }
}
