public import Finishing
public import PreviewCache
public import RangeReading
public import VitrineKit

/// A picture of one item, as somebody wants it.
public struct PictureOrder: Sendable {
    /// The square that it fits into.
    public var size: PreviewSize
    /// The page or moment, and what is made of it.
    public var variant: Variant
    /// Makes it anew even if there is a valid one. Default: no.
    public var force = false
    /// Keeps it in the cache. What it is made of is kept there in any case. Default: yes.
    public var isKept = true
    /// Gives the picture, with no ``FinishedPreview/path``, also when the cache cannot keep it, on a full or read-only disk.
    /// Default: that is an error.
    public var mayBeUnkept = false
    /// When a picture inside of the item is taken; `nil`: as the settings say. Default: `nil`.
    public var embedded: EmbeddedUse?
    /// How much may be read of an item that is not on this machine.
    public var limits = ReadLimits()

    /// Orders a picture.
    public init(size: PreviewSize, variant: Variant = .standard) {
        self.size = size
        self.variant = variant
    }
}

/// A picture of an item, and what is known about both.
public struct FinishedPreview: Sendable {
    /// The item.
    public var uri: String
    /// Bytes of the item, where known.
    public var itemSize: Int64?
    /// The square that was asked for.
    public var size: PreviewSize
    /// Its entry in the cache, with the keys; `nil` when it was not to be kept.
    public var path: String?
    /// The file's bytes without the keys.
    public var bytes: [UInt8]
    /// Its format.
    public var format: PictureFormat
    /// Its size in pixels.
    public var pixels: PixelSize
    /// What a renderer learned about the item.
    public var facts = Facts()
    /// Whether ``facts`` are all that it learned. Previews of other programs, and of versions that kept less, say less;
    /// ``PreviewPipeline/facts(of:_:)`` asks anew.
    public var areFactsComplete = false
    /// The item's MIME type, where known.
    public var mimeType: String?
    /// A ThumbHash of it in Base64; `nil` for pictures that another program made.
    public var placeholder: String?
}
