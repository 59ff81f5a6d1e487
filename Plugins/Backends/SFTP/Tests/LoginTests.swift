import SFTPBackend
import TestServers
import Testing
import VitrineKit

@Suite(.serialized, .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct LoginTests {
    @Test(arguments: ["ed25519", "ecdsa", "rsa"]) func keyFilesLetIn(type: String) async throws {
        let server = try SSHServer(keyType: type)
        try TestFile.makeFolder(server.root + "/here")
        let backend = try await connect(server)
        #expect(try await backend.stat(try ItemPath("here")).kind == .folder)
    }

    @Test func passphrasesOpenKeys() async throws {
        let server = try SSHServer()
        let arguments = ["-p", "-P", "", "-N", "open sesame", "-f", server.userKey]
        try ServerProcess.run("/usr/bin/ssh-keygen", arguments, in: server.process.folder)
        _ = try await connect(server, ["passphrase": "open sesame"])
        for wrong in ["-", "open"] {
            await #expect { _ = try await connect(server, ["passphrase": wrong]) } throws: {
                let error = $0 as? PluginError
                return error?.code == .unauthorized && error?.message.contains("passphrase") == true
            }
        }
    }

    @Test func agentsLetIn() async throws {
        let server = try SSHServer()
        let agent = try SSHAgent(holding: server.userKey, in: server.process.folder)
        _ = try await connect(server, ["key-file": "-", "agent": agent.socket])
        try agent.clear()
        await #expect { _ = try await connect(server, ["key-file": "-", "agent": agent.socket]) } throws: {
            let error = $0 as? PluginError
            return error?.code == .unauthorized && error?.message.contains("the agent") == true
        }
    }

    @Test func strangersStayOut() async throws {
        let (server, other) = (try SSHServer(), try SSHServer())
        await #expect { _ = try await connect(server, ["key-file": other.userKey, "password": "secret"]) } throws: {
            let error = $0 as? PluginError
            return error?.code == .unauthorized && error?.message.contains("key file") == true
                && error?.message.contains("secret") == false
        }
    }

    /// The library would wait for an answer all the time that there is to log in.
    @Test func aServerThatLeavesAfterTooManyTriesIsBelievedAtOnce() async throws {
        let (server, other) = (try SSHServer(options: "MaxAuthTries 1"), try SSHServer())
        await #expect {
            _ = try await connect(
                server, ["key-file": other.userKey, "connect-timeout": "30", "stall-timeout": "30"])
        } throws: {
            // Who waits says that the time is up.
            let error = $0 as? PluginError
            return error?.code == .unauthorized && error?.message.contains("tried: the key file.") == true
        }
    }

    @Test(
        .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"),
        arguments: [("secret", true), ("wrong", false)])
    func passwordsLetIn(password: String, isRight: Bool) async throws {
        let server = try RcloneServer(.sftp)
        try TestFile.write(server.root + "/a.txt", "content")
        let known = try server.knownHosts()
        func open() async throws -> [UInt8] {
            let backend = try await SFTPBackend(
                source: SourceURI("sftp://bob@127.0.0.1:\(server.port)/"),
                settings: BackendSettings(values: ["password": password, "known-hosts": known, "agent": ""]))
            return try await backend.open(try ItemPath("a.txt")).read(at: 2, count: 3)
        }
        if isRight {
            #expect(try await open() == Array("nte".utf8))
        } else {
            await #expect { _ = try await open() } throws: { ($0 as? PluginError)?.code == .unauthorized }
        }
    }

    @Test func urisHoldNoPasswords() async throws {
        for text in [
            "sftp://bob:secret@localhost/", "sftp:///path", "sftp://localhost:0/", "sftp://-x/", "sftp://h/../x",
            "sftp://h/x?secret",
        ] {
            await #expect {
                _ = try await SFTPBackend(source: SourceURI(text), settings: BackendSettings())
            } throws: {
                let error = $0 as? PluginError
                return error?.code == .invalidArgument && error?.message.contains("secret") == false
            }
        }
    }
}
