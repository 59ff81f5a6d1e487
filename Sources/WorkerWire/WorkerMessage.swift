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
