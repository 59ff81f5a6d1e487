import VitrineKit

/// A JSON object on an item: what every object of its kind has, and the details of this one beside it.
struct DetailedObject<Known: Encodable>: Encodable {
    private let known: Known
    private let details: DetailKeys

    /// - Parameters:
    ///   - known: what every object of its kind has.
    ///   - keys: the names of all of that.
    ///   - facts: what was learned of the item.
    init<Key: CodingKey & CaseIterable>(_ known: Known, keys: Key.Type, _ facts: Facts) {
        self.known = known
        details = DetailKeys(facts, besides: keys.allCases.map(\.stringValue))
    }

    func encode(to encoder: any Encoder) throws {
        try known.encode(to: encoder)
        try details.encode(to: encoder)
    }
}
