import Foundation
import TestSupport
import Testing

/// A session bus of a test's own, which ends with it.
final class SessionBusDaemon: Sendable {
    let address: String
    private let home: UserHome
    private let program: RunningProgram

    /// Starts it in a home, and waits until it listens.
    /// - Parameter services: a folder of files by which it starts programs. Default: none.
    init(in home: UserHome, services: String? = nil) async throws {
        self.home = home
        address = "unix:path=\(home.path)/bus"
        let configuration = try home.write(
            "bus.conf",
            Array(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
                \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
                <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
                <allow own="*"/></policy></busconfig>
                """.utf8))
        program = try home.start(program: ["/usr/bin/dbus-daemon", "--nofork", "--config-file=\(configuration)"])
        try await Condition.met("the bus listens") { access("\(home.path)/bus", F_OK) == 0 }
    }

    deinit { stop() }

    /// Ends it. Programs that tests start do not hear other signals, unless they look out for them.
    func stop() { program.send(SIGKILL) }

    /// The process that has a name.
    func processID(of name: String) async throws -> pid_t {
        let run = try await home.run(program: [
            "/usr/bin/gdbus", "call", "--address", address, "--dest", "org.freedesktop.DBus", "--object-path", "/",
            "--method",
            "org.freedesktop.DBus.GetConnectionUnixProcessID", name,
        ])
        return try #require(pid_t(String(decoding: run.output, as: UTF8.self).filter(\.isNumber).dropFirst(2)))
    }

    /// Starts a program that finds this bus.
    func start(_ words: String...) throws -> RunningProgram {
        try home.start(program: ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=\(address)"] + words)
    }

    /// Calls a method as people do on the command line.
    /// - Returns: the answer, as `gdbus` prints it.
    func call(_ object: String, _ method: String, _ arguments: String...) async throws -> String {
        let words = [
            "/usr/bin/gdbus", "call", "--address", address, "--dest", "org.freedesktop.thumbnails.\(object)",
            "--object-path",
            "/org/freedesktop/thumbnails/\(object)", "--method", "org.freedesktop.thumbnails.\(object).\(method)", "--",
        ]
        let run = try await home.run(program: words + arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        return String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Begins to hear all that thumbnailers tell, to whomever.
    func monitor() async throws -> Monitor {
        let program = try home.start(program: [
            "/usr/bin/stdbuf", "-oL", "/usr/bin/dbus-monitor", "--address", address,
            "type='signal',interface='org.freedesktop.thumbnails.Thumbnailer1'",
        ])
        try await Condition.met("the monitor listens") { program.output.contains("member=NameLost") }
        return Monitor(program: program)
    }

    /// Hears what is told on a bus, until it is given up.
    final class Monitor: Sendable {
        private let program: RunningProgram

        init(program: RunningProgram) { self.program = program }

        deinit { program.send(SIGKILL) }

        /// The signals so far: their names, and what they hold as `dbus-monitor` writes it, on a line each.
        var signals: [String] {
            var signals: [String] = []
            for line in program.output.split(separator: "\n") {
                if line.hasPrefix(" ") {
                    guard let last = signals.indices.last else { continue }
                    signals[last] += " " + line.trimmingCharacters(in: .whitespaces)
                } else if let member = line.firstRange(of: "member=") {
                    signals.append(String(line[member.upperBound...]))
                }
            }
            return signals.filter { !$0.hasPrefix("Name") }
        }
    }
}
