import VitrineKit

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
