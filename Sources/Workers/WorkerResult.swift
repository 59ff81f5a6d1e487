public import VitrineKit

/// What a worker made of one item.
public struct WorkerResult: Sendable {
    /// A picture as the worker wrote it: a PNG, unless a finished one was asked for. Nobody has looked at it yet: check it before it goes anywhere.
    public struct Picture: Sendable {
        /// The bytes, copied out of the memory that the worker can write to.
        public var png: [UInt8]
        /// The size that the worker says it has.
        public var size: PixelSize

        /// Puts a picture together.
        public init(png: [UInt8], size: PixelSize) { (self.png, self.size) = (png, size) }
    }

    /// One picture for each box of the job, in its order.
    public var pictures: [Picture]
    /// A ThumbHash of the first one; empty when the worker made none.
    public var placeholder: [UInt8] = []
    /// Whether the first picture is of one colour, as far as the worker says.
    public var isPlain = false
    /// What the renderer learned.
    public var facts: Facts
    /// What the picture is when it lay ready inside the item; `nil` when it was drawn.
    public var embedded: String?
    /// Time spent in the renderer, but for waiting for ranges.
    public var renderTime: Duration
    /// Time spent waiting for ranges of the item.
    public var readTime: Duration = .zero
    /// Time spent scaling and encoding.
    public var encodeTime: Duration
    /// Time that it took to get a warm worker.
    public var startTime: Duration
}

extension WorkerResult {
    /// Puts together what is known of pictures that no worker made just now.
    public init(pictures: [Picture], facts: Facts, embedded: String? = nil) {
        self.init(
            pictures: pictures, facts: facts, embedded: embedded, renderTime: .zero, encodeTime: .zero, startTime: .zero
        )
    }
}
