/// A whole number of a manifest.
///
/// Decoded by way of `Double`, which holds each number that a manifest may have: asked for an `Int`, the decoder
/// blames the whole file for a fraction and does not say which field it is in.
struct WholeNumber: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Double.self)
        guard let value = Int(exactly: number) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\(number) is \(number == number.rounded() ? "out of range" : "no whole number")")
        }
        self.value = value
    }
}

extension KeyedDecodingContainer {
    /// Decodes a whole number.
    func wholeNumber(_ key: Key) throws -> Int { try decode(WholeNumber.self, forKey: key).value }

    /// Decodes a whole number that may be absent.
    func wholeNumber(_ key: Key, default absent: Int) throws -> Int {
        try decodeIfPresent(WholeNumber.self, forKey: key)?.value ?? absent
    }
}
