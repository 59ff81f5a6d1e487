import Glibc
import Synchronization
import TestServers
import Testing
import VitrineKit
import VitrineTesting
import WebDAVBackend

@Suite(.serialized) struct WritingTests {
    @Test(.enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"))
    func conformsOnApache() async throws {
        let server = try ApacheServer()
        let suite = WritableConformance { try await connect(server.port) }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(
        .enabled(if: ApacheServer.isInstalled && SmallDisk.isAllowed, "needs apache2, and root to mount a small disk"))
    func conformsOnSmallDisks() async throws {
        let server = try ApacheServer()
        try TestFile.makeFolder(server.root + "/small")
        let small = try SmallDisk(on: server.root + "/small", mebibytes: 2)
        let suite = WritableConformance(
            large: 300_000,
            small: { .init(try await connect(server.port, path: "small"), tooMany: 3 << 20) }
        ) { try await connect(server.port) }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
        withExtendedLifetime(small) {}
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func conformsOnNginx() async throws {
        // Apache says of what it may not write only that it failed.
        let server = try NginxServer(
            location: """
                set $refused ""; if ($request_method ~ "PUT|MKCOL") { set $refused 1; }
                if ($uri ~ ^/closed/.) { set $refused "${refused}2"; } if ($refused = 12) { return 403; }
                """)
        try TestFile.makeFolder(server.root + "/closed")
        let isHidden: @Sendable ([UInt8]) -> Bool = { $0.first == UInt8(ascii: ".") }
        let suite = WritableConformance(leavesOut: isHidden, forbidden: try ItemPath("closed")) {
            try await connect(server.port)
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(.enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"))
    func conformsOnRclone() async throws {
        let server = try RcloneServer(.webdav)
        // To it, both ways to write é are one.
        let suite = WritableConformance(names: .text, leavesOut: { $0.starts(with: "e\u{301}".utf8) }) {
            try await connect(server.port, ["user": "bob", "password": "secret"])
        }
        let violations = await suite.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test(
        .enabled(if: RcloneServer.program != nil, "rclone is not installed: 'make test' installs it"),
        arguments: ["MD5", "SHA1"])
    func tellsAndComparesChecksums(hash: String) async throws {
        let server = try RcloneServer(.webdav, options: ["--etag-hash", hash])
        let backend = try await connect(server.port, ["user": "bob", "password": "secret"])
        let sum = try #require(
            hash == "MD5"
                ? Checksum(.md5, hexadecimal: "5289df737df57326fcdd22597afb1fac")
                : Checksum(.sha1, hexadecimal: "7037807198c22a7d2b0807371d763779a84fdfcf"))
        let wrong = Checksum(sum.algorithm, [UInt8](repeating: 0, count: sum.bytes.count))
        for (name, told) in [("good", sum), ("bad", wrong)] {
            let path = try ItemPath(name)
            let transaction = try await backend.write(
                path, FileDraft(size: 3, modified: Timestamp(seconds: 1_500_000_000)))
            try await transaction.append([1, 2, 3], at: 0)
            if name == "good" {
                #expect(try await transaction.commit(.ifAbsent, content: [told]).checksum == sum)
                #expect(try await backend.checksums(of: path) == [sum])
                #expect(try await backend.stat(path).modified?.seconds == 1_500_000_000)
            } else {
                let error = await #expect(throws: PluginError.self) {
                    try await transaction.commit(.ifAbsent, content: [told])
                }
                #expect(error?.code == .changed)
                await transaction.abandon()
                let left = await #expect(throws: PluginError.self) { try await backend.stat(path) }
                #expect(left?.code == .notFound)
            }
        }
    }

    @Test(
        .enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"),
        arguments: [ApacheServer.Login.basic, .digest])
    func sendsPasswordsAlong(login: ApacheServer.Login) async throws {
        let server = try ApacheServer(login)
        let backend = try await connect(server.port, ["user": "bob ü", "password": "se:cret"])
        for number in 0..<3 {
            let path = try ItemPath("\(number)")
            let bytes = [UInt8](repeating: UInt8(number), count: 3_000_000)
            let transaction = try await backend.write(path, FileDraft(size: Int64(bytes.count)))
            try await transaction.append(bytes, at: 0)
            _ = try await transaction.commit(.ifAbsent, content: [])
            #expect(try await backend.stat(path).size == 3_000_000)
        }
    }

    /// A server that decodes a new name before it takes it apart, as WsgiDAV does: `what?.png` is `what` to it.
    private func misreader(_ server: ApacheServer) throws -> FaultProxy {
        let root = server.root
        return try FaultProxy(before: server.port) { request in
            guard request.method == "MOVE", let new = request.headers["destination"],
                let end = new.firstRange(of: "%3F"),
                let name = new[..<end.lowerBound].split(separator: "/").last,
                let from = PercentEncoding.decode(request.target)
            else { return nil }
            let to = root + "/" + name
            if request.headers["overwrite"] == "F", access(to, F_OK) == 0 { return .answer(status: 412, headers: []) }
            rename(root + String(decoding: from, as: UTF8.self), to)
            return .answer(status: 201, headers: [])
        }
    }

    @Test(
        .enabled(if: ApacheServer.isInstalled, "apache2 is not installed: 'make test' installs it"),
        arguments: [WriteCondition.replacing, .ifAbsent])
    func aServerThatMisreadsNewNamesReplacesNothing(condition: WriteCondition) async throws {
        let server = try ApacheServer()
        try TestFile.write(server.root + "/what", "kept")
        let proxy = try misreader(server)
        let backend = try await connect(proxy.port)
        for (name, words) in [("what?.png", "nothing was written"), ("new?.png", "another name there now")] {
            let transaction = try await backend.write(try ItemPath(name), FileDraft(size: 1))
            try await transaction.append([1], at: 0)
            let error = await #expect(throws: PluginError.self) { try await transaction.commit(condition, content: []) }
            #expect(
                error?.code == .unsupported && error?.message.contains(words) == true, "\(String(describing: error))")
            await transaction.abandon()
        }
        #expect(TestFile.text(server.root + "/what") == "kept")
        // Where the same path is read as it is meant, it is written.
        let direct = try await connect(server.port)
        let transaction = try await direct.write(try ItemPath("what?.png"), FileDraft(size: 1))
        try await transaction.append([1], at: 0)
        _ = try await transaction.commit(condition, content: [])
        var names: Set<String> = []
        for try await page in direct.list(.root) {
            names.formUnion(page.map { String(decoding: $0.name, as: UTF8.self) })
        }
        #expect(names == ["what", "what?.png", "new"])
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func aServerThatCannotRenameGetsNothing() async throws {
        let server = try NginxServer(location: "if ($request_method = MOVE) { return 405; }")
        let backend = try await connect(server.port)
        let transaction = try await backend.write(try ItemPath("file"), FileDraft(size: 1))
        try await transaction.append([1], at: 0)
        let error = await #expect(throws: PluginError.self) { try await transaction.commit(.ifAbsent, content: []) }
        #expect(error?.code == .unsupported)
        await transaction.abandon()
        #expect(access(server.root + "/file", F_OK) != 0)
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func whatIsSmallIsSentAgainWhenAConnectionIsDead() async throws {
        let server = try NginxServer()
        let first = Mutex(true)
        let proxy = try FaultProxy(before: server.port) { request in
            guard request.method == "PUT" else { return nil }
            return first.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .reset : nil
            }
        }
        let backend = try await connect(proxy.port)
        let path = try ItemPath("file")
        let bytes = (0..<500_000).map { UInt8($0 % 251) }
        let transaction = try await backend.write(path, FileDraft(size: Int64(bytes.count)))
        try await transaction.append(bytes, at: 0)
        _ = try await transaction.commit(.ifAbsent, content: [])
        #expect(try await backend.open(path).read(at: 0, count: 600_000) == bytes)
    }

    static let faults: [(Fault, PluginError.Code)] = [
        (.answer(status: 507, headers: []), .noSpace), (.answer(status: 403, headers: []), .forbidden),
        (.answer(status: 401, headers: []), .unauthorized), (.answer(status: 500, headers: []), .io),
        (.reset, .io), (.redirect(to: "http://example.org/elsewhere"), .io),
    ]

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"), arguments: faults)
    func whatIsRefusedHalfWayIsNotSeen(fault: Fault, code: PluginError.Code) async throws {
        let server = try NginxServer()
        let proxy = try FaultProxy(before: server.port) { $0.method == "PUT" ? fault : nil }
        let backend = try await connect(proxy.port)
        let transaction = try await backend.write(try ItemPath("file"), FileDraft(size: 8 << 20))
        let error = await #expect(throws: PluginError.self) {
            for number in 0..<8 {
                try await transaction.append([UInt8](repeating: 1, count: 1 << 20), at: Int64(number) << 20)
            }
            _ = try await transaction.commit(.ifAbsent, content: [])
        }
        #expect(error?.code == code)
        await transaction.abandon()
        // What is large is sent once, and nowhere else.
        #expect(proxy.requests.filter { $0.method == "PUT" }.count == 1)
        #expect(access(server.root + "/file", F_OK) != 0)
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
    func whatWasRenamedWithoutAnAnswerIsThere() async throws {
        let server = try NginxServer()
        let proxy = try FaultProxy(before: server.port) { $0.method == "MOVE" ? .lose : nil }
        let backend = try await connect(proxy.port)
        let path = try ItemPath("file")
        let transaction = try await backend.write(path, FileDraft(size: 3))
        try await transaction.append([1, 2, 3], at: 0)
        _ = try await transaction.commit(.ifAbsent, content: [])
        await transaction.abandon()
        #expect(try await backend.open(path).read(at: 0, count: 9) == [1, 2, 3])
        var names: [[UInt8]] = []
        for try await page in backend.list(.root) { names += page.map(\.name) }
        #expect(names == [Array("file".utf8)])
    }

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"),
        arguments: [(Fault.answer(status: 207, headers: []), false), (.reset, true)])
    func whatAServerMayStillBeMovingIsNotTakenAway(fault: Fault, isKept: Bool) async throws {
        let server = try NginxServer()
        let proxy = try FaultProxy(before: server.port) { $0.method == "MOVE" ? fault : nil }
        let backend = try await connect(proxy.port)
        let transaction = try await backend.write(try ItemPath("file"), FileDraft(size: 1))
        try await transaction.append([1], at: 0)
        await #expect(throws: PluginError.self) { try await transaction.commit(.ifAbsent, content: []) }
        await transaction.abandon()
        #expect(proxy.requests.contains { $0.method == "DELETE" } == !isKept)
        #expect(access(server.root + "/file", F_OK) != 0)
    }
}
