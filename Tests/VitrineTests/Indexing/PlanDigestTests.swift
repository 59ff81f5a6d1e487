import Containment
import Foundation
import PluginHost
import Settings
import TestSupport
import Testing

@testable import Vitrine

/// What makes folders be looked at again.
@Suite struct PlanDigestTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The renderers of a folder with one plugin, whose manifest has these words besides.
    private func plugins(_ words: String) throws -> PluginDirectory {
        let path = folder.path + "/plugins/one"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let manifest = """
            {"id": "one", "version": "1.0", "abi": 1, "kind": "renderer", "library": "one.so",
             "types": ["application/x-one"], \(words)}
            """
        try manifest.write(toFile: path + "/plugin.json", atomically: true, encoding: .utf8)
        try Data().write(to: URL(filePath: path + "/one.so"))
        return PluginDirectory(scanning: PluginSearchPath(folders: [folder.path + "/plugins"]))
    }

    @Test func `it tells patterns, the containment that is asked for, and types apart`() throws {
        let one = try plugins(#""magic": [{"type": "application/x-one", "offset": 0, "bytes": "0102"}]"#)
        try #require(one.renderers.count == 1, "\(one.listings)")
        let other = try plugins(#""magic": [{"type": "application/x-one", "offset": 0, "bytes": "0103"}]"#)
        let empty = try plugins(
            #""skipsEmpty": true, "magic": [{"type": "application/x-one", "offset": 0, "bytes": "0102"}]"#)
        var strict = Settings()
        strict.requiredContainment = .full
        let digests = [
            PlanDigest.of([.large], one, Settings(), 1), PlanDigest.of([.large], other, Settings(), 1),
            PlanDigest.of([.large], empty, Settings(), 1), PlanDigest.of([.large], one, strict, 1),
            PlanDigest.of([.large], one, Settings(), 2), PlanDigest.of([.normal], one, Settings(), 1),
            PlanDigest.of([.large], one, Settings(), 1, Variant(key: "format=webp,quality=80") ?? .standard),
        ]
        #expect(Set(digests).count == digests.count)
        #expect(PlanDigest.of([.large], one, Settings(), 1) == digests[0])
    }

    @Test func `another MIME database has another mark, and one that is written anew has not`() throws {
        let path = folder.path + "/mime"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let none = TypeDatabase.mark(in: [folder.path])
        try "one".write(toFile: path + "/mime.cache", atomically: true, encoding: .utf8)
        let one = TypeDatabase.mark(in: [folder.path])
        try "one".write(toFile: path + "/mime.cache", atomically: true, encoding: .utf8)
        #expect(TypeDatabase.mark(in: [folder.path]) == one && one != none)
        try "two".write(toFile: path + "/mime.cache", atomically: true, encoding: .utf8)
        #expect(TypeDatabase.mark(in: [folder.path]) != one)
        #expect(TypeDatabase.mark(in: [folder.path, "/nowhere"]) != TypeDatabase.mark(in: [folder.path]))
    }
}
