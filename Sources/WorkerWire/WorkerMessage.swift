public import VitrineKit

/// What a worker tells the host.
public enum WorkerMessage: Hashable, Sendable {
    /// Warm and locked down.
    case ready(WorkerReadiness)
    /// The renderer could not be started; the worker ends.
    case unavailable(PluginError)
    /// Warm, and nothing else: answers a `start` with ``WorkerSetup/isTemplate``.
    case warm
    /// Answers `fork`: the process id of the new worker, which is a child of the host.
    case forked(Int32)
    /// The pictures lie in the output memory.
    case rendered(RenderAnswer)
    /// The list of members lies in the output memory.
    case listed(ListAnswer)
    /// Members lie unpacked in the output memory.
    case unpacked(UnpackAnswer)
    /// This item has no picture.
    case refused(number: UInt32, PluginError)
    /// A range of the input is wanted that is not there yet. Answered by `provided`.
    case needs(number: UInt32, offset: Int64, count: Int64)

    /// The message as one datagram.
    public func encoded() -> [UInt8] {
        var out = WireWriter()
        switch self {
        case .ready(let readiness):
            out.put(Kind.ready.rawValue)
            out.put(readiness.layers) {
                $0.put($1.name, limit: 64)
                $0.put($1.state.rawValue)
                $0.put($1.reason, limit: 256)
            }
        case .unavailable(let error):
            out.put(Kind.unavailable.rawValue)
            out.put(error)
        case .warm: out.put(Kind.warm.rawValue)
        case .forked(let pid):
            out.put(Kind.forked.rawValue)
            out.put(UInt32(clamping: pid))
        case .rendered(let answer):
            out.put(Kind.rendered.rawValue)
            answer.write(to: &out)
        case .refused(let number, let error):
            out.put(Kind.refused.rawValue)
            out.put(number)
            out.put(error)
        case .listed(let answer):
            out.put(Kind.listed.rawValue)
            answer.write(to: &out)
        case .unpacked(let answer):
            out.put(Kind.unpacked.rawValue)
            answer.write(to: &out)
        case .needs(let number, let offset, let count):
            out.put(Kind.needs.rawValue)
            out.put(number)
            out.put(offset)
            out.put(count)
        }
        return out.bytes
    }

    /// Reads a datagram that is all of an array; see ``init(decoding:)-(ArraySlice<UInt8>)``.
    public init(decoding bytes: [UInt8]) throws(PluginError) { try self.init(decoding: bytes[...]) }

    /// Reads a datagram, which nobody vouches for.
    /// - Throws: `invalidAnswer` when it is not exactly one message.
    public init(decoding bytes: ArraySlice<UInt8>) throws(PluginError) {
        var input = WireReader(bytes)
        let kind = try input.byte()
        switch Kind(rawValue: kind) {
        case .ready:
            let layers = try input.list(limit: 32) { (input) throws(PluginError) -> LayerLine in
                let name = DisplayText.of(try input.text())
                guard let state = LayerLine.State(rawValue: try input.byte()) else {
                    throw WireReader.nonsense("the state of a layer is unknown")
                }
                return LayerLine(name: name, state: state, reason: DisplayText.of(try input.text()))
            }
            self = .ready(WorkerReadiness(layers: layers))
        case .unavailable: self = .unavailable(try input.error())
        case .rendered: self = .rendered(try RenderAnswer(from: &input))
        case .refused:
            let number = try input.uint32()
            self = .refused(number: number, try input.error())
        case .needs:
            let number = try input.uint32()
            let (offset, count) = (try input.int64(), try input.int64())
            guard 0...(1 << 50) ~= offset, 1...(1 << 50) ~= count else {
                throw WireReader.nonsense("a range lies outside every file")
            }
            self = .needs(number: number, offset: offset, count: count)
        case .listed: self = .listed(try ListAnswer(from: &input))
        case .unpacked: self = .unpacked(try UnpackAnswer(from: &input))
        case .warm: self = .warm
        case .forked:
            guard let pid = Int32(exactly: try input.uint32()), pid > 0 else {
                throw WireReader.nonsense("a process has no such id")
            }
            self = .forked(pid)
        case nil: throw WireReader.nonsense("its kind is \(kind)")
        }
        try input.finish()
    }

    /// A datagram's first byte.
    private enum Kind: UInt8 {
        case ready = 1, unavailable, rendered, refused, needs, listed, unpacked, warm, forked
    }
}

/// How a worker stands after its warm-up.
public struct WorkerReadiness: Hashable, Sendable {
    /// Its layers of containment.
    public var layers: [LayerLine]

    /// Creates a readiness.
    public init(layers: [LayerLine]) { self.layers = layers }
}

/// One layer of containment and whether it holds.
public struct LayerLine: Hashable, Sendable {
    /// Whether a layer holds.
    public enum State: UInt8, Sendable {
        /// It holds.
        case active = 0
        /// This machine does not offer it.
        case absent = 1
        /// It was set up, and does not hold.
        case broken = 2
    }
    /// The layer's name, such as `seccomp`.
    public var name: String
    /// Whether it holds.
    public var state: State
    /// Why it does not.
    public var reason: String

    /// Creates a line.
    public init(name: String, state: State, reason: String) {
        self.name = name
        self.state = state
        self.reason = reason
    }
}

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
        pictures = try input.list(limit: RenderJob.maximumBoxes) { (input) throws(PluginError) in
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

extension WireWriter {
    mutating func put(_ size: PixelSize) {
        put(UInt32(clamping: size.width))
        put(UInt32(clamping: size.height))
    }

    mutating func put(_ error: PluginError) {
        put(error.code.rawValue, limit: 64)
        put(error.message, limit: 1024)
    }
}

extension WireReader {
    mutating func pixelSize(limit: Int) throws(PluginError) -> PixelSize {
        let size = PixelSize(width: Int(try uint32()), height: Int(try uint32()))
        guard 1...limit ~= size.width, 1...limit ~= size.height else {
            throw Self.nonsense("a picture has \(size.width) × \(size.height) pixels")
        }
        return size
    }

    mutating func error() throws(PluginError) -> PluginError {
        let code = try text()
        // It is kept and shown; no code of a renderer looks otherwise.
        guard 1...64 ~= code.utf8.count, code.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Self.nonsense("the code of an error is none")
        }
        return PluginError(PluginError.Code(rawValue: code), DisplayText.of(try text()))
    }
}
