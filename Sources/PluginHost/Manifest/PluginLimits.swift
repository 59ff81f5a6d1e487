import VitrineKit

/// How much one renderer may use: the `limits` object of `plugin.json`.
public struct PluginLimits: Hashable, Sendable {
    /// Seconds for one document, counted while a worker holds it, 0.1 to 3600. Default 10.
    public var seconds: Double = 10
    /// MiB that a worker may map, 64 to 1,048,576. Default 2048.
    public var addressSpaceMiB: Int = 2048
    /// MiB that an input may have, 1 to 16,777,216. Default 2048.
    public var inputMiB: Int = 2048
    /// Megapixels that a decoded picture may have before it is scaled, 1 to 1073. Default 256.
    public var megapixels: Int = 256
    /// Documents after which a worker is replaced, 1 to 1,000,000. Default 500.
    public var documentsPerWorker: Int = 500
    /// Workers at most, 0 to 1024; 0 is as many as there are jobs. Default 0.
    public var workers: Int = 0

    /// The defaults.
    public init() {}
}

extension PluginLimits: Decodable {
    private enum Field: String, CodingKey {
        case seconds, addressSpaceMiB, inputMiB, megapixels, documentsPerWorker, workers
    }

    /// Decodes limits; what is absent has its default.
    /// - Throws: `DecodingError`, also for a number out of its range.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Field.self)
        func check<Number: Comparable & CustomStringConvertible>(
            _ number: Number, _ field: Field, _ range: ClosedRange<Number>
        ) throws -> Number {
            guard range ~= number else {
                throw DecodingError.dataCorruptedError(
                    forKey: field, in: fields,
                    debugDescription:
                        "\(number) is out of range; it may be \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func whole(_ field: Field, _ range: ClosedRange<Int>, default absent: Int) throws -> Int {
            try check(fields.wholeNumber(field, default: absent), field, range)
        }
        seconds = try check(fields.decodeIfPresent(Double.self, forKey: .seconds) ?? seconds, .seconds, 0.1...3600)
        addressSpaceMiB = try whole(.addressSpaceMiB, 64...(1 << 20), default: addressSpaceMiB)
        inputMiB = try whole(.inputMiB, 1...(1 << 24), default: inputMiB)
        megapixels = try whole(.megapixels, 1...1073, default: megapixels)
        documentsPerWorker = try whole(.documentsPerWorker, 1...1_000_000, default: documentsPerWorker)
        workers = try whole(.workers, 0...1024, default: workers)
    }
}
