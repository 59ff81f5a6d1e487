/// What a call was given.
struct BusArguments: Sendable {
    private let values: [BusValue]

    init(_ values: [BusValue]) { self.values = values }

    /// - Returns: `nil` where there is no such argument, or one of another type.
    func number(_ index: Int) -> UInt32? { if case .number(let number)? = value(index) { number } else { nil } }
    /// - Returns: `nil` where there is no such argument, or one of another type.
    func text(_ index: Int) -> String? { if case .text(let text)? = value(index) { text } else { nil } }
    /// - Returns: `nil` where there is no such argument, or one of another type.
    func texts(_ index: Int) -> [String]? { if case .texts(let texts)? = value(index) { texts } else { nil } }

    private func value(_ index: Int) -> BusValue? { values.indices.contains(index) ? values[index] : nil }
}
