import Foundation
import Testing
import VitrineTesting

/// What no preview can be made of: each is a reason of its own, and the rest is made.
@Suite struct BadInputTests {
    /// The last part of an item's URI, decoded.
    private func results(_ run: FinishedRun) throws -> [[UInt8]: ProgressLine] {
        let pairs = try run.items().map { item in (Self.bytes(item.uri.split(separator: "/").last ?? ""), item) }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func bytes(_ encoded: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(encoded.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    @Test func everyNameAndEveryOddFileIsDealtWith() async throws {
        let home = try UserHome()
        let odd = OddFiles(in: home.files)
        try odd.everything(content: UserHome.fixture("pdf/plain.pdf"))
        let run = try await home.run("prebuild", "--progress=json", home.files)
        #expect(run.exitCode == 0, "\(run.errors)")
        let results = try results(run)
        for name in OddFiles.names {
            let result = try #require(results[name], "nothing was said of \(name)")
            // A name that begins with a dot is hidden.
            #expect(result.outcome == (name.first == UInt8(ascii: ".") ? "skipped" : "made"), "\(result)")
        }
        for name in ["pipe.pdf", "socket.pdf", "dangling.pdf", "loop", "loop-back", "itself", "device.pdf"] {
            #expect(results[Array(name.utf8)]?.result == "not-a-file", "\(name)")
        }
        #expect(results[Array("sparse.pdf".utf8)]?.result == "limit-exceeded")
        #expect(home.previews.count == (OddFiles.permissionsAreEnforced ? 0 : 1) + OddFiles.names.count - 1)
        #expect(home.leftovers(of: run.pid) == [])
        let again = try await home.run("prebuild", "--progress=json", home.files)
        #expect(try again.summary().made == 0)
    }

    @Test func whatIsTooLargeIsNotShownAsSomethingElse() async throws {
        let home = try UserHome()
        let blanks = Data(repeating: UInt8(ascii: " "), count: 40 << 20)
        try Data("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>".utf8 + blanks + "</svg>".utf8)
            .write(to: URL(filePath: home.file("bomb.svg")))
        #expect(try await home.run(program: ["/usr/bin/gzip", "-S", "z", home.file("bomb.svg")]).exitCode == 0)
        let got = try await home.run("get", home.file("bomb.svgz"))
        // It could be listed as an archive of one file, which nobody wants to see of a drawing.
        #expect(got.exitCode == 1 && got.errors.contains("the compressed drawing holds more than"), "\(got.errors)")
    }

    @Test func linksThatAreFollowedComeToAnEnd() async throws {
        let home = try UserHome()
        let odd = OddFiles(in: home.files)
        try odd.loopingLink("loop")
        try odd.linkToItself(Array("itself".utf8))
        try odd.danglingLink(Array("dangling.pdf".utf8))
        try odd.linkToDevice(Array("device.pdf".utf8))
        try home.copy("pdf/plain.pdf", as: "folder/plain.pdf")
        try odd.link(Array("good.pdf".utf8), to: "folder/plain.pdf")
        let run = try await home.run("prebuild", "--follow-links", "--progress=json", home.files)
        #expect(run.exitCode == 0)
        let results = try results(run).mapValues(\.result)
        #expect(results[Array("good.pdf".utf8)] == "made" && results[Array("plain.pdf".utf8)] == "made")
        for name in ["loop", "loop-back", "itself", "dangling.pdf", "device.pdf"] {
            #expect(results[Array(name.utf8)] == "not-a-file", "\(name)")
        }
    }

    @Test func everyNameCanBeNamed() async throws {
        let home = try UserHome()
        let content = try UserHome.fixture("image/one-pixel.png")
        for name in OddFiles.names { try OddFiles(in: home.files).file(name, content: content) }
        // Two ways to name a file: by its path, and from its folder after --.
        for name in OddFiles.names {
            let path = Array(home.files.utf8) + [UInt8(ascii: "/")] + name
            let run = try await home.run(bytes: [Array("get".utf8), path])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.output.starts(with: Array(home.cache.utf8)))
        }
        let words = OddFiles.names.map { Array("\(home.files)/".utf8) + $0 }
        let run = try await home.run(bytes: ["prebuild", "--progress=json", "--"].map { Array($0.utf8) } + words)
        #expect(try run.summary().valid == OddFiles.names.count)
    }

    @Test(arguments: ["pipe.pdf", "socket.pdf", "dangling.pdf", "loop", "device.pdf", "itself"])
    func whatIsNoFileIsRefusedWhenNamed(_ name: String) async throws {
        let home = try UserHome()
        try OddFiles(in: home.files).everything(content: [])
        let got = try await home.run("get", home.file(name))
        #expect(got.exitCode == 1 && got.output.isEmpty)
        #expect(got.errors.contains(home.file(name)), "\(got.errors)")
        let explained = try await home.run("explain", home.file(name))
        #expect([0, 1].contains(explained.exitCode))
        #expect(explained.text.contains("not-a-file") || explained.errors.contains(home.file(name)))
        guard name != "itself" else { return }
        let built = try await home.run("prebuild", "--progress=json", home.file(name))
        #expect(built.exitCode == 1)
        #expect(try built.summary().failedSources.map(\.code) == ["not-a-file"])
    }

    @Test func theCacheItselfIsLeftAlone() async throws {
        let home = try UserHome()
        try home.copy("image/rgb-8.png", as: "rgb-8.png")
        try home.copy("pdf/zero-pages.pdf", as: "zero-pages.pdf")
        _ = try await home.run("prebuild", "--size=normal,large,300", home.files)
        let entries = home.cached
        #expect(entries.count == 4)
        for folder in [home.cache, home.cache + "/thumbnails/large", home.cache + "/vitrine/previews"] {
            let run = try await home.run("prebuild", "--progress=json", folder)
            #expect(run.exitCode == 0)
            let items = try run.items()
            #expect(!items.isEmpty && items.allSatisfy { $0.result == "is-thumbnail" }, "\(folder)")
            #expect(home.cached == entries)
        }
        let entry = try #require(home.previews.first)
        let named = try await home.run("get", "\(home.cache)/\(entry)")
        #expect(named.exitCode == 1 && named.errors.contains("thumbnail"))
        // A link is no way around it.
        try OddFiles(in: home.files).link(Array("way".utf8), to: home.cache)
        let linked = try await home.run("prebuild", "--progress=json", "--follow-links", home.files)
        #expect(try linked.summary().made == 0)
        #expect(home.cached == entries)
        let throughLink = try await home.run("prebuild", "--progress=json", home.file("way"))
        #expect(try throughLink.summary().made == 0)
        #expect(home.cached == entries)
    }

    @Test func aFileThatVanishesAndOneThatChangesCostThemselvesOnly() async throws {
        let plugin = try HostilePlugin(seconds: 60)
        let home = try UserHome(plugins: [plugin.folder])
        // Files come in the order of their names: the last one is not opened yet.
        let listed = (0...HeldFiles.window).map { "file-\($0)" }.sorted()
        for name in listed { try home.write(name, []) }
        let last = try #require(listed.last)
        let held = try HeldFiles(listed.filter { $0 != last }, in: home)
        try home.copy("pdf/plain.pdf", as: last)
        try home.copy("pdf/plain.pdf", as: "later/plain.pdf")
        let running = try home.start("prebuild", "--jobs=1", "--progress=json", home.files)
        try await held.areOpen(HeldFiles.window, in: running)
        try FileManager.default.removeItem(atPath: home.file(last))
        try held.letGo()
        let run = try await running.finish()
        #expect(run.exitCode == 0)
        let results = try results(run)
        #expect(results[Array(last.utf8)]?.result == "not-found")
        for name in listed where name != last { #expect(results[Array(name.utf8)]?.result == "changed", "\(name)") }
        #expect(results[Array("plain.pdf".utf8)]?.result == "made")
        // Neither is remembered: both may be well next time.
        #expect(home.cached.count == 1)
        #expect(home.leftovers(of: run.pid) == [])
    }
}
