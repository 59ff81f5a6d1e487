import Foundation
import TestSupport
import Testing

/// `docs/adding-a-backend.md`, followed to the letter with an installed Vitrine.
@Suite(.timeLimit(.minutes(10))) struct AddingABackendTests {
    @Test func `who types what the page says has a backend`() async throws {
        let home = try UserHome()
        let tree = try await InstalledTree.shared()
        let place = Products.checkout.appending(path: "docs/adding-a-backend.md")
        let page = try String(contentsOf: place, encoding: .utf8)
        let script = Self.script(page)
        #expect(script.contains("swift test") && script.contains("vitrine prebuild"))
        try home.write("follow.sh", Array(script.utf8))
        var environment = home.environment
        environment["VITRINE_PLUGIN_PATH"] = nil
        // So that it is where the page says.
        environment["XDG_DATA_HOME"] = nil
        // Headers of the system that were compiled for Vitrine itself need not be compiled again.
        environment["SWIFTPM_TESTS_MODULECACHE"] = Products.folder.path + "/ModuleCache"
        // The compiler is the one that runs this test.
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        environment["PATH"] = "\(tree.path)/bin:\(path)"
        let words = ["/bin/bash", "-euo", "pipefail", home.file("follow.sh")].map { Array($0.utf8) }
        let run = try await RunningProgram(words, environment: environment, outputIn: home.path + "/output").finish()
        #expect(run.exitCode == 0, "\(run.text)\(run.errors)")
        #expect(run.text.contains("nothingLeadsOutOfTheFolder() passed"), "\(run.text)")
        #expect(try PNGFile(home.file("first.png")).longerSide == 2)
        // One picture, and not of the file that the list leaves out.
        #expect(home.previews.count == 1, "\(home.previews)")
        #expect(run.text.contains("/.local/share/vitrine/plugins-1/manifest"), "\(run.text)")
    }

    /// What the page says as a script: its commands, and its files where it tells to write them.
    private static func script(_ page: String) -> String {
        var script = "cd \"$(dirname \"$0\")\"\n"
        var file: String?
        var block: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = line.firstMatch(of: /^Write `([^`]+)`:$/) { file = String(name.1) }
            guard line.hasPrefix("```") else {
                block?.append(line)
                continue
            }
            guard let lines = block else {
                block = []
                if line == "```sh" { file = nil }
                continue
            }
            let text = lines.joined(separator: "\n")
            script += file.map { "cat > \($0) <<'END OF FILE'\n\(text)\nEND OF FILE\n" } ?? text + "\n"
            (file, block) = (nil, nil)
        }
        return script
    }
}
