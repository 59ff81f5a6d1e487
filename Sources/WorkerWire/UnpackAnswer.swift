public import VitrineKit

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
