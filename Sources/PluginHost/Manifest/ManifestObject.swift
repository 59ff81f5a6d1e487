import JSON

/// An object of a manifest, whose fields are asked for by name. A field that is `null` is as good as absent, unless it is
/// wanted.
struct ManifestObject<Field: RawRepresentable<String>> {
    private let members: [String: JSONValue]
    /// Where it stands, such as `limits` or `magic[2]`; empty for the manifest itself.
    private let place: String

    private init(members: [String: JSONValue], place: String) { (self.members, self.place) = (members, place) }

    /// - Parameter place: where the value stands; empty for the manifest itself.
    init(_ value: JSONValue, at place: String = "") throws(ManifestFault) {
        guard case .object(let members) = value else {
            throw place.isEmpty ? ManifestFault("it is not a JSON object") : .unfit(value, "an object", at: place)
        }
        self.init(members: members, place: place)
    }

    /// The same object with fields of other names.
    func fields<Other: RawRepresentable<String>>(_ other: Other.Type) -> ManifestObject<Other> {
        ManifestObject<Other>(members: members, place: place)
    }

    /// Whether the field is there, be it as `null`.
    func has(_ field: Field) -> Bool { members[field.rawValue] != nil }

    /// The field as it stands there.
    subscript(_ field: Field) -> JSONValue? { members[field.rawValue].flatMap { $0 == .null ? nil : $0 } }

    /// Where the field stands.
    func place(of field: Field) -> String { place.isEmpty ? field.rawValue : "\(place).\(field.rawValue)" }

    /// What is wrong with a field.
    func fault(_ field: Field, _ clause: String) -> ManifestFault { .at(place(of: field), clause) }

    private func wanted<Value>(
        _ field: Field, _ read: (JSONValue, String) throws(ManifestFault) -> Value
    ) throws(ManifestFault) -> Value {
        guard let value = members[field.rawValue] else { throw .missing(place(of: field)) }
        return try read(value, place(of: field))
    }

    private func possible<Value>(
        _ field: Field, _ read: (JSONValue, String) throws(ManifestFault) -> Value
    ) throws(ManifestFault) -> Value? {
        guard let value = self[field] else { return nil }
        return try read(value, place(of: field))
    }
}

// What a field may be.
extension ManifestObject {
    func text(_ field: Field) throws(ManifestFault) -> String { try wanted(field, ManifestValue.text) }
    func optionalText(_ field: Field) throws(ManifestFault) -> String? { try possible(field, ManifestValue.text) }

    func texts(_ field: Field) throws(ManifestFault) -> [String] { try wanted(field, ManifestValue.texts) }
    func optionalTexts(_ field: Field) throws(ManifestFault) -> [String]? { try possible(field, ManifestValue.texts) }

    func boolean(_ field: Field, default absent: Bool) throws(ManifestFault) -> Bool {
        try possible(field, ManifestValue.boolean) ?? absent
    }

    func number(_ field: Field, default absent: Double) throws(ManifestFault) -> Double {
        try possible(field, ManifestValue.number) ?? absent
    }

    func wholeNumber(_ field: Field) throws(ManifestFault) -> Int { try wanted(field, ManifestValue.wholeNumber) }
    func wholeNumber(_ field: Field, default absent: Int) throws(ManifestFault) -> Int {
        try possible(field, ManifestValue.wholeNumber) ?? absent
    }

    /// An object in this one, with fields of its own; `nil` when it is absent.
    func object<Inner: RawRepresentable<String>>(
        _ field: Field, of inner: Inner.Type
    ) throws(ManifestFault) -> ManifestObject<Inner>? {
        guard let value = self[field] else { return nil }
        return try ManifestObject<Inner>(value, at: place(of: field))
    }

    /// Objects in a list; none when it is absent.
    func objects<Inner: RawRepresentable<String>>(
        _ field: Field, of inner: Inner.Type
    ) throws(ManifestFault) -> [ManifestObject<Inner>] {
        guard let list = self[field] else { return [] }
        var objects: [ManifestObject<Inner>] = []
        for (value, place) in try ManifestValue.elements(list, at: place(of: field)) {
            objects.append(try ManifestObject<Inner>(value, at: place))
        }
        return objects
    }
}
