import Foundation
import Testing

/// Every input that once broke something, and every seed, keeps the rules.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all.map(\.name)) func `what is kept keeps the rules`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let inputs =
            try target.corpus().map { ($0.name, $0.bytes) }
            + target.beginnings().enumerated().map { ("beginning \($0.offset)", $0.element) }
        #expect(!inputs.isEmpty, "a target without any input")
        for (input, bytes) in inputs {
            #expect(throws: Never.self, "\(name): \(input)") { try target.check(bytes) }
        }
    }

    @Test func `every folder of inputs belongs to a target`() throws {
        let folder = FuzzTarget.checkout.appending(path: "Fuzzing/Corpus")
        let known = Set(FuzzTarget.all.map(\.name) + RendererFuzzing.all.map(\.name))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix(".") {
            #expect(known.contains(name), "Fuzzing/Corpus/\(name) is of no target")
        }
    }
}
