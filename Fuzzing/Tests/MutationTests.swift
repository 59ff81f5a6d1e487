import Testing

/// Mutated inputs keep the rules. `make fuzz` goes on with libFuzzer, which sees what an input reaches.
@Suite struct MutationTests {
    @Test(.timeLimit(.minutes(10)), arguments: FuzzTarget.all.map(\.name).filter(FuzzingPlan.current.includes))
    func `mutated inputs keep the rules`(name: String) async throws {
        let target = try #require(FuzzTarget.named(name))
        let plan = FuzzingPlan.current
        var mutator = ByteMutator(
            pool: try target.beginnings(), words: target.words, maximumLength: target.maximumLength, seed: plan.seed)
        try await plan.run(300) { number in
            let bytes = mutator.next()
            do { try target.check(bytes) } catch {
                let file = try FuzzingPlan.keep(bytes, of: name)
                Issue.record("\(name), input \(number) of seed \(plan.seed), kept as \(file): \(error)")
            }
        }
    }

    @Test func `a seed always gives the same inputs`() {
        func inputs(_ seed: UInt64) -> [[UInt8]] {
            var mutator = ByteMutator(
                pool: [Array("one".utf8), Array("another".utf8)], words: ["word"], maximumLength: 64, seed: seed)
            return (0..<200).map { _ in mutator.next() }
        }
        #expect(inputs(7) == inputs(7))
        #expect(inputs(7) != inputs(8))
        #expect(inputs(7).allSatisfy { $0.count <= 64 })
        #expect(Set(inputs(7)).count > 150)
    }

    @Test func `a broken rule is found`() async throws {
        let target = FuzzTarget(name: "none", maximumLength: 16, seeds: { [[0, 0, 0, 0]] }) { bytes in
            try hold(!bytes.contains(0xFF), "255 is not allowed")
        }
        var mutator = ByteMutator(pool: target.seeds(), maximumLength: 16, seed: 1)
        #expect(throws: BrokenRule.self) { for _ in 0..<1000 { try target.check(mutator.next()) } }
    }
}
