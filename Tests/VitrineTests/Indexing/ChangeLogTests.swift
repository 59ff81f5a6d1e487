import Catalog
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

/// Who follows the changes from version to version knows at any time exactly what a fresh walk finds.
@Suite(.timeLimit(.minutes(10))) struct ChangeLogTests {
    /// What a follower knows: URIs, from increments only.
    private struct Follower {
        var known: Set<String> = []
        var version: Int64 = 0

        mutating func follow(_ catalog: Catalog, limit: Int) throws {
            while true {
                switch try catalog.changes(since: version, limit: limit) {
                case .whole(let version):
                    self.version = version
                    known = try ChangeLogTests.items(of: catalog)
                    return
                case .increment(let changes, let version, let isAll):
                    for change in changes { try apply(change) }
                    try #require(version > self.version || isAll)
                    self.version = version
                    if isAll { return }
                }
            }
        }

        private mutating func apply(_ change: Change) throws {
            func uri(_ source: String?, _ path: ItemPath) throws -> String {
                try SourceURI(try #require(source)).appending(path)
            }
            let place = try uri(change.source, change.path)
            switch change.kind {
            case .added, .changed: known.insert(place)
            case .moved:
                let from = try #require(change.from)
                known.remove(try uri(from.source, from.path))
                known.insert(place)
            case .removed: known.remove(place)
            case .previewed: #expect(known.contains(place))
            }
        }
    }

    private static func items(of catalog: Catalog) throws -> Set<String> {
        var items: Set<String> = []
        try catalog.eachItem { (page: [PlacedItem]) throws(PluginError) in
            for item in page { items.insert(try SourceURI(item.source).appending(item.path)) }
        }
        return items
    }

    private static func differences(_ known: Set<String>, _ found: Set<String>) -> [String] {
        known.subtracting(found).map { "too much: \($0)" } + found.subtracting(known).map { "missing: \($0)" }
    }

    /// Few names, so that they meet; one is not text.
    private static let names: [[UInt8]] = ["a", "b", "c", "d.png", "e f"].map { Array($0.utf8) } + [[0xFF, 0xFE]]

    private static func act(_ tree: ByteTree, _ numbers: inout SeededNumbers) throws {
        let all = tree.contents()
        let files = all.filter { !$0.isFolder }.map(\.path)
        let folders = [[]] + all.filter(\.isFolder).map(\.path)
        func place() -> [UInt8] {
            let folder = folders.randomElement(using: &numbers) ?? []
            let name = names.randomElement(using: &numbers) ?? []
            return folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
        }
        let file = files.randomElement(using: &numbers)
        let folder = folders.dropFirst().randomElement(using: &numbers)
        // What cannot be, such as a folder in itself, is refused by the system, which is as good as nothing.
        switch Int.random(in: 0..<14, using: &numbers) {
        case 0...2: try tree.write(place(), [UInt8](repeating: 1, count: Int.random(in: 0..<9, using: &numbers)))
        case 3: try tree.folder(place())
        case 4:
            if let file { try tree.write(file, [UInt8](repeating: 2, count: Int.random(in: 0..<9, using: &numbers))) }
        case 5: if let file { try tree.remove(file) }
        case 6, 7: if let file { try tree.rename(file, place()) }
        case 8, 9: if let folder { try tree.rename(folder, place()) }
        case 10: if let file { try tree.link(file, place()) }
        case 11:
            if let file, let other = files.randomElement(using: &numbers), file != other { try tree.swap(file, other) }
        case 12:
            if let file {
                let times = [-5, 0, 1, 1_700_000_000, 9_300_000_000, 20_000_000_000]
                try tree.setTime(file, times.randomElement(using: &numbers) ?? 0, 7)
            }
        default:
            // Seldom enough that something is left.
            if let folder, Int.random(in: 0..<4, using: &numbers) == 0 { try tree.remove(folder) }
        }
    }

    @Test(arguments: [26, 37, 49, 53, 60, 85] as [UInt64])
    func `a follower of increments ends up with what is there`(_ seed: UInt64) async throws {
        let scratch = try TemporaryFolder()
        let tree = try ByteTree(scratch)
        var configuration = PipelineTests.configuration(scratch)
        configuration.catalog = scratch.path + "/cache/vitrine/catalog.sqlite"
        let pipeline = try PreviewPipeline(configuration)
        let catalog = try #require(try pipeline.desk.catalog())
        var numbers = SeededNumbers(seed: seed)
        var (often, seldom) = (Follower(), Follower())
        try often.follow(catalog, limit: 7)
        try seldom.follow(catalog, limit: 7)
        for name in ["a", "b"] { try tree.folder(Array(name.utf8)) }
        for round in 0..<150 {
            let done: Comment = "round \(round), seed \(seed)"
            for _ in 0..<Int.random(in: 1...5, using: &numbers) {
                do { try Self.act(tree, &numbers) } catch is ByteTree.Failed {}
            }
            // First only folders in it are sources of their own; later it is one, and now and then only a part is walked.
            let folders = tree.contents().filter(\.isFolder).map(\.path)
            let isWhole = round >= 20 && Int.random(in: 0..<4, using: &numbers) > 0
            if !isWhole {
                if let part = folders.randomElement(using: &numbers) {
                    _ = await pipeline.index([try SourceURI(tree.uri(part))])
                }
                if Bool.random(using: &numbers) { try often.follow(catalog, limit: 3) }
                continue
            }
            let run = await pipeline.index([try SourceURI(tree.uri([]))])
            let failures = (run.failedSources + run.failures).map { "\($0.uri): \($0.error)" }
            #expect(run.notices + failures == [], done)
            let found = Set(tree.contents().filter { !$0.isFolder }.map { tree.uri($0.path) })
            #expect(try Self.differences(Self.items(of: catalog), found) == [], done)
            try often.follow(catalog, limit: Int.random(in: 1...20, using: &numbers))
            #expect(Self.differences(often.known, found) == [], done)
            if round % 13 == 0 {
                try seldom.follow(catalog, limit: 1000)
                #expect(Self.differences(seldom.known, found) == [], done)
            }
            let again = await pipeline.index([try SourceURI(tree.uri([]))])
            #expect(again.changes?.isUnchanged == true, done)
        }
        #expect(try catalog.check().isEmpty)
        // What names the tests gave, the folder that is removed with this test cannot.
        try tree.remove([])
        await pipeline.end()
    }
}
