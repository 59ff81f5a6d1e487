import Glibc
import SFTPBackend
import TestServers
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

/// OpenSSH whose files are told by a program that lies.
/// Who would wait for the liar would be ended by the time limit.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: SSHServer.isInstalled, "openssh-server is not installed: 'make test' installs it"))
struct HostileServerTests {
    /// Speaks version 3 of the protocol as far as it is needed; what it does is the argument.
    private static let liar = #"""
        import struct, sys
        behaviour = sys.argv[1]
        source, sink = sys.stdin.buffer, sys.stdout.buffer
        def text(value): return struct.pack(">I", len(value)) + value
        def send(kind, body):
            sink.write(struct.pack(">IB", len(body) + 1, kind) + body)
            sink.flush()
        attributes = struct.pack(">IQII", 1 | 4 | 8, 5, 0o100644, 0) + struct.pack(">I", 0)
        folder = struct.pack(">II", 4, 0o040755)
        page = 0
        while True:
            head = source.read(5)
            if len(head) < 5: break
            length, kind = struct.unpack(">IB", head)
            body = source.read(length - 1)
            if kind == 1:
                send(2, struct.pack(">I", 3))
                continue
            if behaviour == "silent":
                open(sys.argv[0] + ".asked", "w").close()
                source.read()
            if behaviour == "gone": break
            number = body[:4]
            if kind == 16: send(104, number + struct.pack(">I", 1) + text(b"/srv") + text(b"/srv") + folder)
            elif kind in (7, 17, 8): send(105, number + (folder if kind != 8 else attributes))
            elif kind == 11 or kind == 3: send(102, number + text(b"handle"))
            elif kind == 12:
                page += 1
                if behaviour == "endless": names = [b"%d-%d" % (page, n) for n in range(1000)]
                elif page == 1: names = [bytes.fromhex(behaviour[1:])]
                else:
                    send(101, number + struct.pack(">I", 1) + text(b"end") + text(b""))
                    continue
                send(104, number + struct.pack(">I", len(names))
                     + b"".join(text(n) + text(b"-rw-r--r-- 1 a a 5 Jan 1 1970 " + n) + attributes for n in names))
            else: send(101, number + struct.pack(">I", 0) + text(b"") + text(b""))
        """#

    /// - Parameters:
    ///   - behaviour: also `x` and a name of a file in hexadecimal digits.
    ///   - stallTimeout: in seconds. Default: more than any answer takes, Python's start included.
    private func failure(_ behaviour: String, stallTimeout: String = "300") async throws -> PluginError? {
        let folder = try ScratchFolder("liar")
        try TestFile.write(folder.path + "/liar.py", Self.liar)
        let server = try SSHServer(subsystem: "/usr/bin/python3 \(folder.path)/liar.py \(behaviour)")
        do throws(PluginError) {
            let backend = try await connect(server, ["connect-timeout": "300", "stall-timeout": stallTimeout])
            for try await _ in backend.list(.root) {}
            return nil
        } catch { return error }
    }

    private func hexadecimal(_ name: String) -> String {
        "x" + name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: ["../x", "/etc/passwd", "x/../y", "x/y", "", String(repeating: "x", count: 5000)])
    func namesThatAreNoneAreRefused(name: String) async throws {
        let error = try await failure(hexadecimal(name))
        #expect(error?.code == .io && error?.message.contains("name") == true, "\(error as Any)")
    }

    @Test func honestNamesPass() async throws {
        let error = try await failure(hexadecimal("x"))
        #expect(error == nil, "\(error as Any)")
    }

    @Test func listingsEnd() async throws {
        let error = try await failure("endless")
        #expect(error?.code == .limitExceeded && error?.message.contains("does not end") == true, "\(error as Any)")
    }

    @Test func whoSaysNothingIsLeft() async throws {
        let error = try await failure("silent", stallTimeout: "1")
        #expect(error?.code == .offline && error?.message.contains("in time") == true, "\(error as Any)")
    }

    @Test func whoLeavesIsTriedAgain() async throws {
        let error = try await failure("gone")
        #expect(error?.code == .io && error?.message.contains("ended the connection") == true, "\(error as Any)")
    }

    @Test func cancelledReadsEnd() async throws {
        let folder = try ScratchFolder("liar")
        try TestFile.write(folder.path + "/liar.py", Self.liar)
        let server = try SSHServer(subsystem: "/usr/bin/python3 \(folder.path)/liar.py silent")
        let task = Task { try await connect(server, FaultConformance.patientSettings) }
        try await Condition.met("the server is asked") { access(folder.path + "/liar.py.asked", F_OK) == 0 }
        task.cancel()
        await #expect { _ = try await task.value } throws: { ($0 as? PluginError)?.code == .cancelled }
    }
}
