import VitrineKit

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
