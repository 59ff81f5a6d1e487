public import VitrineKit

/// The members of a container, to be listed. The list lies in the output memory, as ``MemberTable`` writes it.
public struct ListJob: Hashable, Sendable {
    /// Counted by the host; the answer repeats it.
    public var number: UInt32
    /// The host gives up after this many seconds by the clock, however little of the processor the worker got.
    public var seconds: Int
    /// Bytes of the new output memory that comes along; 0: use the one that came before.
    public var outputSize: Int64 = 0
    /// Whether the input is memory that is filled as the worker asks for ranges of it. Default: it is a file.
    public var isRanged = false

    /// Creates a job.
    public init(number: UInt32, seconds: Int) {
        self.number = number
        self.seconds = seconds
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(UInt32(clamping: seconds))
        out.put(outputSize)
        out.put(isRanged)
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        seconds = Int(try input.uint32())
        outputSize = try input.int64()
        isRanged = try input.bool()
        guard 0...(8 << 30) ~= outputSize else { throw WireReader.nonsense("the output's size is out of range") }
    }
}

/// Some members of a container, to be unpacked in one pass.
public struct UnpackJob: Hashable, Sendable {
    /// One member.
    public struct Part: Hashable, Sendable {
        /// Where the reader finds it.
        public var place: UInt64
        /// The most bytes that are taken of it; as much of the output memory is its own.
        public var limit: Int64

        /// Creates a part.
        public init(place: UInt64, limit: Int64) {
            self.place = place
            self.limit = limit
        }
    }

    /// What it has in common with a job that lists.
    public var job: ListJob
    /// The members, in the container's order: each has its room in the output memory, one after the other.
    public var parts: [Part]
    /// The one of them that is asked for. The others are read ahead: what is wrong with them is not told.
    public var wanted: Int

    /// The most members of one job: their answer fits into a datagram.
    public static let maximumParts = 2048

    /// Creates a job.
    public init(number: UInt32, seconds: Int, parts: [Part], wanted: Int) {
        job = ListJob(number: number, seconds: seconds)
        self.parts = parts
        self.wanted = wanted
    }

    func write(to out: inout WireWriter) {
        job.write(to: &out)
        out.put(parts) {
            $0.put($1.place)
            $0.put($1.limit)
        }
        out.put(UInt32(clamping: wanted))
    }

    init(from input: inout WireReader) throws(PluginError) {
        job = try ListJob(from: &input)
        parts = try input.list(limit: Self.maximumParts) { (input) throws(PluginError) in
            Part(place: try input.uint64(), limit: try input.int64())
        }
        wanted = Int(try input.uint32())
        guard parts.indices.contains(wanted), parts.allSatisfy({ 0...(8 << 30) ~= $0.limit }) else {
            throw WireReader.nonsense("the members to unpack are out of range")
        }
    }
}

/// Where the list of members lies.
public struct ListAnswer: Hashable, Sendable {
    /// The job's number.
    public var number: UInt32
    /// Bytes of the list, from the beginning of the output memory on.
    public var length: Int
    /// What the reader said besides.
    public var outline: ContainerOutline

    /// Creates an answer.
    public init(number: UInt32, length: Int, outline: ContainerOutline) {
        self.number = number
        self.length = length
        self.outline = outline
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(UInt32(clamping: length))
        out.put(outline.isSequential)
        out.put(outline.failure) { $0.put($1) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        length = Int(try input.uint32())
        outline = ContainerOutline(isSequential: try input.bool())
        outline.failure = try input.optional { (input) throws(PluginError) in try input.error() }
        guard length <= MemberTable.sizeLimit else { throw WireReader.nonsense("a list is too long") }
    }
}

/// Which members were unpacked.
public struct UnpackAnswer: Hashable, Sendable {
    /// The content of one member, at the beginning of its room in the output memory.
    public struct Part: Hashable, Sendable {
        /// Its position in the job.
        public var index: Int
        /// Bytes.
        public var length: Int64

        /// Creates a part.
        public init(index: Int, length: Int64) {
            self.index = index
            self.length = length
        }
    }

    /// The job's number.
    public var number: UInt32
    /// Those whose content is there.
    public var parts: [Part]
    /// Why the one that was asked for is not among them.
    public var failure: PluginError?

    /// Creates an answer.
    public init(number: UInt32, parts: [Part], failure: PluginError? = nil) {
        self.number = number
        self.parts = parts
        self.failure = failure
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(parts) {
            $0.put(UInt32(clamping: $1.index))
            $0.put($1.length)
        }
        out.put(failure) { $0.put($1) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        parts = try input.list(limit: UnpackJob.maximumParts) { (input) throws(PluginError) in
            let part = Part(index: Int(try input.uint32()), length: try input.int64())
            guard part.index < UnpackJob.maximumParts, 0...(8 << 30) ~= part.length else {
                throw WireReader.nonsense("an unpacked member is out of range")
            }
            return part
        }
        failure = try input.optional { (input) throws(PluginError) in try input.error() }
    }
}
