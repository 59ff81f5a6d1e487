public import VitrineKit

/// What is wanted of one item: the part of an order that a worker has to know. The pipeline writes it, and the worker makes the
/// renderer's ``RenderRequest`` of it.
public struct RenderWish: Hashable, Sendable {
    /// The longest sides wanted, in pixels; each 1 to ``maximumBox``, at most ``maximumBoxes``.
    public var boxes: [Int]
    /// The type that the host found.
    public var mimeType: String
    /// The page that was asked for, counted from 0, or `nil` for the renderer's choice. Default: `nil`.
    public var page: Int?
    /// The moment in seconds, or `nil` for the renderer's choice. Default: `nil`.
    public var time: Double?
    /// Whether the item's text is of use. Default: no.
    public var wantsText = false
    /// Whether the text must be that of the page, whatever it costs. Default: no.
    public var wantsPageText = false
    /// Whether the place where it was taken is of use. Default: no.
    public var wantsPlace = false
    /// When a picture inside of the item is taken. Default: ``EmbeddedUse/auto``.
    public var embedded = EmbeddedUse.auto
    /// What the item's name ends in, without a dot, for programs of others that go by it: at most ten letters and digits.
    /// Default: nothing.
    public var suffix = ""

    /// Wants pictures of an item.
    public init(boxes: [Int], mimeType: String) {
        self.boxes = boxes
        self.mimeType = mimeType
    }

    /// The most sizes that may be asked for at once.
    public static let maximumBoxes = 8
    /// The longest side that may be asked for, in pixels.
    public static let maximumBox = 16_384

    func write(to out: inout WireWriter) {
        out.put(boxes) { $0.put(UInt32(clamping: $1)) }
        out.put(mimeType)
        out.put(page) { $0.put(UInt32(clamping: $1)) }
        out.put(time) { $0.put($1) }
        out.put(wantsText)
        out.put(wantsPageText)
        out.put(wantsPlace)
        out.put(embedded.rawValue, limit: 16)
        out.put(suffix, limit: 10)
    }

    init(from input: inout WireReader) throws(PluginError) {
        boxes = try input.list(limit: Self.maximumBoxes) { (input) throws(PluginError) in Int(try input.uint32()) }
        guard boxes.allSatisfy({ 1...Self.maximumBox ~= $0 }) else {
            throw WireReader.nonsense("a size is out of range")
        }
        mimeType = try input.text()
        page = try input.optional { (input) throws(PluginError) in Int(try input.uint32()) }
        time = try input.optional { (input) throws(PluginError) in try input.double() }
        guard time?.isFinite ?? true else { throw WireReader.nonsense("a moment is no number") }
        wantsText = try input.bool()
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
    }
}

private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
