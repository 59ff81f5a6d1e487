import FTPBackend
import Glibc
import TestServers
import Testing
import VitrineKit
import VitrineTesting

@Suite(
    .serialized,
    .enabled(
        if: VSFTPServer.isInstalled, "vsftpd is not installed, or this is not root: 'make test' installs it"))
struct ServerTests {
    @Test func openingAsksNothing() async throws {
        let server = try VSFTPServer()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try TestFile.write(Array("\(server.root)/data".utf8), content)
        let backend = try await connect(server.port)
        let path = try ItemPath("data")
        let entry = try await backend.stat(path)
        #expect(entry.size == 300_000 && entry.modified != nil)
        let before = backend.traffic
        let source = try await backend.open(path, listedAs: entry)
        #expect(backend.traffic == before && !source.isPinned)
        #expect(try await source.read(at: 100_001, count: 70_000) == Array(content[100_001..<170_001]))
        #expect(try await source.read(at: 299_990, count: 70_000) == Array(content.suffix(10)))
        #expect(try await source.current() == entry)
        // Size and time once before the first range, and once more for the last question.
        #expect(backend.traffic.since(before).requests == 4)
    }

    /// vsftpd knows no MLSD: each first listing takes its refusal, and asks again on the same connection.
    @Test(.timeLimit(.minutes(10))) func aRefusedCommandIsNoWaitForAConnection() async throws {
        let server = try VSFTPServer()
        try TestFile.write(server.root + "/data", "content")
        for _ in 0..<60 {
            let backend = try await connect(server.port, ["connect-timeout": "3600", "timeout": "7200"])
            #expect(try await backend.stat(try ItemPath("data")).size == 7)
        }
    }

    @Test func whatChangedSinceItWasListedIsNotRead() async throws {
        let server = try VSFTPServer()
        try TestFile.write(server.root + "/data", "before")
        let backend = try await connect(server.port)
        let path = try ItemPath("data")
        let source = try await backend.open(path)
        try TestFile.write(server.root + "/data", "afterwards")
        await #expect { _ = try await source.read(at: 0, count: 3) } throws: { ($0 as? PluginError)?.code == .changed }
    }

    @Test func linksAndPathsAreWhatTheyAre() async throws {
        let server = try VSFTPServer()
        try TestFile.makeFolder(server.root + "/a")
        try TestFile.makeFolder(server.root + "/a/b;type=i")
        try TestFile.write(server.root + "/a/b;type=i/c", "content")
        try #require(symlink("../..", server.root + "/a/b;type=i/link") == 0)
        for path in ["a/b;type=i", "/a/b;type=i"] {
            let backend = try await connect(server.port, path: path)
            #expect(try await backend.stat(try ItemPath("link")).kind == .link)
            #expect(try await backend.open(try ItemPath("c")).read(at: 3, count: 99) == Array("tent".utf8))
            await #expect { _ = try await backend.open(try ItemPath("link")) } throws: {
                ($0 as? PluginError)?.code == .notAFile
            }
        }
        await #expect { _ = try await connect(server.port, path: "missing") } throws: {
            ($0 as? PluginError)?.message.contains("cannot enter the source") == true
        }
        for path in ["missing", "a/../a"] {
            await #expect(throws: PluginError.self) { _ = try await connect(server.port, path: path) }
        }
    }

    @Test func tlsIsUsedWhereItIsDemanded() async throws {
        let plain = try VSFTPServer()
        await #expect { _ = try await connect(plain.port, ["tls": "always"]) } throws: {
            ($0 as? PluginError)?.message.contains("no TLS") == true
        }
        let certified = try NginxServer(.valid)
        let folder = certified.process.folder.path
        let secure = try VSFTPServer(
            options: """
                ssl_enable=YES
                allow_anon_ssl=YES
                force_anon_logins_ssl=YES
                force_anon_data_ssl=YES
                require_ssl_reuse=NO
                ssl_ciphers=HIGH
                rsa_cert_file=\(folder)/certificate.pem
                rsa_private_key_file=\(folder)/key.pem
                """)
        try TestFile.write(secure.root + "/data", "content")
        await #expect { _ = try await connect(secure.port) } throws: {
            ($0 as? PluginError)?.message.contains("ca-file") == true
        }
        await #expect { _ = try await connect(secure.port, ["tls": "never"]) } throws: { $0 is PluginError }
        for tls in ["try", "always"] {
            let backend = try await connect(secure.port, ["tls": tls, "ca-file": certified.authority])
            #expect(try await backend.open(try ItemPath("data")).read(at: 0, count: 7) == Array("content".utf8))
        }
    }

    @Test func urisHoldNoPasswords() async throws {
        for (text, values) in [
            ("ftp://bob:secret@localhost/", [:]), ("ftp:///path", [:]), ("ftp://localhost/?secret", [:]),
            ("ftp://localhost/", ["tls": "perhaps"]), ("ftp://localhost/", ["user": "a", "password": "x\r\nDELE y"]),
            ("ftp://localhost/a%0D%0ADELE%20y", [:]),
        ] as [(String, [String: String])] {
            await #expect {
                _ = try await FTPBackend(source: SourceURI(text), settings: BackendSettings(values: values))
            } throws: {
                let error = $0 as? PluginError
                return [.invalidArgument, .notFound].contains(error?.code) && error?.message.contains("secret") == false
            }
        }
    }
}
