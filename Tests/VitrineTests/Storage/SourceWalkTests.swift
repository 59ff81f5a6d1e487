import Testing
import VitrineKit

@testable import Vitrine

@Suite struct SourceWalkTests {
    /// Longer than any machine is busy: nothing here is about time.
    private static let patience = 86_400.0

    /// A backend made of given listings.
    private struct Listed: StorageBackend {
        var folders: [String: Result<[Entry], PluginError>] = [:]

        init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {}
        init(_ folders: [String: Result<[Entry], PluginError>]) { self.folders = folders }

        func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
            Pages(result: folders[String(decoding: folder.bytes, as: UTF8.self)] ?? .success([]))
        }
        func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
            var entry = Entry(name: path.name, kind: .folder)
            entry.volume = 1
            return entry
        }
        func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
            throw PluginError(.notFound, "nothing is here")
        }

        struct Pages: AsyncSequence, Sendable {
            typealias Element = [Entry]
            typealias Failure = PluginError
            var result: Result<[Entry], PluginError>
            struct Iterator: AsyncIteratorProtocol {
                var rest: [Result<[Entry], PluginError>]
                mutating func next() async throws(PluginError) -> [Entry]? {
                    rest.isEmpty ? nil : try rest.removeFirst().get()
                }
                mutating func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? {
                    rest.isEmpty ? nil : try rest.removeFirst().get()
                }
            }
            func makeAsyncIterator() -> Iterator { Iterator(rest: [result]) }
        }
    }

    private static func entry(_ name: String, _ kind: Entry.Kind, volume: UInt64 = 1) -> Entry {
        var entry = Entry(name: Array(name.utf8), kind: kind)
        entry.volume = volume
        return entry
    }

    private func walk(
        _ folders: [String: Result<[Entry], PluginError>], hidden: Bool = false, across: Bool = false,
        stopAfter: Int = .max
    ) async throws -> [String] {
        let storage = Storage(source: try SourceURI("test:///top"), backend: Listed(folders), seconds: Self.patience)
        let walk = SourceWalk(
            storage: storage, filter: WalkFilter(includesHidden: hidden), crossesFileSystems: across)
        var steps: [String] = []
        await walk.run { step in
            switch step {
            case .known, .moved: Issue.record("a plain walk knows nothing")
            case .item(let item): steps.append(String(decoding: item.path.bytes, as: UTF8.self))
            case .skipped(let uri, _, let error):
                steps.append("skipped \(uri.split(separator: "/").last ?? "") \(error.code.rawValue)")
            case .failed(let uri, _, let error): steps.append("failed \(uri) \(error.code.rawValue)")
            }
            return steps.count < stopAfter
        }
        return steps
    }

    private let tree: [String: Result<[Entry], PluginError>] = [
        "": .success([
            entry("b", .folder), entry("z.pdf", .file), entry(".hidden", .file), entry("a", .folder),
            entry("link", .link), entry("pipe", .special), entry("mount", .folder, volume: 2),
        ]),
        "a": .success([entry("1.pdf", .file), entry("deep", .folder)]),
        "a/deep": .success([entry("2.pdf", .file)]),
        "b": .failure(PluginError(.forbidden, "no")),
        "mount": .success([entry("3.pdf", .file, volume: 2)]),
    ]

    @Test func `every file is met once, and what is none is named with its reason`() async throws {
        #expect(
            try await walk(tree) == [
                "z.pdf", "skipped .hidden unsupported", "skipped link not-a-file", "skipped pipe not-a-file",
                "skipped mount unsupported", "a/1.pdf", "a/deep/2.pdf", "failed test:///top/b forbidden",
            ])
    }

    @Test func `hidden names and other file systems are entered when asked`() async throws {
        let steps = try await walk(tree, hidden: true, across: true)
        #expect(steps.contains(".hidden"))
        #expect(steps.contains("mount/3.pdf"))
    }

    @Test func `other sources of the run have their own turn`() async throws {
        let storage = Storage(source: try SourceURI("test:///top"), backend: Listed(tree), seconds: Self.patience)
        let walk = SourceWalk(
            storage: storage, crossesFileSystems: false,
            others: ["test:///top/a/deep", "test:///top/z.pdf"])
        var items: [String] = []
        await walk.run { step in
            if case .item(let item) = step { items.append(String(decoding: item.path.bytes, as: UTF8.self)) }
            return true
        }
        #expect(items == ["a/1.pdf"])
    }

    @Test func `the walk ends when nobody wants more`() async throws {
        #expect(try await walk(tree, stopAfter: 2).count == 2)
    }

    @Test func `a backend that answers with a path for a name does not climb out`() async throws {
        for name in ["..", ".", "", "a/b", "/etc/passwd", "a\0b"] {
            let steps = try await walk(["": .success([Self.entry(name, .file)])], hidden: true)
            #expect(steps == ["failed test:///top invalid-argument"], "\(name)")
        }
    }
}
