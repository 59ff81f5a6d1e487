import Foundation
import TestSupport
import Testing

/// The program itself, as this user and as one who may do little.
@Suite(.timeLimit(.minutes(10))) struct ProgramTests {
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
            "XDG_CACHE_HOME": scratch.path + "/cache", "XDG_DATA_HOME": scratch.path + "/data",
            "VITRINE_WORKER": Products.program("vitrine-worker"),
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
        var warnings: Int
        var findings: [Line]
    }

    @Test func `doctor ends with 0 where all is well, and with 1 for a warning alone`() throws {
        func doctor() throws -> (status: Int32, report: Report, amiss: [Report.Line]) {
            let output = try run(["doctor", "--json"])
            let report = try JSONDecoder().decode(Report.self, from: Data(output.text.utf8))
            return (output.status, report, report.findings.filter { !["ok", "note"].contains($0.state) })
        }
        let well = try doctor()
        #expect(well.status == (well.amiss.isEmpty ? 0 : 1))
        #expect(well.report.problems + well.report.warnings == well.amiss.count)
        // What this machine lacks is not the program's to mend: kernels without layers, missing fonts or packages.
        #expect(Set(well.amiss.map(\.area)).isSubset(of: ["containment", "libraries", "data"]), "\(well.amiss)")

        try scratch.write("config/vitrine/config", Data("[plugin pfd]\nseconds = 1\n".utf8))
        let warned = try doctor()
        #expect(warned.status == 1)
        #expect(warned.report.problems == well.report.problems)
        #expect(warned.report.warnings == well.report.warnings + 1)
    }

    @Test func `a command that is advised stays whole on a line, however long it is`() throws {
        let folder = scratch.path + "/a folder whose name has many words, more than fit on any line of a terminal/text"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = Products.checkout.appending(path: "Plugins/Renderers/Text/plugin.json").path
        try FileManager.default.copyItem(atPath: text, toPath: folder + "/plugin.json")
        try FileManager.default.copyItem(
            atPath: Products.library("TextRenderer"), toPath: folder + "/libTextRenderer.so")
        let page = try run(["plugins", "check", folder])
        let lines = page.text.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("export VITRINE_PLUGIN_PATH='\(folder)'"), "\(page.text) \(page.errors)")
    }

    @Test func `a plugin that another one is put in place of is no reason to worry`() throws {
        let user = scratch.path + "/data/vitrine/plugins-1/text"
        try FileManager.default.createDirectory(atPath: user, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Products.checkout.appending(path: "Plugins/Renderers/Text/plugin.json"),
            to: URL(filePath: user + "/plugin.json"))
        let output = try run(["doctor", "--json"])
        let report = try JSONDecoder().decode(Report.self, from: Data(output.text.utf8))
        let text = report.findings.filter { $0.area == "plugins" && $0.subject == "text" }.map(\.state)
        #expect(text.first == "ok")
        #expect(text.dropFirst().contains("note"))
        #expect(Set(text) == ["ok", "note"])
        let listed = try run(["plugins"])
        #expect(listed.text.split(separator: "\n").contains { $0.contains("overridden") && $0.hasSuffix(user) })
        #expect(listed.errors.isEmpty)
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
        let retried = try run(["failures", "--retry"])
        #expect(retried.status == 0)
        #expect(retried.errors.contains("1 file is no longer there, and forgotten"))
        #expect(try run(["failures"]).text.isEmpty)
    }
}
