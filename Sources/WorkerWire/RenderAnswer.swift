public import VitrineKit

/// The pictures of one item.
public struct RenderAnswer: Hashable, Sendable {
    /// Where a picture lies in the output memory and its size in pixels. It is a PNG, unless another format was asked for.
    public struct Picture: Hashable, Sendable {
        /// First byte.
        public var offset: Int
        /// Bytes.
        public var length: Int
        /// Pixels.
        public var size: PixelSize

        /// Creates a picture's place.
        public init(offset: Int, length: Int, size: PixelSize) {
            self.offset = offset
            self.length = length
            self.size = size
        }
    }

    /// The job's number.
    public var number: UInt32
    /// One picture for each box of the job, in its order.
    public var pictures: [Picture]
    /// What the renderer learned.
    public var facts: Facts
    /// What the picture is when it lay ready inside the item; see ``Rendering/embedded``.
    public var embedded: String?
    /// A ThumbHash of the first picture: 5 to ``maximumPlaceholder`` bytes; empty when there is none.
    public var placeholder: [UInt8] = []
    /// Whether the first picture is of one colour.
    public var isPlain = false
    /// Nanoseconds spent in the renderer, and in scaling and encoding.
    public var renderTime: UInt64, encodeTime: UInt64

    /// The most bytes of a placeholder: what the algorithm makes of the squarest picture with alpha is less.
    public static let maximumPlaceholder = 32

    /// Creates an answer.
    public init(number: UInt32, pictures: [Picture], facts: Facts, renderTime: UInt64, encodeTime: UInt64) {
        self.number = number
        self.pictures = pictures
        self.facts = facts
        self.renderTime = renderTime
        self.encodeTime = encodeTime
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(pictures) {
            $0.put(Int64($1.offset))
            $0.put(Int64($1.length))
            $0.put($1.size)
        }
        facts.write(to: &out)
        out.put(renderTime)
        out.put(encodeTime)
        out.put(bytes: Array(placeholder.prefix(Self.maximumPlaceholder)))
        out.put(isPlain)
        out.put(embedded) { $0.put($1, limit: FactValue.listTextLimit) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        pictures = try input.list(limit: RenderWish.maximumBoxes) { (input) throws(PluginError) in
            let offset = try input.int64()
            let length = try input.int64()
            guard 0...(8 << 30) ~= offset, 1...(8 << 30) ~= length else {
                throw WireReader.nonsense("a picture lies outside the output")
            }
            return Picture(offset: Int(offset), length: Int(length), size: try input.pixelSize(limit: 1 << 15))
        }
        facts = try Facts(from: &input)
        renderTime = try input.uint64()
        encodeTime = try input.uint64()
        placeholder = try input.bytes(limit: Self.maximumPlaceholder)
        isPlain = try input.bool()
        embedded = try input.optional { (input) throws(PluginError) in try input.text(limit: 4 * FactValue.textLimit) }
            .flatMap { Facts.line($0, limit: FactValue.listTextLimit) }
    }
}
