public import PreviewCache

/// A picture of an item, in the cache.
public struct Preview: Hashable, Sendable {
    /// The item.
    public var uri: String
    /// The size that was asked for; the picture fits into it.
    public var size: PreviewSize
    /// The file, a PNG unless another format was asked for; empty for the preview of an encrypted item, which is not kept.
    public var path: String
    /// The picture of a preview that is not kept; `nil` for those in the cache.
    public var unkept: UnkeptPicture?
    /// The page or moment, and what was made of it.
    public var variant = Variant.standard
}
