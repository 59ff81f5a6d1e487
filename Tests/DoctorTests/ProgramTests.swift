import Foundation
import TestSupport
import Testing

/// The program itself, as this user and as one who may do little.
@Suite(.timeLimit(.minutes(2))) struct ProgramTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    struct Output {
        var status: Int32
        var text: String
        var errors: String
    }

    private func run(_ arguments: [String], asNobody: Bool = false) throws -> Output {
        let process = Process()
        let program = Products.program("vitrine")
        let setpriv = ["--reuid", "65534", "--regid", "65534", "--clear-groups", program]
        process.executableURL = URL(filePath: asNobody ? "/usr/bin/setpriv" : program)
        process.arguments = (asNobody ? setpriv : []) + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "XDG_CONFIG_HOME": scratch.path + "/config",
            "XDG_CACHE_HOME": scratch.path + "/cache", "VITRINE_WORKER": Products.program("vitrine-worker"),
            "VITRINE_PLUGIN_PATH": Products.checkout.appending(path: "Plugins").path,
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Output(
            status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
            errors: String(decoding: said, as: UTF8.self))
    }

    private struct Report: Decodable {
        struct Line: Decodable {
            var area: String
            var subject: String
            var layer: String?
            var state: String
            var advice: String?
        }
        var problems: Int
        var findings: [Line]
    }

    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
    func `an ordinary user's workers are contained too, and a cache that is not theirs is a problem`() throws {
        chmod(scratch.path, 0o755)
        #expect(mkdir(scratch.path + "/cache", 0o700) == 0)
        let output = try run(["doctor", "--json"], asNobody: true)
        #expect(output.status == 1)
        #expect(output.errors.isEmpty)
        let report = try JSONDecoder().decode(Report.self, from: Data(output.text.utf8))
        let layers = report.findings.filter { $0.layer == "seccomp" }
        #expect(layers.contains { $0.subject == "pdf" })
        #expect(layers.allSatisfy { $0.state == "ok" })
        let cache = report.findings.filter { $0.area == "cache" && $0.subject != "purge" }
        #expect(cache.map(\.state) == ["problem", "problem"])
        #expect(cache.allSatisfy { $0.advice != nil })
        #expect(report.problems >= 2)
    }

    @Test func `wrong settings end commands with a sentence, and config says where they are`() throws {
        #expect(try run(["config", "path"]).text == scratch.path + "/config/vitrine/config\n")
        #expect(try run(["config", "check"]).status == 0)
        try scratch.write("config/vitrine/config", Data("[plugin pdf]\nseconds = 7s\n".utf8))
        #expect(try run(["config", "check"]).status == 0)
        let shown = try run(["config"]).text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(shown.contains(["plugin", "pdf", "seconds", "7s", "file"]))
        #expect(shown.contains(["plugin", "pdf", "address-space", "2GiB", "plugin.json"]))
        #expect(shown.contains(["plugin", "pdf", "pages", "10000", "default"]))
        #expect(shown.contains(["containment", "required", "none", "default"]))

        try scratch.write("config/vitrine/config", Data("[plugin pdf]\nseconds = soon\n".utf8))
        for arguments in [["config", "check"], ["config"], ["prebuild", "/"], ["plugins"], ["failures"]] {
            let output = try run(arguments)
            #expect(output.status == 1, "\(arguments)")
            #expect(output.errors.contains("line 2: 'soon' is no value for seconds"), "\(arguments)")
            #expect(output.text.isEmpty)
        }
        try scratch.write("config/vitrine/config", Data("[plugin pfd]\nseconds = 1\n".utf8))
        #expect(try run(["config", "check"]).status == 1)
    }

    @Test func `failures are listed, and tried again`() throws {
        try scratch.hostile("items/a.hostile", "error corrupt no table")
        #expect(try run(["prebuild", scratch.path + "/items"]).status == 0)
        let lines = try run(["failures", "--json"]).text.split(separator: "\n")
        #expect(lines.count == 1)
        struct Line: Decodable {
            var uri: String
            var code: String
            var count: Int
            var renderer: String
        }
        let line = try JSONDecoder().decode(Line.self, from: Data((lines.first ?? "").utf8))
        #expect(line.uri.hasSuffix("/items/a.hostile"))
        #expect(line.code == "corrupt" && line.count == 1 && line.renderer.hasPrefix("hostile "))
        #expect(try run(["failures", scratch.path + "/elsewhere"]).text.isEmpty)
        try FileManager.default.removeItem(atPath: scratch.path + "/items/a.hostile")
        #expect(try run(["failures", "--retry"]).status == 0)
        #expect(try run(["failures"]).text.isEmpty)
    }
}
