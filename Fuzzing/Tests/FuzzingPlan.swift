import Foundation

/// How long and with which numbers to mutate: briefly and always the same in `make test`, as the variables say in
/// `make fuzz`.
struct FuzzingPlan {
    /// `VITRINE_FUZZ_SEED`: the first number.
    let seed: UInt64
    /// `VITRINE_FUZZ_SECONDS`: how long for each target; `nil` for a fixed number of inputs.
    let seconds: Int?
    /// `VITRINE_FUZZ_TARGETS`: names of targets, separated by commas; `nil` for all.
    let targets: Set<String>?

    static let current = FuzzingPlan()

    private init() {
        let environment = ProcessInfo.processInfo.environment
        seed = environment["VITRINE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
        seconds = environment["VITRINE_FUZZ_SECONDS"].flatMap { Int($0) }
        targets = environment["VITRINE_FUZZ_TARGETS"].map { Set($0.split(separator: ",").map(String.init)) }
    }

    /// Whether a target is to be run.
    func includes(_ name: String) -> Bool { targets?.contains(name) ?? true }

    /// Calls a function until it was called often enough or the time is over.
    /// - Parameter count: the fixed number.
    /// - Returns: how often it was called.
    @discardableResult
    func run(_ count: Int, _ body: (_ number: Int) async throws -> Void) async rethrows -> Int {
        let end = seconds.map { ContinuousClock.now + .seconds($0) }
        var number = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (number < count) {
            try await body(number)
            number += 1
        }
        return number
    }

    /// Keeps an input that broke something, so that it can be looked at and become a regression.
    /// - Returns: where it lies.
    static func keep(_ bytes: [UInt8], of target: String) throws -> String {
        let folder = FuzzTarget.checkout.appending(path: ".build/fuzz-findings/\(target)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // FNV-1a: a name that is the same for the same bytes.
        let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let file = folder.appending(path: String(hash, radix: 16))
        try Data(bytes).write(to: file)
        return file.path
    }
}
