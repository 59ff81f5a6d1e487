import JSON

/// What is wrong with a manifest.
struct ManifestFault: Error {
    /// A clause that names the field, if it is about one.
    let clause: String

    init(_ clause: String) { self.clause = clause }

    /// A field that says something else than it may.
    static func at(_ place: String, _ clause: String) -> Self { Self("field '\(place)': \(clause)") }

    static func missing(_ place: String) -> Self { Self("field '\(place)' is missing") }

    /// A field that is something else than it must be.
    static func unfit(_ value: JSONValue, _ wanted: String, at place: String) -> Self {
        .at(place, value == .null ? "null was found, \(wanted) is wanted" : "\(wanted) is wanted")
    }
}
