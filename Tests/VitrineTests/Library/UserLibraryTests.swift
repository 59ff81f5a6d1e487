import Foundation
import Library
import PluginHost
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

@Suite("The user's library")
struct UserLibraryTests {
    private let scratch: TemporaryFolder
    private let user: UserLibrary
    private let folder: String

    init() throws {
        scratch = try TemporaryFolder()
        user = try UserLibrary(
            at: LibraryPlace(folder: scratch.path + "/vitrine"),
            plugins: PluginDirectory(scanning: PluginSearchPath(folders: [])))
        try user.library.createCollection("C")
        folder = scratch.path + "/vitrine/collections/C"
    }

    private func storage(_ name: String, _ backend: any StorageBackend) throws -> Storage {
        Storage(source: try SourceURI("cloud://\(name)/docs"), backend: backend, seconds: 3600)
    }

    private func memory(_ files: [String: [UInt8]]) async throws -> InMemoryBackend {
        let backend = try await InMemoryBackend(source: SourceURI("cloud://host"), settings: BackendSettings())
        for (name, content) in files { backend.put(try ItemPath(name), content: content) }
        return backend
    }

    private var copies: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
    }

    @Test("copies files of the same name from other storages under names of their own")
    func sameNames() async throws {
        let names = ["file.doc", "a.tar.gz"]
        for number in 0..<3 {
            let content = [UInt8](repeating: UInt8(number), count: 3_000_000)
            let storage = try await storage("host\(number)", memory(["file.doc": content, "a.tar.gz": content]))
            for name in names {
                #expect(try await user.add(ItemPath(name), of: storage, to: "C").isNew)
            }
        }
        #expect(copies == ["a(1).tar.gz", "a(2).tar.gz", "a.tar.gz", "file(1).doc", "file(2).doc", "file.doc"])
        let second = try Data(contentsOf: URL(filePath: folder + "/file(1).doc"))
        #expect(second == Data(repeating: 1, count: 3_000_000))
        let item = try #require(try user.library.item("cloud://host1/docs/file.doc", in: "C"))
        #expect(item.uri == "file://\(folder)/file(1).doc")
    }

    @Test("copies an item once, however often it is added")
    func once() async throws {
        let storage = try await storage("host", memory(["a.pdf": [1, 2, 3]]))
        let path = try ItemPath("a.pdf")
        let first = try await user.add(path, of: storage, to: "C")
        let second = try await user.add(path, of: storage, to: "C")
        #expect(first.isNew && !second.isNew && first.uri == second.uri)
        #expect(copies == ["a.pdf"])
    }

    @Test("lets only one of several that copy the same item at once into the collection")
    func atOnce() async throws {
        let storage = try await storage("host", memory(["b.pdf": [UInt8](repeating: 7, count: 2_000_000)]))
        let new = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask { (try? await user.add(ItemPath("b.pdf"), of: storage, to: "C"))?.isNew == true }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(new == 1)
        #expect(copies == ["b.pdf"])
    }

    @Test("tells its listeners how far a copy is, and of the item at last")
    func progress() async throws {
        let storage = try await storage("host", memory(["a.pdf": [UInt8](repeating: 7, count: 5_000_000)]))
        let events = user.events(of: .collection("C"))
        let others = user.events(of: .collection("D"))
        let addition = try await user.add(ItemPath("a.pdf"), of: storage, to: "C")
        try user.library.deleteCollection("C")
        try user.library.createCollection("D")
        var heard: [LibraryEvent] = []
        for await event in events {
            heard.append(event)
            if case .collectionDeleted = event { break }
        }
        let uri = "cloud://host/docs/a.pdf"
        #expect(heard.first == .copying(uri: uri, collection: "C", bytes: 0, of: 5_000_000))
        #expect(heard.contains(.copying(uri: uri, collection: "C", bytes: 5_000_000, of: 5_000_000)))
        #expect(
            heard.suffix(3) == [
                .itemAdded(uri: addition.uri, collection: "C"), .itemRemoved(uri: addition.uri, collection: "C"),
                .collectionDeleted("C"),
            ])
        for await event in others {
            #expect(event == .collectionCreated("D"))
            break
        }
    }

    @Test(
        "leaves nothing of a copy that is stopped, changes, ends early or does not fit",
        arguments: Trouble.Kind.allCases)
    func troubles(_ kind: Trouble.Kind) async throws {
        let storage = try await storage("host", Trouble(kind, memory([:])))
        let user = user
        let work = Task { try await user.add(ItemPath("big.bin"), of: storage, to: "C") }
        if kind == .stopped {
            for await event in user.events(of: .item("cloud://host/docs/big.bin")) {
                if case .copying(_, _, let bytes, _) = event, bytes > 0 { break }
            }
            work.cancel()
        }
        let error = await #expect(throws: PluginError.self) { _ = try await work.value }
        #expect(error?.code == kind.code, "\(error?.message ?? "")")
        #expect(copies.isEmpty)
        #expect(try user.library.items(of: "C").isEmpty)
    }

    @Test("refers to local files, and deletes only copies that it made")
    func local() async throws {
        let path = try scratch.write("files/a.doc", Data([1]))
        let storage = Storage(
            source: SourceURI(file: path.deletingLastPathComponent().path.utf8),
            backend: try await memory(["a.doc": [1]]))
        let referred = try await user.add(ItemPath("a.doc"), of: storage, to: "C")
        #expect(referred.uri == "file://" + path.path && copies.isEmpty)
        let item = try user.library.remove(referred.uri, from: "C")
        #expect(try !user.deleteCopy(of: item, in: "C"))
        #expect(FileManager.default.fileExists(atPath: path.path))

        let copied = try await user.add(ItemPath("a.doc"), of: storage, to: "C", copies: true)
        #expect(copied.uri == "file://\(folder)/a.doc" && copies == ["a.doc"])
        #expect(try user.deleteCopy(of: user.library.remove(copied.uri, from: "C"), in: "C"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("refuses what is no file, and collections that are not there")
    func refused() async throws {
        let storage = try await storage("host", memory(["sub/a.pdf": [1]]))
        for (name, collection, code) in [
            ("sub", "C", PluginError.Code.notAFile), ("none", "C", .notFound), ("sub/a.pdf", "D", .notFound),
        ] {
            let error = await #expect(throws: PluginError.self) {
                _ = try await user.add(ItemPath(name), of: storage, to: collection)
            }
            #expect(error?.code == code)
        }
        #expect(copies.isEmpty)
    }
}

/// A storage with one file that cannot be copied to its end.
final class Trouble: StorageBackend {
    enum Kind: CaseIterable, Sendable {
        case stopped, changed, grows, short, breaks, huge

        var code: PluginError.Code {
            switch self {
            case .stopped: .cancelled
            case .changed, .grows, .short: .changed
            case .breaks: .offline
            case .huge: .noSpace
            }
        }
    }
    private let kind: Kind

    private let folder: InMemoryBackend

    init(_ kind: Kind, _ folder: InMemoryBackend) {
        self.kind = kind
        self.folder = folder
    }

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        kind = .breaks
        folder = try await InMemoryBackend(source: source, settings: settings)
    }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable { self.folder.list(folder) }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry { entry(now: false) }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource { Open(storage: self) }

    private func entry(now: Bool) -> Entry {
        let size: Int64 = kind == .huge ? 1 << 60 : kind == .stopped ? 1 << 33 : 4 << 20
        let seconds: Int64 = kind == .changed && now ? 2 : 1
        return Entry(name: Array("big.bin".utf8), kind: .file, size: size, modified: Timestamp(seconds: seconds))
    }

    private struct Open: ByteSource {
        let storage: Trouble
        var entry: Entry { storage.entry(now: false) }
        func current() async throws(PluginError) -> Entry { storage.entry(now: true) }

        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
            switch storage.kind {
            case .breaks where offset >= 2 << 20: throw PluginError(.offline, "the connection broke")
            case .short where offset >= 2 << 20: return []
            case .changed where offset >= 4 << 20: return []
            // Until the copy is stopped: small pieces, and time for others in between.
            case .stopped:
                await Task.yield()
                return [UInt8](repeating: 1, count: 16)
            default: return [UInt8](repeating: 1, count: count)
            }
        }
    }
}
