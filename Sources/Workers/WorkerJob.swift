public import VitrineKit
public import WorkerWire

/// One item for a worker.
public struct WorkerJob: Sendable {
    /// Open for reading; borrowed, and only used until the call returns.
    public var input: CInt
    /// Fills `input` as the renderer asks for ranges of it; `nil` for a file, which is there whole. Default: `nil`.
    public var ranges: (any RangeProvider)?
    /// What is wanted of it.
    public var wish: RenderWish
    /// What opens it, if it is encrypted. Default: none.
    public var password: Password?

    /// Creates a job.
    public init(input: CInt, _ wish: RenderWish) {
        self.input = input
        self.wish = wish
    }
}
