/// How entries are named and spread over folders.
protocol CacheLayout: Sendable {
    /// Whether entries say of what size and variant they are: their folder does not.
    var saysVariant: Bool { get }

    /// The path of one preview's entry; `nil` when the layout has no place for it.
    func path(_ subject: Subject, _ size: PreviewSize, _ variant: Variant) -> String?

    /// The folder in which an entry is written before it is renamed; on the entry's own file system.
    func workFolder(_ path: String) -> String
}
