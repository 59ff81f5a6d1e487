import Foundation
import TestSupport
import Testing

/// `vitrine serve` on a real session bus, asked by `gdbus`.
@Suite struct ServeTests {
    private let home: UserHome
    private let bus: SessionBusDaemon

    init() async throws {
        home = try UserHome()
        bus = try await SessionBusDaemon(in: home)
    }

    /// A list of texts as `gdbus` reads it.
    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { "'\($0)'" }.joined(separator: ", ") + "]"
    }
    private func uri(_ name: String) -> String { "file://" + home.file(name) }
    private func previews(_ size: String) -> Set<String> {
        let folder = home.cache + "/thumbnails/" + size
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }

    private func serve(_ options: String...) async throws -> RunningProgram {
        let words = ["/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", home.program, "serve"]
        let program = try home.start(program: words + options)
        try await answers()
        return program
    }
    private func answers() async throws {
        try await Condition.met("it answers") {
            let run = try await home.run(program: [
                "/usr/bin/gdbus", "introspect", "--address", bus.address, "--dest",
                "org.freedesktop.thumbnails.Thumbnailer1", "--object-path", "/org/freedesktop/thumbnails/Thumbnailer1",
            ])
            return String(decoding: run.output, as: UTF8.self).contains("Queue")
        }
    }

    @Test func `whoever asks for previews hears of each file, and of the end`() async throws {
        try home.copy("image/plain.jpg", as: "a.jpg")
        try home.copy("bad/truncated.png", as: "b.png")
        let service = try await serve()
        let monitor = try await bus.monitor()
        let files = Self.list([uri("a.jpg"), uri("b.png"), uri("gone.png"), "sftp://host/c.png"])
        let types = Self.list(["image/jpeg", "image/png", "image/png", "image/png"])
        #expect(try await bus.call("Thumbnailer1", "Queue", files, types, "large", "foreground", "0") == "(uint32 1,)")
        try await Condition.met("the first request ends") { monitor.signals.contains("Finished uint32 1") }
        #expect(try await bus.call("Thumbnailer1", "Queue", files, types, "huge", "", "0") == "(uint32 2,)")
        try await Condition.met("the second request ends") { monitor.signals.contains("Finished uint32 2") }
        let told = monitor.signals
        let first = told.filter { $0.split(separator: " ")[2] == "1" }
        #expect(first.first == "Started uint32 1" && first.last == "Finished uint32 1" && first.count == 6)
        #expect(first.contains("Ready uint32 1 array [ string \"\(uri("a.jpg"))\" ]"))
        for (file, number) in [(uri("b.png"), 2), (uri("gone.png"), 8), ("sftp://host/c.png", 0)] {
            let beginning = "Error uint32 1 array [ string \"\(file)\" ] int32 \(number) string "
            #expect(first.contains { $0.hasPrefix(beginning) }, "\(first)")
        }
        #expect(
            told.contains {
                $0.hasPrefix("Error uint32 2 ") && $0.contains("] int32 5 string \"there is no flavor 'huge'")
            })
        #expect(previews("large").count == 1 && previews("normal").isEmpty)
        service.send(SIGTERM)
        #expect(try await service.finish().exitCode == 0)
    }

    @Test func `it says what it can, and takes nonsense for an error`() async throws {
        let service = try await serve()
        #expect(try await bus.call("Thumbnailer1", "GetFlavors") == "(['normal', 'large', 'x-large', 'xx-large'],)")
        #expect(try await bus.call("Thumbnailer1", "GetSchedulers") == "(['default', 'foreground', 'background'],)")
        let supported = try await bus.call("Thumbnailer1", "GetSupported")
        let lists = supported.components(separatedBy: "], [")
        #expect(lists.count == 2 && lists[1].contains("'application/pdf'") && lists[1].contains("'video/mp4'"))
        #expect(lists[0].components(separatedBy: ",").count == lists[1].components(separatedBy: ", '").count)
        #expect(try await bus.call("Thumbnailer1", "Dequeue", "77") == "()")
        #expect(try await bus.call("Thumbnailer1", "Queue", "@as []", "@as []", "", "", "0") == "(uint32 1,)")
        let other = try await bus.start(home.program, "serve").finish()
        #expect(other.exitCode == 1 && other.errors.contains("--replace"))
        let heir = try bus.start(home.program, "serve", "--replace")
        #expect(try await service.finish().errors.contains("another program answers"))
        heir.send(SIGTERM)
        #expect(try await heir.finish().exitCode == 0)
    }

    @Test func `previews go with their files`() async throws {
        try home.copy("image/plain.jpg", as: "a.jpg")
        let service = try await serve("--jobs", "1")
        _ = try await bus.call("Thumbnailer1", "Queue", Self.list([uri("a.jpg")]), "['image/jpeg']", "normal", "", "0")
        try await Condition.met("the preview is there") { previews("normal").count == 1 }
        let old = previews("normal")
        try FileManager.default.moveItem(atPath: home.file("a.jpg"), toPath: home.file("b.jpg"))
        let (a, b, c) = (Self.list([uri("a.jpg")]), Self.list([uri("b.jpg")]), Self.list([uri("c.jpg")]))
        _ = try await bus.call("Cache1", "Move", a, b)
        try await Condition.met("it goes to the new name") {
            previews("normal").count == 1 && previews("normal").isDisjoint(with: old)
        }
        // As file managers copy: with the time.
        _ = try await home.run(program: ["/bin/cp", "-p", home.file("b.jpg"), home.file("c.jpg")])
        _ = try await bus.call("Cache1", "Copy", b, c)
        try await Condition.met("the copy has it too") { previews("normal").count == 2 }
        _ = try await bus.call("Cache1", "Delete", Self.list([uri("b.jpg"), uri("c.jpg")]))
        try await Condition.met("they go") { previews("normal").isEmpty }
        service.send(SIGTERM)
        #expect(try await service.finish().exitCode == 0)
    }

    @Test func `without a bus it says so, and without work it ends`() async throws {
        let lost = try await home.run(program: [
            "/usr/bin/env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(home.path)/none", home.program, "serve",
        ])
        #expect(lost.exitCode == 1 && lost.errors.contains("the session bus cannot be reached"))
        // Long enough for a busy machine to ask once before it ends.
        let service = try await serve("--idle", "6")
        let began = ContinuousClock.now
        // What is asked for puts the end off.
        while ContinuousClock.now - began < .seconds(8) { _ = try await bus.call("Cache1", "Delete", "@as []") }
        #expect(try await service.finish().exitCode == 0)
    }

    @Test func `installed, the bus starts it when somebody asks`() async throws {
        let tree = try await InstalledTree.shared()
        let services = tree.path + "/share/dbus-1/services"
        let own = try UserHome(tree: tree)
        let starter = try await SessionBusDaemon(in: own, services: services)
        #expect(try await starter.call("Thumbnailer1", "GetFlavors").contains("x-large"))
        #expect(try await starter.call("Cache1", "Delete", "@as []") == "()")
        let unit = try String(contentsOfFile: tree.path + "/share/systemd/user/vitrine-serve.service", encoding: .utf8)
        // Without the bus it is of no use to anybody.
        let id = try await starter.processID(of: "org.freedesktop.thumbnails.Thumbnailer1")
        starter.stop()
        try await Condition.met("what the bus started ends") { ProcessTable.isGone(id) }
        #expect(unit.contains("ExecStart=\"\(tree.path)/bin/vitrine\" serve --idle 300\n"))
    }
}
