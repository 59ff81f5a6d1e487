public import VitrineKit

/// One item for a worker.
public struct WorkerJob: Sendable {
    /// Open for reading; borrowed, and only used until the call returns.
    public var input: CInt
    /// Fills `input` as the renderer asks for ranges of it; `nil` for a file, which is there whole. Default: `nil`.
    public var ranges: (any RangeProvider)?
    /// The longest sides wanted, in pixels: 1 to 8 of them.
    public var boxes: [Int]
    /// The page that was asked for, counted from 0, or `nil` for the renderer's choice.
    public var page: Int?
    /// The moment in seconds, or `nil` for the renderer's choice.
    public var time: Double?
    /// The type that was found.
    public var mimeType: String
    /// Whether the item's text is of use. Default: no.
    public var wantsText = false
    /// Whether the text must be that of the page, whatever it costs. Default: no.
    public var wantsPageText = false
    /// Whether the place where it was taken is of use. Default: no.
    public var wantsPlace = false
    /// When a picture inside of the item is taken.
    public var embedded = EmbeddedUse.auto
    /// What opens it, if it is encrypted. Default: none.
    public var password: Password?
    /// What its name ends in, without a dot, for programs of others. At most ten letters and digits. Default: nothing.
    public var suffix = ""

    /// Creates a job.
    public init(input: CInt, boxes: [Int], page: Int? = nil, time: Double? = nil, mimeType: String) {
        self.input = input
        self.boxes = boxes
        self.page = page
        self.time = time
        self.mimeType = mimeType
    }
}
