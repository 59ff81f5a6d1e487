public import VitrineKit

/// What the host tells a worker.
public enum HostMessage: Hashable, Sendable {
    /// The first message: become the worker of one renderer. Answered by `ready` or `unavailable`, and by `warm` from a
    /// process that became a template instead.
    case start(WorkerSetup)
    /// To a template: fork a worker. The datagram carries the worker's own socket, where it waits for `start`. Answered by
    /// `forked` or `refused`.
    case fork
    /// Draw one item. The datagram carries the descriptor of the input and, when ``RenderJob/outputSize`` is not
    /// zero, that of new output memory. Answered by `rendered` or `refused`, and by `needs` before, as often as needed.
    case render(RenderJob)
    /// Make one finished picture out of previews; for the worker that holds the encoders. The datagram carries the
    /// descriptor of the previews and, when ``FinishJob/outputSize`` is not zero, that of new output memory. Answered by
    /// `rendered` or `refused`.
    case finish(FinishJob)
    /// What opens the item of the next `render`, which has the same number. Not answered. A message of its own kind, so
    /// that both sides know which bytes to overwrite.
    case unlock(number: UInt32, Password)
    /// List the members of a container. The datagram carries descriptors as for `render`. Answered by `listed` or
    /// `refused`, and by `needs` before, as often as needed.
    case list(ListJob)
    /// Unpack members of a container. The datagram carries descriptors as for `render`. Answered by `unpacked` or
    /// `refused`, and by `needs` before, as often as needed.
    case unpack(UnpackJob)
    /// Answers `needs`: the range of the input that is there now, or why it cannot be had.
    case provided(number: UInt32, Result<Range<Int64>, PluginError>)

    /// The message as one datagram.
    public func encoded() -> [UInt8] {
        var out = WireWriter()
        switch self {
        case .start(let setup):
            out.put(Kind.start.rawValue)
            setup.write(to: &out)
        case .fork: out.put(Kind.fork.rawValue)
        case .render(let job):
            out.put(Kind.render.rawValue)
            job.write(to: &out)
        case .finish(let job):
            out.put(Kind.finish.rawValue)
            job.write(to: &out)
        case .unlock(let number, let password):
            out.put(Kind.unlock.rawValue)
            out.put(number)
            out.put(password)
        case .list(let job):
            out.put(Kind.list.rawValue)
            job.write(to: &out)
        case .unpack(let job):
            out.put(Kind.unpack.rawValue)
            job.write(to: &out)
        case .provided(let number, .success(let range)):
            out.put(Kind.provided.rawValue)
            out.put(number)
            out.put(range.lowerBound)
            out.put(range.upperBound)
        case .provided(let number, .failure(let error)):
            out.put(Kind.missing.rawValue)
            out.put(number)
            out.put(error)
        }
        return out.bytes
    }

    /// Reads a datagram that is all of an array; see ``init(decoding:)-(ArraySlice<UInt8>)``.
    public init(decoding bytes: [UInt8]) throws(PluginError) { try self.init(decoding: bytes[...]) }

    /// Reads a datagram.
    /// - Throws: `invalidAnswer` when it is not exactly one message.
    public init(decoding bytes: ArraySlice<UInt8>) throws(PluginError) {
        var input = WireReader(bytes)
        let kind = try input.byte()
        switch Kind(rawValue: kind) {
        case .start: self = .start(try WorkerSetup(from: &input))
        case .render: self = .render(try RenderJob(from: &input))
        case .provided:
            let number = try input.uint32()
            let (start, end) = (try input.int64(), try input.int64())
            guard 0 <= start, start <= end else { throw WireReader.nonsense("a range ends before it begins") }
            self = .provided(number: number, .success(start..<end))
        case .missing:
            let number = try input.uint32()
            self = .provided(number: number, .failure(try input.error()))
        case .finish: self = .finish(try FinishJob(from: &input))
        case .unlock:
            let number = try input.uint32()
            self = .unlock(number: number, try input.password())
        case .list: self = .list(try ListJob(from: &input))
        case .unpack: self = .unpack(try UnpackJob(from: &input))
        case .fork: self = .fork
        case nil: throw WireReader.nonsense("its kind is \(kind)")
        }
        try input.finish()
    }

    /// A datagram's first byte.
    private enum Kind: UInt8 {
        case start = 1, render, provided
        /// Of ``provided(number:_:)`` with an error.
        case missing
        case finish, list, unpack, fork, unlock
    }

    /// Overwrites a datagram that holds a password; leaves others as they are.
    public static func wipe(_ bytes: inout [UInt8]) {
        if bytes.first == Kind.unlock.rawValue { bytes.wipe() }
    }
}
