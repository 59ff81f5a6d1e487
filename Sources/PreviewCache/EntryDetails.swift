public import VitrineKit

/// What an entry of the cache says of its item and itself.
public struct EntryDetails: Hashable, Sendable {
    /// What a renderer learned, as far as entries hold it: neither text nor place.
    public var facts = Facts()
    /// Whether ``facts`` are all that the renderer learned; entries of other programs, and those of versions that kept less,
    /// do not say.
    public var areFactsComplete = false
    /// What the picture is when it lay ready inside the item.
    public var embedded: EmbeddedMark?
    /// Whether ``Facts/duration`` is known to the millisecond; entries of other programs have whole seconds.
    public var isDurationExact = false
    /// The item's size in bytes; not of folders, and not in every entry of another program.
    public var itemSize: Int64?
    /// The item's MIME type.
    public var mimeType: String?
    /// A ThumbHash of the picture in Base64; entries of other programs have none.
    public var placeholder: String?

    /// Creates details.
    public init(
        facts: Facts = Facts(), areFactsComplete: Bool = false, embedded: EmbeddedMark? = nil,
        isDurationExact: Bool = false, itemSize: Int64? = nil, mimeType: String? = nil, placeholder: String? = nil
    ) {
        self.facts = facts
        self.areFactsComplete = areFactsComplete
        self.embedded = embedded
        self.isDurationExact = isDurationExact
        self.itemSize = itemSize
        self.mimeType = mimeType
        self.placeholder = placeholder
    }
}
