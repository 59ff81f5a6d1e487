public import Containment
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

/// Everything a worker needs to become the worker of one renderer.
public struct WorkerSetup: Hashable, Sendable {
    /// The renderer's library, an absolute path; or that of the encoders, for the worker that finishes pictures.
    public var library: String
    /// Whether the library holds the encoders instead of a renderer. Default: no.
    public var isFinisher = false
    /// The program of somebody else that the worker runs instead of a renderer. Its profile follows from it. Default:
    /// none.
    public var program: ProgramSetup?
    /// Whether it shall warm up only, and fork the workers of the renderer from then on. A process that has more than one
    /// thread by then cannot do that, and becomes a worker. Default: no.
    public var isTemplate = false
    /// Other renderers that a template loads and warms up besides, so that it can fork workers of theirs, too: `start` tells
    /// each by its library which it is of. Their profile is this one's. Default: none.
    public var companions: [RendererSetup] = []
    /// The plugin's folder, with its manifest and data files.
    public var pluginFolder: String
    /// A folder for this worker alone, if the profile asks for one.
    public var privateFolder: String?
    /// What the renderer may do after its warm-up.
    public var profile: ContainmentProfile
    /// The most bytes of address space.
    public var addressSpace: Int64
    /// The most pixels of a decoded picture.
    public var maximumPixels: Int64
    /// Seconds of processor time after which the worker's life ends; 0 sets no bound.
    public var processorTime: UInt32

    /// Creates a setup.
    public init(
        library: String, pluginFolder: String, privateFolder: String?, profile: ContainmentProfile,
        addressSpace: Int64, maximumPixels: Int64, processorTime: UInt32 = 0
    ) {
        self.processorTime = processorTime
        self.library = library
        self.pluginFolder = pluginFolder
        self.privateFolder = privateFolder
        self.profile = profile
        self.addressSpace = addressSpace
        self.maximumPixels = maximumPixels
    }

    func write(to out: inout WireWriter) {
        out.put(library)
        out.put(pluginFolder)
        out.put(privateFolder) { $0.put($1) }
        // That of a program follows from the program.
        let profile = program == nil ? profile : .strictest
        out.put(profile.calls) { $0.put($1) }
        out.put(profile.threads)
        out.put(profile.read) { $0.put($1) }
        out.put(profile.privateFolder)
        out.put(profile.loadsLibraries)
        out.put(addressSpace)
        out.put(maximumPixels)
        out.put(processorTime)
        out.put(isFinisher)
        out.put(program) { $1.write(to: &$0) }
        out.put(isTemplate)
        out.put(companions) { out, companion in companion.write(to: &out) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        library = try input.text()
        pluginFolder = try input.text()
        privateFolder = try input.optional { (input) throws(PluginError) in try input.text() }
        let calls = try input.list(limit: 128) { (input) throws(PluginError) in try input.text() }
        let threads = try input.bool()
        let read = try input.list(limit: 64) { (input) throws(PluginError) in try input.text() }
        profile = try ContainmentProfile(
            calls: calls, threads: threads, read: read, privateFolder: try input.bool(),
            loadsLibraries: try input.bool())
        addressSpace = try input.int64()
        maximumPixels = try input.int64()
        processorTime = try input.uint32()
        isFinisher = try input.bool()
        program = try input.optional { (input) throws(PluginError) in try ProgramSetup(from: &input) }
        if let program { profile = .running(program.path) }
        isTemplate = try input.bool()
        companions = try input.list(limit: RendererSetup.limit) { (input) throws(PluginError) in
            try RendererSetup(from: &input)
        }
    }
}

/// One item to draw.
public struct RenderJob: Hashable, Sendable {
    /// Counted by the host; the answer repeats it.
    public var number: UInt32
    /// The longest sides wanted, in pixels; each 1 to 16,384, at most eight.
    public var boxes: [Int]
    /// The page that was asked for, counted from 0, or `nil` for the renderer's choice.
    public var page: Int?
    /// The moment in seconds, or `nil` for the renderer's choice.
    public var time: Double?
    /// The type that the host found.
    public var mimeType: String
    /// The host gives up after this many seconds by the clock, however little of the processor the worker got. The worker
    /// sets itself an alarm a little later, for the case that the host is gone by then.
    public var seconds: Int
    /// Bytes of the new output memory that comes along; 0: use the one that came before.
    public var outputSize: Int64
    /// Whether the item's text is of use. Default: no.
    public var wantsText = false
    /// Whether the text must be that of the page, whatever it costs. Default: no.
    public var wantsPageText = false
    /// Whether the place is of use. Default: no.
    public var wantsPlace = false
    /// When a picture inside of the item is taken.
    public var embedded = EmbeddedUse.auto
    /// Whether the input is memory that is filled as the worker asks for ranges of it, and empty at first. Default: it is
    /// a file.
    public var isRanged = false
    /// What the item's name ends in, for programs of others that go by it: at most ten letters and digits. Default:
    /// nothing.
    public var suffix = ""

    /// Creates a job.
    public init(
        number: UInt32, boxes: [Int], page: Int? = nil, time: Double? = nil, mimeType: String, seconds: Int,
        outputSize: Int64
    ) {
        self.number = number
        self.boxes = boxes
        self.page = page
        self.time = time
        self.mimeType = mimeType
        self.seconds = seconds
        self.outputSize = outputSize
    }

    /// The most sizes that one job may ask for.
    public static let maximumBoxes = 8
    /// The longest side that may be asked for, in pixels.
    public static let maximumBox = 16_384

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(boxes) { $0.put(UInt32(clamping: $1)) }
        out.put(page) { $0.put(UInt32(clamping: $1)) }
        out.put(time) { $0.put($1) }
        out.put(mimeType)
        out.put(UInt32(clamping: seconds))
        out.put(outputSize)
        out.put(wantsText)
        out.put(isRanged)
        out.put(wantsPageText)
        out.put(wantsPlace)
        out.put(embedded.rawValue, limit: 16)
        out.put(suffix, limit: 10)
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        boxes = try input.list(limit: Self.maximumBoxes) { (input) throws(PluginError) in Int(try input.uint32()) }
        guard boxes.allSatisfy({ 1...Self.maximumBox ~= $0 }) else {
            throw WireReader.nonsense("a size is out of range")
        }
        page = try input.optional { (input) throws(PluginError) in Int(try input.uint32()) }
        time = try input.optional { (input) throws(PluginError) in try input.double() }
        mimeType = try input.text()
        seconds = Int(try input.uint32())
        outputSize = try input.int64()
        wantsText = try input.bool()
        isRanged = try input.bool()
        wantsPageText = try input.bool()
        wantsPlace = try input.bool()
        guard let embedded = EmbeddedUse(rawValue: try input.text(limit: 16)) else {
            throw WireReader.nonsense("a use of embedded pictures is unknown")
        }
        self.embedded = embedded
        suffix = try input.text(limit: 10)
        guard suffix.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || isLetter($0) }) else {
            throw WireReader.nonsense("the end of a name is none")
        }
        guard time?.isFinite ?? true else { throw WireReader.nonsense("a moment is no number") }
        guard 0...(8 << 30) ~= outputSize else { throw WireReader.nonsense("the output's size is out of range") }
    }
}

private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
