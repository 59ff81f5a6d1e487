import Catalog
import Foundation
import Testing

/// The catalog as the program keeps it: what it spares, and what becomes of runs when something is wrong with it.
@Suite struct CatalogTests {
    private static let count = 12

    private func fill(_ home: UserHome, _ count: Int = CatalogTests.count) throws {
        let picture = try UserHome.fixture("image/rgb-8.png")
        // A few bytes after the end of a PNG make it another file.
        for number in 0..<count {
            try home.write("\(number % 3)/\(number).png", picture + Array("\(number)".utf8))
        }
    }

    private func catalog(_ home: UserHome) -> String { home.cache + "/vitrine/catalog.sqlite" }

    @Test(.enabled(if: Ability.traces, "strace must be installed, and allowed"))
    func aSecondRunOpensNoFileAndReadsNoPreview() async throws {
        let home = try UserHome()
        try fill(home)
        #expect(try await home.run("prebuild", "--progress=json", home.files).summary().made == Self.count)
        let trace = home.path + "/trace"
        let again = try await home.run(program: [
            "/usr/bin/strace", "-f", "-qq", "-e", "trace=open,openat,openat2", "-o", trace, home.program, "prebuild",
            "--progress=json", home.files,
        ])
        #expect(try again.summary().valid == Self.count)
        let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        #expect(!calls.isEmpty && !calls.contains { $0.contains(".png") })
    }

    @Test func aFileThatChangedLeavesNoPreviewOfWhatItWas() async throws {
        let home = try UserHome()
        try fill(home, 3)
        let sizes = ["--size=normal,x-large,300"]
        #expect(try await home.run("prebuild", "--progress=json", sizes[0], home.files).summary().made == 3)
        let before = home.previews.count
        try home.copy("image/plain.jpg", as: "0/0.png")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: home.file("0/0.png"))
        // That it changed is known before there is a preview: an index looks only.
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(home.previews.count == before)
        #expect(try await home.run("prebuild", "--progress=json", "--size=large", home.files).summary().made == 3)
        // Three of one file are gone, and a new one of each file is there.
        #expect(home.previews.count == before)
        // Who asks for them again has them made, and the next run finds all as it should be.
        #expect(try await home.run("prebuild", "--progress=json", sizes[0], home.files).summary().made == 1)
        #expect(try await home.run("prebuild", "--progress=json", sizes[0], home.files).summary().valid == 3)
        #expect(home.previews.count == before + 3)
    }

    @Test func aFileThatChangedWithoutACatalogDoesNeither() async throws {
        let home = try UserHome()
        let file = try home.copy("image/plain.jpg", as: "plain.jpg")
        #expect(try await home.run("get", file, "--size=x-large").exitCode == 0)
        #expect(try await home.run("get", file, "--size=normal").exitCode == 0)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000)], ofItemAtPath: file)
        #expect(try await home.run("get", file, "--size=normal").exitCode == 0)
        #expect(home.previews.count == 1)
    }

    @Test func aDamagedCatalogCostsNoPreview() async throws {
        let home = try UserHome()
        try fill(home)
        _ = try await home.run("prebuild", "--progress=none", home.files)
        let entries = home.cached
        let whole = try Data(contentsOf: URL(filePath: catalog(home)))
        var state: UInt64 = 0x5EED
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for round in 0..<24 {
            var bytes = whole
            switch round % 4 {
            case 0: for _ in 0..<200 { bytes[random(below: bytes.count)] ^= UInt8(1 << random(below: 8)) }
            case 1: bytes = bytes.prefix(random(below: bytes.count))
            case 2:
                let start = random(below: bytes.count)
                bytes.replaceSubrange(start..<min(bytes.count, start + 6000), with: Data(repeating: 0xA5, count: 50))
            default: bytes = Data("it was a text all the time\n".utf8)
            }
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: catalog(home) + end) }
            try bytes.write(to: URL(filePath: catalog(home)))
            if round % 5 == 0 {
                try Data(repeating: 0x77, count: 9000).write(to: URL(filePath: catalog(home) + "-wal"))
            }
            let run = try await home.run("prebuild", "--progress=json", home.files)
            let summary = try run.summary()
            #expect(run.exitCode == 0 && summary.failed == 0, "round \(round): \(run.errors)")
            #expect(home.cached == entries, "round \(round)")
        }
        // However it was left, from here on it is sound, or becomes so.
        try FileManager.default.removeItem(atPath: catalog(home))
        _ = try await home.run("prebuild", "--progress=none", home.files)
        #expect(try await home.run("prebuild", "--progress=json", home.files).summary().valid == Self.count)
        #expect(try Catalog.open(at: catalog(home)).catalog.check().isEmpty)
    }

    @Test func thatADamagedCatalogWasReplacedIsSaid() async throws {
        let home = try UserHome()
        try fill(home, 3)
        for command in [["prebuild", home.files], ["index", home.files], ["find", "png"], ["changes"]] {
            #expect(try await home.run("prebuild", "--progress=none", home.files).errors.isEmpty)
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: catalog(home) + end) }
            try Data("it was a text all the time\n".utf8).write(to: URL(filePath: catalog(home)))
            let run = try await home.run(program: [home.program] + command)
            #expect(run.exitCode == 0 && run.errors.contains("the catalog was damaged"), "\(command): \(run.errors)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func aSearchInADamagedCatalogEndsAndSaysWhatToDo() async throws {
        let home = try UserHome()
        for number in 0..<400 { try home.write("a name that takes some room \(number).txt", [0x61]) }
        #expect(try await home.run("index", home.files).exitCode == 0)
        var bytes = try Data(contentsOf: URL(filePath: catalog(home)))
        // A leaf of the table of items, which begins with 13, and whose names are not folded to capitals or trigrams.
        let pages = stride(from: 4096, to: bytes.count, by: 4096).filter { start in
            bytes[start] == 13
                && bytes[start..<(start + 4096)].range(of: Data("a name that takes some room 2".utf8)) != nil
        }
        let page = try #require(pages.first)
        bytes.replaceSubrange(page..<(page + 4096), with: Data(repeating: 0xFF, count: 4096))
        try bytes.write(to: URL(filePath: catalog(home)))
        let search = try await home.run("find", "--after", "1980", "room")
        #expect(search.exitCode == 1 && search.errors.contains("'vitrine index'"), "\(search.errors)")
        #expect(try await home.run("index", home.files).exitCode == 0)
        #expect(try await home.run("find", "--limit", "1000", "room").text.split(separator: "\n").count == 400)
    }

    @Test func whatIsNoCatalogIsSaidAndLeftAlone() async throws {
        let home = try UserHome()
        try fill(home, 3)
        let path = catalog(home)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let folder = try await home.run("prebuild", "--progress=none", home.files)
        #expect(folder.exitCode == 0 && folder.errors.contains("catalog"), "\(folder.errors)")
        #expect(home.previews.count == 3)
        let index = try await home.run("index", home.files)
        #expect(index.exitCode == 1 && index.errors.contains("catalog") && index.text.isEmpty, "\(index.text)")
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = try await home.run("prebuild", "--progress=none", "--force", home.files)
        #expect(pipe.exitCode == 0 && pipe.errors.contains("no regular file"), "\(pipe.errors)")
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(.enabled(if: Ability.mounts, "mounting a small file system needs root's rights"))
    func aFullDiskUnderTheCatalogCostsNoPreview() async throws {
        let home = try UserHome()
        try fill(home, 3)
        // Enough names that the catalog does not fit.
        for number in 0..<4000 { try home.write("many/a rather long name that takes some room \(number)", []) }
        let folder = home.cache + "/vitrine"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // On a disk of its own, as somebody may have put it.
        let small = home.path + "/small"
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: catalog(home), withDestinationPath: small + "/catalog.sqlite")
        let script = """
            mount -t tmpfs -o size=300k,mode=700 none "\(small)" || exit 99
            exec "$0" prebuild --progress=json "$1"
            """
        let run = try await home.run(
            program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, home.program, home.files])
        let summary = try run.summary()
        #expect(run.exitCode == 0 && run.errors.contains("no space"), "\(run.errors)")
        #expect(summary.made == 3 && summary.valid == 0 && summary.failed == 0, "\(run.text.suffix(2000))")
        #expect(home.previews.count == 3)
    }

    @Test func aRunThatIsKilledAtAnyMomentIsGoneOnWith() async throws {
        let home = try UserHome()
        try fill(home, 60)
        let seed =
            ProcessInfo.processInfo.environment["VITRINE_TEST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        var state = seed
        var (made, killed) = ([String: UInt64](), 0)
        // Microseconds, about as long as a run takes here: so that some are killed, and some are not.
        var window: Int64 = 300_000
        for number in 0..<30 {
            let comment: Comment = "kill \(number), seed \(seed)"
            let program = try home.start("prebuild", "--jobs=2", "--progress=none", home.files)
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let moment = Int64(state >> 33) % window
            if program.send(SIGKILL, after: .microseconds(moment)) {
                killed += 1
                window = window * 5 / 4
            } else {
                window = max(moment, 20_000)
            }
            _ = try await program.finish()
            let now = home.cached.filter { $0.key.hasSuffix(".png") }
            for (name, inode) in made { #expect(now[name] == inode, "\(name), \(comment)") }
            made = now
            #expect(try Catalog.open(at: catalog(home)).catalog.check().isEmpty, comment)
            guard made.count == 60 else { continue }
            // All is there: names change, so that previews have to follow, and the next is killed while they do.
            let folder = "\(home.files)/\(number) "
            for part in try FileManager.default.contentsOfDirectory(atPath: home.files) {
                try FileManager.default.moveItem(atPath: home.file(part), toPath: folder + String(part.suffix(1)))
            }
            made = [:]
        }
        #expect(killed > 5, "the program was hardly ever killed, seed \(seed)")
        let last = try await home.run("prebuild", "--progress=json", home.files)
        let summary = try last.summary()
        #expect(summary.made + summary.valid == 60 && summary.failed == 0, "seed \(seed)")
        let dry = try await home.run("prebuild", "--dry-run", "--progress=json", home.files)
        #expect(try dry.summary().valid == 60 && dry.summary().planned == 0, "seed \(seed)")
        #expect(try await home.run("prebuild", "--progress=json", home.files).summary().valid == 60, "seed \(seed)")
        #expect(try Catalog.open(at: catalog(home)).catalog.check().isEmpty)
    }
}
