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
        try home.configure("[passwords]\ncommand = cat\n[plugin nobody]\nenabled = false\n")
        let archive = try home.copy("archive/album.zip", as: "album.zip")
        _ = try await home.run("account", "add", "cloud", "dav://example.org", "--set", "auth=basic")
        let commands: [(name: String, arguments: [String])] = [
            ("account list", []), ("cache stats", []), ("cache gc", []), ("cache verify", []), ("failures", []),
            ("index", [home.files]), ("changes", ["--since", "0"]), ("changes", ["--since", String(version)]),
            ("doctor", []), ("config check", []), ("config show", []),
            ("plugins list", []), ("plugins check", [Products.checkout.appending(path: "Plugins/Renderers/Text").path]),
            ("explain", [home.file("a.png")]), ("explain", [home.file("bad.pdf")]),
            ("explain", ["archive:\(archive)"]),
            ("cache clear", ["--all", "--yes"]),
        ]
        let page = try Self.page()
        #expect(Set(page.keys) == Set(commands.map(\.name)).union(["finding", "folder"]))
        for (name, arguments) in commands {
            let words = name.split(separator: " ").map(String.init) + arguments + ["--json"]
            let run = try await home.run(bytes: words.map { Array($0.utf8) })
            let objects = try Self.objects(run.output)
            #expect(!objects.isEmpty, "\(name): \(run.errors)")
            for object in objects {
                try Self.check(object, page, name == "explain" && object["folders"] != nil ? "folder" : name)
                for finding in object["findings"] as? [[String: Any]] ?? [] { try Self.check(finding, page, "finding") }
            }
        }
    }

    /// Values that nobody sees on the page.
    @Test func whatIsListedIsToldToPrograms() async throws {
        let home = try UserHome()
        try home.write("plugins/plugin.json", Array("{".utf8))
        let listed = try UserHome(plugins: [home.file("plugins")])
        let lines = try Self.objects(try await listed.run("plugins", "--json").output)
        let refused = try #require(lines.first { $0["state"] as? String == "refused" })
        #expect(refused["id"] == nil && (refused["reason"] as? String)?.contains(home.files) == true)
        let image = try #require(lines.first { $0["id"] as? String == "image" })
        #expect(image["kind"] as? String == "renderer" && (image["types"] as? [String])?.contains("image/png") == true)
        #expect(try await listed.run("plugins", "new", "renderer", "A", "--json").exitCode == 2)

        try home.configure("[passwords]\ncommand = echo secret\n[source A]\nexclude =\n[plugin nobody]\nworkers = 1\n")
        let shown = try await home.run("config", "--json")
        #expect(!shown.text.contains("secret"))
        let values = try Self.objects(shown.output)
        let command = try #require(values.first { $0["key"] as? String == "command" })
        #expect(command["from"] as? String == "file" && command["value"] == nil)
        let empty = try #require(values.first { $0["group"] as? String == "source A" })
        #expect(empty["value"] as? String == "")
        let check = try await home.run("config", "check", "--json")
        #expect(check.exitCode == 1 && check.errors.isEmpty)
        let faults = try #require(try Self.objects(check.output).first?["faults"] as? [String])
        #expect(faults.count == 2 && faults[0].contains("[plugin nobody]") && faults[1].contains("[source A]"))
        try home.configure("[passwords")
        #expect(try await home.run("config", "check", "--json").text.contains(#""faults":[""#))
        #expect(try await home.run("config", "path", "--json").exitCode == 2)
        try home.configure("")
        #expect(try await home.run("config", "check", "--json").text.contains(#""faults":[]"#))

        let file = try home.copy("pdf/three-pages.pdf", as: "a.pdf")
        let explained = try #require(try Self.objects(try await home.run("explain", file, "--json").output).first)
        #expect(explained["outcome"] as? String == "made" && explained["renderer"] as? String == "pdfium")
        #expect(explained["pages"] as? Int == 3 && explained["type"] as? String == "application/pdf")
        #expect((explained["cache"] as? [[String: String]]) == [["size": "large", "state": "absent"]])
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

    /// The tables of the page, by the commands in the heading above each; those of an object in it by what has them, such as
    /// `finding`.
    private static func page() throws -> [String: Keys] {
        let text = try String(contentsOf: Products.checkout.appending(path: "docs/json.md"), encoding: .utf8)
        var (page, names): ([String: Keys], [String]) = ([:], [])
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { names = words(line) }
            if line.hasPrefix("| key of a ") {
                names = line.split(separator: " ").dropFirst(4).prefix(1).map(String.init)
            }
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
