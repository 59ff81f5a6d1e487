import Containment
import Foundation
import TestSupport
import Testing

@testable import PluginHost

/// The table of profiles in `docs/containment.md` says what the plugins' manifests do.
@Suite struct DocumentedProfileTests {
    /// A row of the table.
    private struct Row {
        let files: String
        let threads: Bool
        /// `nil` where they are described in words.
        let calls: Set<String>?
    }

    @Test func everyContainedPluginHasItsRow() throws {
        let rows = try Self.rows()
        var ids: Set<String> = []
        for manifest in try Self.manifests() {
            ids.insert(manifest.id)
            guard let row = rows[manifest.id] else {
                Issue.record("docs/containment.md lacks \(manifest.id)")
                continue
            }
            let profile = manifest.containment
            #expect(row.threads == profile.threads, "threads of \(manifest.id)")
            #expect(
                (row.files == "none") == (profile.read.isEmpty && !profile.privateFolder), "files of \(manifest.id)")
            #expect(row.files.contains("private folder") == profile.privateFolder, "folder of \(manifest.id)")
            if let calls = row.calls { #expect(calls == Set(profile.calls), "calls of \(manifest.id)") }
        }
        #expect(rows.filter { $0.value.calls == nil }.keys.sorted() == ["foreign.…", "office"])
        #expect(Set(rows.keys).subtracting(ids) == ["foreign.…"])
    }

    /// The manifests of all renderers and readers of containers in this checkout.
    private static func manifests() throws -> [PluginManifest] {
        try ["Renderers", "Containers"].flatMap { kind in
            let folder = Products.checkout.appending(path: "Plugins/\(kind)")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
                let file = folder.appending(path: "\(name)/plugin.json")
                return try PluginManifest(json: Array(try Data(contentsOf: file)), file: file.path)
            }
        }
    }

    /// What the table says of each plugin.
    private static func rows() throws -> [String: Row] {
        let page = try String(contentsOf: Products.checkout.appending(path: "docs/containment.md"), encoding: .utf8)
        let table = page.split(separator: "\n").drop { !$0.hasPrefix("| plugin |") }.dropFirst(2)
        var rows: [String: Row] = [:]
        for line in table.prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4 else {
                Issue.record("a row of other columns: \(line)")
                continue
            }
            let isInWords = cells[3] != "none" && !cells[3].hasPrefix("`")
            let row = Row(
                files: cells[1], threads: cells[2].hasPrefix("yes"), calls: isInWords ? nil : Set(words(cells[3])))
            for id in words(cells[0]) { rows[id] = row }
        }
        return rows
    }

    /// What stands between grave accents.
    private static func words(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}
