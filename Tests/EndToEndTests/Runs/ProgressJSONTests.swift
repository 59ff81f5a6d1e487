import Foundation
import TestServers
import TestSupport
import Testing

/// `--progress json` is what `docs/progress-json.md` says.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: 'make test' installs it"))
struct ProgressJSONTests {
    /// Runs that together have everything to tell: each outcome, each kind of failure, each fact.
    private func lines() async throws -> [ProgressLine] {
        let home = try UserHome()
        for name in try FixtureExpectation.names()
        where ["pdf/", "image/", "video/"].contains(where: name.hasPrefix) {
            try home.copy(name, as: name)
        }
        try home.write("titled.pdf", Self.titledDocument())
        try home.write("unknown.xyz", [1, 2, 3, 0, 255])
        try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: "unknown.xyz")
        var runs: [FinishedRun] = []
        func run(_ arguments: String...) async throws {
            runs.append(
                try await home.run(bytes: (["prebuild", "--progress=json"] + arguments).map { Array($0.utf8) }))
            try check(runs[runs.count - 1])
        }
        try await run("--dry-run", home.files)
        try await run(home.files)
        // Without what is known, each file is looked up.
        try await run("--exclude=none", home.files)
        try FileManager.default.removeItem(atPath: home.file("unknown.xyz"))
        try FileManager.default.moveItem(atPath: home.file("titled.pdf"), toPath: home.file("moved.pdf"))
        try await run(home.files, home.file("missing"))
        let server = try NginxServer()
        try Data(try UserHome.fixture("pdf/plain.pdf")).write(to: URL(filePath: server.root + "/a.pdf"))
        runs.append(try await home.run("prebuild", "--progress=json", "dav://127.0.0.1:\(server.port)/"))
        withExtendedLifetime(server) {}
        return try runs.flatMap { try $0.progress() } + (try await watched(home))
    }

    /// What a watch says besides: that a source is not there, and that it has dealt with the other one.
    private func watched(_ home: UserHome) async throws -> [ProgressLine] {
        let watch = try home.start("watch", "--progress=json", home.files, home.file("missing"))
        try await Condition.met("it watches") { try watch.progress.contains { $0.event == "watching" } }
        watch.send(SIGTERM)
        let lines = try await watch.finish().progress()
        #expect(lines.first?.event == "started" && lines.last?.event == "finished")
        return lines
    }

    /// What holds for every run.
    private func check(_ run: FinishedRun) throws {
        let lines = try run.progress()
        #expect(lines.first?.event == "started")
        #expect(lines.filter { $0.event == "started" }.count == 1)
        #expect(lines.last?.event == "finished")
        #expect(lines.filter { $0.event == "finished" }.count == 1)
        let summary = try run.summary()
        let items = try run.items()
        func count(_ outcome: String) -> Int { items.filter { $0.outcome == outcome }.count }
        let unchanged = lines.filter { $0.event == "unchanged" }
        let (valid, skipped) = (unchanged.reduce(0) { $0 + $1.valid }, unchanged.reduce(0) { $0 + $1.skipped })
        #expect(summary.made == count("made") && summary.valid == count("valid") + valid)
        #expect(summary.failed == count("failed") && summary.skipped == count("skipped") + skipped)
        #expect(summary.planned == count("planned"))
        #expect(summary.made + summary.valid + summary.failed + summary.skipped + summary.planned == summary.found)
        #expect(summary.found == items.count + valid + skipped)
        #expect(Set(items.map(\.uri)).count == items.count)
        let bytes = items.filter { $0.outcome == "made" }.map { item in
            (try? FileManager.default.attributesOfItem(atPath: item.uri.replacing("file://", with: "")))?[.size]
                as? Int64
        }
        #expect(summary.bytes == bytes.reduce(0) { $0 + ($1 ?? 0) })
        #expect(summary.seconds > 0 && summary.seconds < 600)
        #expect(run.errors.isEmpty)
    }

    @Test func theFieldsAreThoseOfTheDocument() async throws {
        let documented = try Self.documentedFields()
        // Waiting takes another run, see BusySourceTests.
        let expected = documented.filter { $0.key != "Codes" && $0.key != "waiting" }
        var seen: [String: Set<String>] = [:]
        for line in try await lines() {
            #expect(line.code.map { documented["Codes"]?.contains($0) == true } ?? true, "\(line.code ?? "")")
            seen[line.event, default: []].formUnion(line.fields)
            seen["finished.failedSources", default: []].formUnion(line.fieldsOfSources)
        }
        #expect(Set(seen.keys) == Set(expected.keys))
        for (event, fields) in expected { #expect(seen[event] == fields, "\(event)") }
    }

    /// The first column of the table below each heading.
    private static func documentedFields() throws -> [String: Set<String>] {
        let path = Products.checkout.appending(path: "docs/progress-json.md")
        var fields: [String: Set<String>] = [:]
        var event = ""
        for line in try String(contentsOf: path, encoding: .utf8).split(separator: "\n") {
            if let heading = line.firstMatch(of: /^## `?([A-Za-z.]+)`?/) { event = String(heading.1) }
            if let row = line.firstMatch(of: /^\| `([A-Za-z-]+)` \|/) {
                fields[event, default: []].insert(String(row.1))
            }
        }
        return fields
    }

    /// A PDF that has a title, of which no fixture has one.
    private static func titledDocument() throws -> [UInt8] {
        let text = String(decoding: try UserHome.fixture("pdf/plain.pdf"), as: UTF8.self)
        // An object behind the others; the reader builds the table of objects anew because it does not fit.
        let info = "99 0 obj\n<< /Title (A title) >>\nendobj\n"
        let moved = text.replacing("xref\n", with: info + "xref\n", maxReplacements: 1)
        return Array(moved.replacing("/Root", with: "/Info 99 0 R /Root").utf8)
    }
}
