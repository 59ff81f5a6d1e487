extension PluginManifest {
    /// The types of a renderer or reader of containers that no file is ever found to have: neither a pattern of its own
    /// tells them nor the shared MIME database.
    public var unrecognisedTypes: [String] {
        let told = Set(magic.map(\.type))
        let rest = types.filter { !told.contains($0) }
        guard !rest.isEmpty else { return [] }
        let known = ContentType.all
        // Other names of a type that is known will do as well.
        return rest.filter { type in !known.contains(type) && !known.contains { ContentType.equal($0, type) } }
    }
}
