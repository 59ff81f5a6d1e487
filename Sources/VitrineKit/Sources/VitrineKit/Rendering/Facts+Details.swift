extension Facts {
    /// Sets a text, as ``line(_:limit:)`` cleans it; one that says nothing is left out.
    public mutating func set(_ name: FactName, _ text: String?) {
        details[name] = text.flatMap { Self.line($0) }.map(FactValue.text)
    }

    /// Sets a number; one that is not finite is left out.
    public mutating func set(_ name: FactName, _ number: Double?) {
        details[name] = number.flatMap { $0.isFinite ? FactValue.number($0) : nil }
    }

    /// Sets a list of texts, each cleaned; an empty list is left out.
    public mutating func set(_ name: FactName, _ list: [String]) {
        let lines = list.prefix(FactValue.listLimit).compactMap { Self.line($0, limit: FactValue.listTextLimit) }
        details[name] = lines.isEmpty ? nil : .list(lines)
    }

    /// Sets a value as the function for its kind would.
    public mutating func set(_ name: FactName, _ value: FactValue) {
        switch value {
        case .text(let text): set(name, text)
        case .number(let number): set(name, number)
        case .list(let list): set(name, list)
        }
    }

    /// The text of a detail; `nil` when there is none or it is no text.
    public func text(_ name: FactName) -> String? {
        if case .text(let text) = details[name] { return text }
        return nil
    }
}
