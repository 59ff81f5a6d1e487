import Foundation
import TestSupport
import Testing
import VitrineTesting

@testable import Workers

/// Renderers keep the pool's promises whatever they are fed.
@Suite(.serialized) struct RendererFuzzTests {
    @Test(.timeLimit(.minutes(30)), arguments: RendererFuzzing.all.map(\.name).filter(FuzzingPlan.current.includes))
    func `mutated documents end in a picture or a typed failure`(name: String) async throws {
        let target = try #require(RendererFuzzing.named(name))
        let plan = FuzzingPlan.current
        let documents = try target.documents()
        let specification = try target.specification()
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        var mutator = ByteMutator(
            pool: documents, words: target.words, maximumLength: 4 << 20, keepsMarkup: target.keepsMarkup,
            seed: plan.seed)
        // Each as it is; and one that is sound, which the renderer must still draw after each that was not.
        var sound: [UInt8]?
        for document in documents {
            let outcome = try await target.check(document, pool, specification)
            if sound == nil, outcome == "rendered" { sound = document }
        }
        let proof = try #require(sound, "no document of the target can be drawn")
        var outcomes: [String: Int] = [:]
        let runs = try await plan.run(target.count) { number in
            let document = mutator.next()
            do {
                let outcome = try await target.check(document, pool, specification)
                outcomes[outcome, default: 0] += 1
                guard outcome != "rendered" else { return }
                if ["crashed", "timeout"].contains(outcome) {
                    print("\(name): \(outcome), kept as \(try FuzzingPlan.keep(document, of: name))")
                } else if number % 16 > 0 {
                    return
                }
                let after = try await target.check(proof, pool, specification)
                #expect(after == "rendered", "after a document that ended as \(outcome)")
            } catch {
                let file = try FuzzingPlan.keep(document, of: name)
                Issue.record("\(name), document \(number) of seed \(plan.seed), kept as \(file): \(error)")
            }
        }
        print("\(name): \(runs) documents, \(await pool.startedCount) workers, \(outcomes.sorted { $0.key < $1.key })")
        #expect(await pool.idleCount <= 1)
        await pool.end()
        #expect(await pool.idleCount == 0)
    }
    @Test func `every renderer is fed`() throws {
        let folder = FuzzTarget.checkout.appending(path: "Plugins/Renderers")
        let fed = Set(RendererFuzzing.all.map(\.plugin))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where !name.hasPrefix(".") {
            // Its library is no package of the distribution, and may be absent.
            #expect(fed.contains(name) || name == "PDFium", "\(name) has no documents")
        }
    }

    /// Files of every other kind under a renderer's own type: what a wrong name, or a wrong guess, hands to it.
    @Test(.timeLimit(.minutes(10)), arguments: RendererFuzzing.all.map(\.name).filter(FuzzingPlan.current.includes))
    func `files of another kind end in a picture or a typed failure`(name: String) async throws {
        let target = try #require(RendererFuzzing.named(name))
        let specification = try target.specification()
        let pool = WorkerPool(program: Products.program("vitrine-worker"), maximumIdle: 1)
        var random = SeededNumbers(seed: 1)
        let strange: [(String, [UInt8])] =
            try RendererFuzzing.all.filter { $0.plugin != target.plugin }.compactMap { other in
                try other.documents().first.map { (other.plugin, $0) }
            } + [
                ("nothing", []), ("zeros", [UInt8](repeating: 0, count: 1 << 16)),
                ("ones", [UInt8](repeating: 0xFF, count: 1 << 16)),
                ("noise", random.bytes(1 << 16)),
            ]
        var declared = target
        declared.mimeType = try target.declaredType()
        for (kind, document) in strange {
            let outcome = try await declared.check(document, pool, specification)
            #expect(!["crashed", "timeout"].contains(outcome), "\(name): \(kind) ended as \(outcome)")
            #expect(!document.isEmpty || outcome == "empty", "\(name): nothing ended as \(outcome)")
        }
        await pool.end()
    }
}
