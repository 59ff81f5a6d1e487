import Arguments

/// `--collection`: a collection where files are meant otherwise.
enum CollectionOption {
    /// Of commands that are about a file or a collection.
    static let inPlaceOfFile = option("A collection in place of a file.")
    /// Of a search.
    static let narrowing = option("In this collection.")

    private static func option(_ help: String) -> OptionSpecification {
        OptionSpecification("--collection", short: "-c", value: "NAME", choices: .collections, help)
    }
}
