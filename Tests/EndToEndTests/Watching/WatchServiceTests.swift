import Foundation
import TestSupport
import Testing

/// `vitrine watch` as a service of systemd.
@Suite struct WatchServiceTests {
    /// Listens where a service manager does.
    private final class Manager: Sendable {
        let path: String
        private let socket: CInt

        init(in home: UserHome) throws {
            path = home.path + "/notify"
            socket = Glibc.socket(
                AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(bound == 0)
        }

        deinit { close(socket) }

        /// What was sent since the last call.
        func messages() -> [String] {
            var messages: [String] = []
            var room = [UInt8](repeating: 0, count: 4096)
            while case let count = recv(socket, &room, room.count, 0), count > 0 {
                messages.append(String(decoding: room[..<count], as: UTF8.self))
            }
            return messages
        }
    }

    @Test func itSaysThatItIsReadyWhatItWatchesThatItLivesAndThatItStops() async throws {
        let home = try UserHome()
        try home.copy("image/one-pixel.png", as: "a.png")
        let manager = try Manager(in: home)
        let program = try home.start(program: [
            "/usr/bin/env", "NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=200000", home.program, "watch", home.files,
        ])
        var told: [String] = []
        func tells(_ what: String, _ condition: ([String]) -> Bool) async throws {
            try await Condition.met(what) {
                told += manager.messages()
                return condition(told)
            }
        }
        try await tells("it is ready") { $0.contains { $0.hasPrefix("READY=1\nSTATUS=") } }
        try await tells("it watches") { $0.contains("STATUS=Watching 1 folder of 1 source") }
        try await tells("it lives") { $0.count { $0 == "WATCHDOG=1" } >= 3 }
        program.send(SIGTERM)
        #expect(try await program.finish().exitCode == 0)
        try await tells("it stops") { $0.contains("STOPPING=1") }
    }

    @Test func theInstalledUnitIsOneThatSystemdTakes() async throws {
        let tree = try await InstalledTree.shared()
        let unit = tree.path + "/share/systemd/user/vitrine-watch.service"
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        #expect(text.contains("ExecStart=\"\(tree.path)/bin/vitrine\" watch\n"))
        // What workers need to contain themselves.
        for setting in ["RestrictNamespaces=", "SystemCallFilter=", "MemoryDenyWriteExecute=", "PrivateTmp="] {
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix(setting) }, "\(setting)")
        }
        let analyze = "/usr/bin/systemd-analyze"
        guard access(analyze, X_OK) == 0 else { return }
        let home = try UserHome()
        chmod(home.temporary, 0o700)
        let run = try await home.run(program: [
            "/usr/bin/env", "XDG_RUNTIME_DIR=\(home.temporary)", analyze, "--user", "verify", "--man=no", unit,
        ])
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    }
}
