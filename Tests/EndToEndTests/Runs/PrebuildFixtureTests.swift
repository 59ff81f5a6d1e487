import Foundation
import TestSupport
import Testing
import VitrineTesting

/// One run over all fixtures in all sizes, and what the runs after it make of that.
@Suite struct PrebuildFixtureTests {
    private static let sizes = ["normal": 128, "large": 256, "x-large": 512, "xx-large": 1024, "300": 300]
    private static let sizeOption = "--size=normal,large,x-large,xx-large,300"
    /// Golden pictures are previews themselves: of no interest here.
    private static let folders = [
        "animation", "archive", "audio", "bad", "comic", "database", "djvu", "ebook", "font", "html", "icc", "image",
        "mail", "model", "office", "package", "pdf", "postscript", "program", "raw", "track", "video", "xps",
    ]

    @Test func everyFixtureGetsItsPreviewsOrItsReason() async throws {
        let home = try UserHome()
        let words =
            [Self.sizeOption, "--progress=json"] + Self.folders.map { Products.fixtures.appending(path: $0).path }
        let first = try await home.run(bytes: (["prebuild"] + words).map { Array($0.utf8) })
        #expect(first.exitCode == 0, "\(first.errors)")
        let items = try byName(first)
        let names = try FixtureExpectation.names().filter { name in Self.folders.contains { name.hasPrefix($0 + "/") } }
        #expect(Set(items.keys) == Set(names))
        for (name, item) in items {
            try check(name, item)
            // Looking at pictures takes long here, and other tests want this thread too.
            await Task.yield()
        }

        let good = names.filter { FixtureExpectation.of($0).isPicture }
        try expectCounts(first, made: good.count, valid: 0, items)
        try checkPermissions(home)
        try await checkWithGLib(home, good)
        #expect(home.leftovers(of: first.pid) == [])

        // What is there and still true is not made again, nor is a failure tried again.
        let entries = home.cached
        let second = try await home.run(bytes: (["prebuild"] + words).map { Array($0.utf8) })
        #expect(second.exitCode == 0)
        try expectCounts(second, made: 0, valid: good.count, items)
        let kept = home.cached
        #expect(home.previews.allSatisfy { kept[$0] == entries[$0] } && Set(kept.keys) == Set(entries.keys))
        let known = try byName(second).filter { $0.value.outcome == "failed" }
        #expect(known.allSatisfy { $0.value.result == items[$0.key]?.result })
        // An empty file costs nothing to look at again, and no renderer saw it. What overran a bound may do better when
        // the machine is less busy, once.
        let tried = known.values.filter { !$0.remembered }.compactMap(\.code)
        #expect(Set(tried).isSubset(of: ["empty", "limit-exceeded"]), "\(tried)")
        #expect(known.values.contains { $0.remembered })

        // Unless somebody insists.
        let third = try await home.run(bytes: (["prebuild", "--force"] + words).map { Array($0.utf8) })
        try expectCounts(third, made: good.count, valid: 0, items)
        #expect(try byName(third).values.allSatisfy { !$0.remembered })
        let again = home.cached
        #expect(Set(again.keys) == Set(entries.keys))
        #expect(home.previews.allSatisfy { again[$0] != entries[$0] })
        #expect(home.leftovers(of: third.pid) == [])
    }

    private func check(_ name: String, _ item: ProgressLine) throws {
        switch FixtureExpectation.of(name) {
        case .failed(let code):
            #expect(item.outcome == "failed" && item.code == code, "\(name): \(item.result) \(item.reason ?? "")")
            #expect(item.reason?.isEmpty == false, "\(name)")
        case .skipped(let code):
            #expect(item.outcome == "skipped" && item.code == code, "\(name): \(item.result) \(item.reason ?? "")")
        case .motif, .picture:
            #expect(item.outcome == "made", "\(name): \(item.result) \(item.reason ?? "")")
            #expect(Set(item.previews.keys) == Set(Self.sizes.keys), "\(name)")
            for (size, path) in item.previews { try check(name, item, Self.sizes[size] ?? 0, path) }
        }
    }

    private func check(_ name: String, _ item: ProgressLine, _ side: Int, _ path: String) throws {
        let file = try PNGFile(path)
        #expect(file.bitDepth == 8 && file.colorType == 6 && file.interlace == 0, "\(name)")
        #expect(file.longerSide <= side && file.width > 0 && file.height > 0, "\(name): \(file.width) × \(file.height)")
        if name == "pdf/plain.pdf" { #expect(file.longerSide == side) }
        let attributes = try FileManager.default.attributesOfItem(atPath: Products.fixtures.path + "/" + name)
        let modified = try #require(attributes[.modificationDate] as? Date)
        #expect(file.texts["Thumb::URI"] == item.uri)
        #expect(file.texts["Thumb::MTime"] == String(Int(modified.timeIntervalSince1970.rounded(.down))), "\(name)")
        #expect(file.texts["Thumb::Size"] == (attributes[.size] as? NSNumber)?.stringValue, "\(name)")
        #expect(file.texts["Thumb::Mimetype"] == item.type, "\(name)")
        guard FixtureExpectation.of(name) == .motif else { return }
        let frame = FixtureExpectation.frame(of: name)
        let quadrants = QuadrantCheck(try file.picture(), columns: frame.columns, rows: frame.rows)
        #expect(quadrants.arrangement == .upright, "\(name) at \(side): \(quadrants)")
        #expect(quadrants.largestError < 0.06, "\(name) at \(side)")
    }

    private func expectCounts(
        _ run: FinishedRun, made: Int, valid: Int, _ items: [String: ProgressLine]
    ) throws {
        let summary = try run.summary()
        let failed = items.values.filter { $0.outcome == "failed" }.count
        let skipped = items.values.filter { $0.outcome == "skipped" }.count
        #expect(summary.made == made && summary.valid == valid)
        #expect(summary.failed == failed && summary.skipped == skipped)
        #expect(summary.found == made + valid + failed + skipped)
        #expect(!summary.interrupted && summary.planned == 0)
    }

    /// Folders 0700, files 0600, as the thumbnail standard wants.
    private func checkPermissions(_ home: UserHome) throws {
        let names = FileManager.default.enumerator(atPath: home.cache)?.compactMap { $0 as? String } ?? []
        #expect(names.count > 100)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(home.cache)/\(name)")
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
            #expect(mode == (isFolder ? 0o700 : 0o600), "\(name)")
        }
    }

    /// Asks GLib, which file managers ask.
    private func checkWithGLib(_ home: UserHome, _ names: [String]) async throws {
        let paths = names.map { Products.fixtures.path + "/" + $0 }
        let answer = try await home.run(program: ["/usr/bin/gio", "info", "-a", "thumbnail::*"] + paths)
        #expect(answer.exitCode == 0, "\(answer.errors)")
        let lines = answer.text.split(separator: "\n")
        #expect(lines.filter { $0.contains("thumbnail::is-valid: TRUE") }.count == names.count)
        #expect(lines.filter { $0.contains("thumbnail::path: \(home.cache)/thumbnails/") }.count == names.count)
    }

    private func byName(_ run: FinishedRun) throws -> [String: ProgressLine] {
        let root = "file://" + Products.fixtures.path + "/"
        return Dictionary(try run.items().map { ($0.uri.replacing(root, with: ""), $0) }) { first, _ in first }
    }
}
