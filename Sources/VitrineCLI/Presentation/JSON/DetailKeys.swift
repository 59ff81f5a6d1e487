import VitrineKit

/// The details of an item as keys of a JSON object, beside those that every object of its kind has.
struct DetailKeys: Encodable {
    private let details: [FactName: FactValue]

    /// - Parameters:
    ///   - facts: what was learned.
    ///   - taken: the object's own keys; a renderer that says one of them too is not heard.
    init(_ facts: Facts, besides taken: some Sequence<String>) {
        let taken = Set(taken)
        details = facts.details.filter { !taken.contains($0.key.rawValue) }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: FactName) { stringValue = name.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        for (name, value) in details {
            switch value {
            case .text(let text): try object.encode(text, forKey: Key(name))
            case .number(let number): try object.encode(number, forKey: Key(name))
            case .list(let list): try object.encode(list, forKey: Key(name))
            @unknown default: break
            }
        }
    }
}

/// A place as JSON has it.
struct PlaceObject: Encodable {
    var latitude: Double
    var longitude: Double
    var altitude: Double?

    init(_ place: Place) {
        latitude = place.latitude
        longitude = place.longitude
        altitude = place.altitude
    }
}
