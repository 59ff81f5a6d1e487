import VitrineKit

/// One item to draw.
public struct RenderJob: Hashable, Sendable {
    /// Counted by the host; the answer repeats it.
    public var number: UInt32
    /// What is wanted of it.
    public var wish: RenderWish
    /// The host gives up after this many seconds by the clock, however little of the processor the worker got. The worker
    /// sets itself an alarm a little later, for the case that the host is gone by then.
    public var seconds: Int
    /// Bytes of the new output memory that comes along; 0: use the one that came before. Default: 0.
    public var outputSize: Int64 = 0
    /// Whether the input is memory that is filled as the worker asks for ranges of it, and empty at first. Default: it is
    /// a file.
    public var isRanged = false

    /// Creates a job.
    public init(number: UInt32, _ wish: RenderWish, seconds: Int) {
        self.number = number
        self.wish = wish
        self.seconds = seconds
    }

    func write(to out: inout WireWriter) {
        out.put(number)
        wish.write(to: &out)
        out.put(UInt32(clamping: seconds))
        out.put(outputSize)
        out.put(isRanged)
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        wish = try RenderWish(from: &input)
        seconds = Int(try input.uint32())
        outputSize = try input.int64()
        guard 0...(8 << 30) ~= outputSize else { throw WireReader.nonsense("the output's size is out of range") }
        isRanged = try input.bool()
    }
}
