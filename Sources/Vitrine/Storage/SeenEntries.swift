/// The part of a folder's listing that is known.
struct SeenEntries: Sendable {
    let pages: [[Entry]]
    /// Whether there is nothing else.
    let isAll: Bool

    /// The entry of a name that begins with a dot.
    func entry(_ name: [UInt8]) -> Entry? {
        for page in pages {
            // By the index: each entry would be copied else.
            for index in page.indices where page[index].name.count == name.count && page[index].name == name {
                return page[index]
            }
        }
        return nil
    }
}
