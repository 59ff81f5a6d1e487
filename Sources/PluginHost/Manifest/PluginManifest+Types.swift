extension PluginManifest {
    /// The types of a renderer or reader of containers that nothing tells: neither a pattern of a manifest nor the shared
    /// MIME database. Files are of such a type only if they are zip files that declare it in their member `mimetype`; types
    /// that are packed in zip by their names, as RFC 6839 has it, are thus left out.
    /// - Parameter others: the manifests of further plugins, whose patterns count for all.
    public func unrecognisedTypes(among others: [PluginManifest]) -> [String] {
        let told = Set((others + [self]).flatMap(\.magic).map(\.type))
        let rest = types.filter { !told.contains($0) && !$0.hasSuffix("+zip") }
        guard !rest.isEmpty else { return [] }
        let known = ContentType.all
        // Other names of a type that is known will do as well.
        return rest.filter { type in !known.contains(type) && !known.contains { ContentType.equal($0, type) } }
    }
}
