import Foundation
import TestSupport
import Testing

/// What `make install` brings, `make uninstall` takes away.
@Suite struct InstallationTests {
    @Test func theExampleRuns() async throws {
        let home = try UserHome()
        for name in ["image/plain.jpg", "pdf/plain.pdf"] {
            try home.copy(name, as: "a/" + (name as NSString).lastPathComponent)
        }
        // The largest of all, which there is no picture of.
        try home.write("a/broken.jpg", [0xFF, 0xD8, 0xFF, 0] + [UInt8](repeating: 0, count: 4 << 20))
        let run = try await home.run(program: [Products.program("vitrine-example"), home.file("a")])
        #expect(run.exitCode == 0 && run.text.contains("2 made, 0 valid, 1 failed\n"), "\(run.text) \(run.errors)")
        #expect(run.text.contains("failed file://\(home.file("a/broken.jpg")) for "), "\(run.text)")
        let largest = try #require(run.text.split(separator: "\n").last { $0.hasPrefix("largest /") })
        #expect(largest.contains("/thumbnails/x-large/"), "\(largest)")
        #expect(try await home.run(program: [Products.program("vitrine-example")]).exitCode == 2)
    }

    @Test func whatIsInstalledCanBeTakenAway() async throws {
        let tree = try await InstalledTree(copyOf: .shared())
        let home = try UserHome(tree: tree)
        let files = FileManager.default
        let own = tree.plugins + "/mine"
        try files.createDirectory(atPath: own, withIntermediateDirectories: true)
        let script = Products.checkout.appending(path: "scripts/uninstall-tree").path
        let run = try await home.run(program: [script, tree.path])
        #expect(run.exitCode == 0, "\(run.errors)")
        // A plugin of somebody else stays, with the folders around it, and nothing besides.
        let left = try #require(files.enumerator(atPath: tree.path)).compactMap { $0 as? String }.sorted()
        #expect(left == ["lib", "lib/vitrine", "lib/vitrine/plugins-1", "lib/vitrine/plugins-1/mine"], "\(left)")
        try files.removeItem(atPath: tree.path + "/lib")
        let again = try await home.run(program: [script, tree.path])
        #expect(
            again.exitCode == 1 && again.errors.contains("there is no Vitrine in '\(tree.path)'"), "\(again.errors)")
    }

    @Test func linksOfTheInstalledPagesLeadSomewhere() async throws {
        let pages = try await InstalledTree.shared().path + "/share/doc/vitrine"
        let files = FileManager.default
        let names = try #require(files.enumerator(atPath: pages)).compactMap { $0 as? String }
            .filter { $0.hasSuffix(".md") && !$0.hasPrefix("pdfium/") }
        #expect(names.count > 30)
        for name in names {
            let text = try String(contentsOfFile: "\(pages)/\(name)", encoding: .utf8)
            let folder = ("\(pages)/\(name)" as NSString).deletingLastPathComponent
            for link in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map(\.1) {
                #expect(files.fileExists(atPath: "\(folder)/\(link)"), "\(name): \(link)")
            }
        }
    }

    /// They ask for no preview of what has no type, or one that nobody draws.
    @Test func desktopsKnowTheTypesOfWhatIsDrawn() async throws {
        let tree = try await InstalledTree.shared()
        let home = try UserHome(tree: tree)
        let package = try String(contentsOfFile: tree.path + "/share/mime/packages/vitrine.xml", encoding: .utf8)
        let types = package.matches(of: /<mime-type type="([^"]+)"/).map { String($0.1) }
        let entry = try String(contentsOfFile: tree.path + "/share/thumbnailers/vitrine.thumbnailer", encoding: .utf8)
        let drawn = Set(try #require(entry.firstMatch(of: /MimeType=(.*)/)).1.split(separator: ";").map(String.init))
        #expect(types.count > 30 && types.filter { !drawn.contains($0) } == [])
        let fixtures = [
            "model/cube.ply": "application/x-ply", "track/walk.fit": "application/vnd.ant.fit",
            "track/lake.shp": "application/vnd.shp", "notes/vitrine.xopp": "application/x-xopp",
            "mail/outlook.msg": "application/vnd.ms-outlook", "image/plain.fits": "application/fits",
            "package/painting.pdn": "image/x-paintnet", "database/map.mbtiles": "application/vnd.mbtiles",
            "image/plain.jxr": "image/jxr",
            "office/vitrine.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ]
        var files = try fixtures.map { name, type in
            (name: name, file: try home.copy(name, as: (name as NSString).lastPathComponent), type: type)
        }
        // Cameras' files begin as TIFF does.
        for (suffix, type) in [("3fr", "image/x-hasselblad-3fr"), ("srw", "image/x-samsung-srw")] {
            files.append((suffix, try home.copy("raw/preview.dng", as: "photograph.\(suffix)"), type))
        }
        for (name, file, type) in files {
            let said = try await home.run(program: [
                "/usr/bin/env", "XDG_DATA_DIRS=\(tree.path)/share:/usr/share", "gio", "info", "-a",
                "standard::content-type", file,
            ])
            #expect(said.text.contains("standard::content-type: \(type)\n"), "\(name): \(said.text) \(said.errors)")
        }
    }

    /// Types of other packages stay known, whatever the folder is called, and what lies behind a link is left alone.
    @Test func typesOfOthersStay() async throws {
        let home = try UserHome()
        let files = FileManager.default
        let script = Products.checkout.appending(path: "scripts/update-types").path
        let package = """
            <?xml version="1.0"?><mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
            <mime-type type="application/x-other"><comment>Other</comment><glob pattern="*.other"/></mime-type></mime-info>
            """
        let other = try home.write("odd [1] *?/share/mime/packages/other.xml", Array(package.utf8))
        let folder = home.file("odd [1] *?")
        for _ in 0..<2 {
            let run = try await home.run(program: [script, folder])
            #expect(
                run.exitCode == 0 && files.fileExists(atPath: folder + "/share/mime/application/x-other.xml"),
                "\(run.errors)")
        }
        let behind = home.file("behind")
        try files.createDirectory(atPath: behind, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: behind + "/share", withDestinationPath: folder + "/share")
        try files.removeItem(atPath: other)
        #expect(try await home.run(program: [script, behind]).exitCode == 0)
        #expect(files.fileExists(atPath: folder + "/share/mime/mime.cache"))
        // Without packages nothing stays of what was made of them.
        #expect(try await home.run(program: [script, folder]).exitCode == 0)
        #expect(try files.contentsOfDirectory(atPath: folder + "/share/mime") == ["packages"])
    }

    /// The folder of the compiler is the business of who builds: it may change, or be somebody else's.
    @Test func whatIsInstalledLooksForLibrariesInItsTreeOnly() async throws {
        let tree = try await InstalledTree.shared()
        let home = try UserHome(tree: tree)
        let files = try #require(FileManager.default.enumerator(atPath: tree.path)).compactMap { $0 as? String }
        let programs = files.filter { name in
            guard let file = FileHandle(forReadingAtPath: "\(tree.path)/\(name)") else { return false }
            return (try? file.read(upToCount: 4)) == Data([0x7F, 0x45, 0x4C, 0x46])
        }
        // At least the program, the worker, the SDK, the Swift runtime and the plugins.
        #expect(programs.count > 40 && programs.contains("lib/vitrine/libswiftCore.so"), "\(programs)")
        let paths = programs.map { "\(tree.path)/\($0)" }
        let headers = try await home.run(program: ["/usr/bin/readelf", "-d", "-W"] + paths)
        let runpaths = headers.text.matches(of: /\((?:RUNPATH|RPATH)\).*\[(.*)\]/).map(\.1)
        #expect(headers.exitCode == 0 && runpaths.count > 40, "\(headers.text) \(headers.errors)")
        let entries = Set(runpaths.flatMap { $0.split(separator: ":", omittingEmptySubsequences: false) })
        #expect(entries.allSatisfy { $0.hasPrefix("$ORIGIN") }, "\(entries)")
        let found = try await home.run(program: ["/usr/bin/ldd"] + paths)
        let runtime = found.text.matches(of: /lib(?:swift|dispatch|Foundation|Vitrine)\S* => (.*)/).map(\.1)
        #expect(found.exitCode == 0 && !runtime.isEmpty, "\(found.errors)")
        #expect(runtime.filter { !$0.hasPrefix(tree.path + "/") } == [])
    }

    /// Folders that were there stay, and so does what lies behind a link, and all of it when the list names what it should not.
    @Test func onlyWhatWasMadeIsTakenAway() async throws {
        let home = try UserHome()
        let files = FileManager.default
        let (prefix, outside) = (home.file("prefix"), home.file("outside"))
        for folder in [prefix + "/lib", prefix + "/share/doc", outside] {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: prefix + "/bin", withDestinationPath: outside)
        let scripts = Products.checkout.appending(path: "scripts").path
        let environment = ProcessInfo.processInfo.environment
        func run(_ words: String...) async throws -> FinishedRun {
            let program = try RunningProgram(
                words.map { Array($0.utf8) }, environment: environment, outputIn: home.file(""))
            return try await program.finish()
        }
        let list = prefix + "/lib/vitrine/installed"
        let plugins = prefix + "/lib/vitrine/plugins-1"
        func install() async throws {
            let installed = try await run(scripts + "/install-tree", Products.folder.path, prefix)
            try #require(installed.exitCode == 0, "\(installed.errors)")
        }
        try await install()
        // An update of a version that had one plugin and one page more, beside which there is a plugin of somebody else.
        for plugin in ["gone", "mine"] {
            try files.createDirectory(atPath: "\(plugins)/\(plugin)", withIntermediateDirectories: true)
            try Data().write(to: URL(filePath: "\(plugins)/\(plugin)/plugin.json"))
        }
        let page = prefix + "/share/doc/vitrine/docs/old/gone.md"
        try files.createDirectory(
            atPath: (page as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        // Behind the link, and what lists of earlier versions named by mistake.
        let others = [outside + "/gone", prefix + "/list"]
        for file in [page] + others { try Data().write(to: URL(filePath: file)) }
        let listed = try String(contentsOfFile: list, encoding: .utf8)
        let older = """
            d lib/vitrine/plugins-1/gone
            d share/doc/vitrine/docs/old
            f bin/gone
            f lib/vitrine/plugins-1/gone/plugin.json
            f list
            f share/doc/vitrine/docs/old/gone.md

            """
        try (listed + older).write(toFile: list, atomically: false, encoding: .utf8)
        try await install()
        #expect(files.fileExists(atPath: plugins + "/mine/plugin.json") && !files.fileExists(atPath: plugins + "/gone"))
        #expect(files.fileExists(atPath: plugins + "/pdf/plugin.json"))
        #expect(!files.fileExists(atPath: (page as NSString).deletingLastPathComponent))
        #expect(others.allSatisfy(files.fileExists(atPath:)))
        #expect(try String(contentsOfFile: list, encoding: .utf8) == listed)
        try files.removeItem(atPath: plugins + "/mine")
        let names = try String(contentsOfFile: list, encoding: .utf8)
        let lines = names.split(separator: "\n")
        #expect(lines.contains("f bin/vitrine") && lines.contains("d lib/vitrine") && lines.contains("d include"))
        #expect(lines.contains("f share/man/man1/vitrine.1"))
        // Helps name them.
        #expect(
            lines.contains("f share/doc/vitrine/docs/settings.md") && lines.contains("f share/doc/vitrine/README.md"))
        #expect(!lines.contains("d lib") && !lines.contains("d share") && !lines.contains("d bin"))
        let own = try home.write("own", [1])
        for line in ["f ../own", "f /etc/passwd", "d .", "f a//b", "x a"] {
            try (names + line + "\n").write(toFile: list, atomically: false, encoding: .utf8)
            let run = try await run(scripts + "/uninstall-tree", prefix)
            #expect(run.exitCode == 1 && run.errors.contains("nothing was taken away"), "\(line): \(run.errors)")
        }
        #expect(files.fileExists(atPath: own) && files.fileExists(atPath: prefix + "/lib/vitrine/vitrine-worker"))
        try names.write(toFile: list, atomically: false, encoding: .utf8)
        let taken = try await run(scripts + "/uninstall-tree", prefix)
        #expect(
            taken.exitCode == 1 && taken.errors.contains("/bin/vitrine' stays: a link leads out"), "\(taken.errors)")
        let left = try #require(files.enumerator(atPath: prefix)).compactMap { $0 as? String }.sorted()
        #expect(
            left == ["bin", "lib", "list", "share", "share/doc"] && files.fileExists(atPath: outside + "/vitrine"),
            "\(left)")
    }
    /// Folders that are there already where a tree will be taken are not its own, but go with it as long as it is not there.
    @Test func aTreeThatWillLieElsewhereTakesNoFoldersAway() async throws {
        let home = try UserHome()
        let files = FileManager.default
        let (stage, prefix) = (home.file("stage"), home.file("prefix"))
        try files.createDirectory(atPath: prefix + "/share/man", withIntermediateDirectories: true)
        let scripts = Products.checkout.appending(path: "scripts").path
        func run(_ words: String...) async throws {
            let program = try RunningProgram(
                words.map { Array($0.utf8) }, environment: ProcessInfo.processInfo.environment,
                outputIn: home.file(""))
            let run = try await program.finish()
            try #require(run.exitCode == 0, "\(run.errors)")
        }
        func left(_ folder: String) throws -> [String] {
            try #require(files.enumerator(atPath: folder)).compactMap { $0 as? String }.sorted()
        }
        try await run(scripts + "/install-tree", Products.folder.path, stage, prefix)
        try await run("/bin/cp", "-al", stage + "/.", prefix)
        try await run(scripts + "/uninstall-tree", prefix)
        #expect(try left(prefix) == ["share", "share/man"])
        try await run(scripts + "/uninstall-tree", stage, prefix)
        #expect(try left(stage).isEmpty)
        // Over what Vitrine made there before, and named in another way.
        try await run(scripts + "/install-tree", Products.folder.path, prefix)
        try await run(scripts + "/install-tree", Products.folder.path, stage, prefix)
        try await run("/bin/cp", "-a", "--remove-destination", stage + "/.", prefix)
        try await run(scripts + "/uninstall-tree", prefix + "/../prefix/", prefix)
        #expect(try left(prefix) == ["share", "share/man"])
    }

    /// Who may not build installs no build that is older than what would be installed with it.
    @Test func anOldBuildIsNotInstalled() async throws {
        let home = try UserHome()
        let files = FileManager.default
        let script = try home.write("scripts/check-built", [])
        try files.removeItem(atPath: script)
        try files.copyItem(at: Products.checkout.appending(path: "scripts/check-built"), to: URL(filePath: script))
        let began = Date(timeIntervalSinceNow: -3600)
        func write(_ name: String, after seconds: Double) throws {
            let path = try home.write(name, [])
            try files.setAttributes([.modificationDate: began + seconds, .posixPermissions: 0o755], ofItemAtPath: path)
        }
        for name in ["Package.swift", "Sources/A/A.swift", "Plugins/Renderers/B/plugin.json"] {
            try write(name, after: -60)
        }
        let none = try await home.run(program: [script])
        #expect(none.exitCode == 1 && none.errors.contains("there is no release build; run 'make release'"))
        try write(".build/release/vitrine", after: 30)
        #expect(try await home.run(program: [script]).exitCode == 1)
        try write(".build/release/built", after: 0)
        // No part of the build.
        try write("Plugins/Renderers/B/Tests/BTests.swift", after: 60)
        try write("docs/page.md", after: 60)
        let current = try await home.run(program: [script])
        #expect(current.exitCode == 0 && current.errors.isEmpty, "\(current.errors)")
        // Also what changed while it was built.
        try write("Plugins/Renderers/B/plugin.json", after: 15)
        let older = try await home.run(program: [script])
        #expect(older.exitCode == 1 && older.errors.contains("older than 'Plugins/Renderers/B/plugin.json'"))
    }
}
