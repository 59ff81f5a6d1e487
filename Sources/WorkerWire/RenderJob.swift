public import VitrineKit

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
