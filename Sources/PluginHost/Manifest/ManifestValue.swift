import JSON

/// Values of a manifest as what they must be.
enum ManifestValue {
    static func text(_ value: JSONValue, at place: String) throws(ManifestFault) -> String {
        guard let text = value.text else { throw .unfit(value, "text", at: place) }
        return text
    }

    static func texts(_ value: JSONValue, at place: String) throws(ManifestFault) -> [String] {
        var texts: [String] = []
        for (value, place) in try elements(value, at: place) { texts.append(try text(value, at: place)) }
        return texts
    }

    static func boolean(_ value: JSONValue, at place: String) throws(ManifestFault) -> Bool {
        guard let boolean = value.boolean else { throw .unfit(value, "true or false", at: place) }
        return boolean
    }

    static func number(_ value: JSONValue, at place: String) throws(ManifestFault) -> Double {
        guard case .number(let number) = value else { throw .unfit(value, "a number", at: place) }
        return number
    }

    static func wholeNumber(_ value: JSONValue, at place: String) throws(ManifestFault) -> Int {
        let number = try number(value, at: place)
        guard let whole = Int(exactly: number) else {
            throw .at(place, "\(number) is \(number == number.rounded() ? "out of range" : "no whole number")")
        }
        return whole
    }

    /// The elements of a list, with their places.
    static func elements(
        _ value: JSONValue, at place: String
    ) throws(ManifestFault) -> [(value: JSONValue, place: String)] {
        guard let list = value.list else { throw .unfit(value, "a list", at: place) }
        return list.enumerated().map { ($0.element, "\(place)[\($0.offset)]") }
    }
}
