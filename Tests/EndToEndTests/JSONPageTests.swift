import Foundation
import TestSupport
import Testing

/// `--json` of the commands that `docs/json.md` describes prints the keys that stand there, and no others.
@Suite struct JSONPageTests {
    /// The keys of one table.
    private struct Keys {
        var required: Set<String> = []
        var optional: Set<String> = []
    }

    @Test func theKeysAreThoseOfThePage() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "a.png")
        try home.copy("pdf/zero-pages.pdf", as: "bad.pdf")
        _ = try await home.run("index", home.files)
        let version = try #require(try await home.run("changes").text.split { " \n".contains($0) }.last)
        _ = try await home.run("prebuild", home.files)
        _ = try await home.run("account", "add", "cloud", "dav://example.org", "--set", "auth=basic")
        let commands: [(name: String, arguments: [String])] = [
            ("account list", []), ("cache stats", []), ("cache gc", []), ("cache verify", []), ("failures", []),
            ("index", [home.files]), ("changes", ["--since", "0"]), ("changes", ["--since", String(version)]),
            ("doctor", []),
            ("cache clear", ["--all", "--yes"]),
        ]
        let page = try Self.page()
        #expect(Set(page.keys) == Set(commands.map(\.name)).union(["finding"]))
        for (name, arguments) in commands {
            let words = name.split(separator: " ").map(String.init) + arguments + ["--json"]
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            let objects = try Self.objects(run.output)
            #expect(!objects.isEmpty, "\(name): \(run.errors)")
            for object in objects {
                try Self.check(object, page, name)
                for finding in object["findings"] as? [[String: Any]] ?? [] { try Self.check(finding, page, "finding") }
            }
        }
    }

    private static func check(_ object: [String: Any], _ page: [String: Keys], _ name: String) throws {
        let (keys, found) = (try #require(page[name]), Set(object.keys))
        #expect(keys.required.subtracting(found).isEmpty, "\(name) lacks keys of the page")
        #expect(found.subtracting(keys.required).subtracting(keys.optional).isEmpty, "the page lacks keys of \(name)")
    }

    /// The objects of a program's output, one a line.
    private static func objects(_ output: [UInt8]) throws -> [[String: Any]] {
        try output.split(separator: UInt8(ascii: "\n")).compactMap {
            try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
        }
    }

    /// The tables of the page, by the commands in the heading above each; that of doctor's findings as `finding`.
    private static func page() throws -> [String: Keys] {
        let text = try String(contentsOf: Products.checkout.appending(path: "docs/json.md"), encoding: .utf8)
        var (page, names): ([String: Keys], [String]) = ([:], [])
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { names = words(line) }
            if line.hasPrefix("| key of a finding") { names = ["finding"] }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| `"), cells.count == 2 else { continue }
            for name in names {
                if cells[1].hasPrefix("optional") {
                    page[name, default: Keys()].optional.formUnion(words(cells[0]))
                } else {
                    page[name, default: Keys()].required.formUnion(words(cells[0]))
                }
            }
        }
        return page
    }

    /// What stands between grave accents.
    private static func words(_ text: some StringProtocol) -> [String] {
        String(text).matches(of: /`([^`]+)`/).map { String($0.1) }
    }
}
