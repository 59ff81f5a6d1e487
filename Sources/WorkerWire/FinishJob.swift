public import Finishing
import VitrineKit

/// Previews to be made into one finished picture.
public struct FinishJob: Hashable, Sendable {
    /// Counted by the host; the answer repeats it.
    public var number: UInt32
    /// Bytes of each preview; they lie in the input one after the other, as PNG.
    public var lengths: [Int]
    /// The longest side of the result, in pixels, 1 to 16,384.
    public var box: Int
    /// What to make of them. ``Finish/parts`` does not count: the previews are those parts.
    public var finish: Finish
    /// What is written below each preview of a numbered sheet: digits, colons and points.
    public var labels: [String]
    /// The host gives up after this many seconds by the clock, however little of the processor the worker got.
    public var seconds: Int
    /// Bytes of the new output memory that comes along; 0: use the one that came before.
    public var outputSize: Int64 = 0

    /// Creates a job.
    public init(number: UInt32, lengths: [Int], box: Int, finish: Finish, labels: [String] = [], seconds: Int) {
        self.number = number
        self.lengths = lengths
        self.box = box
        self.finish = finish
        self.labels = labels
        self.seconds = seconds
    }

    /// The most previews of one picture: those of the largest sheet.
    public static let maximumPictures = Finish.maximumGrid * Finish.maximumGrid
    /// The most bytes of all previews together: 1 GiB.
    public static let maximumInput = 1 << 30
    /// The most bytes of a label.
    public static let maximumLabel = 16

    func write(to out: inout WireWriter) {
        out.put(number)
        out.put(lengths) { $0.put(UInt32(clamping: $1)) }
        out.put(UInt32(clamping: box))
        finish.write(to: &out)
        out.put(labels) { $0.put($1, limit: Self.maximumLabel) }
        out.put(UInt32(clamping: seconds))
        out.put(outputSize)
    }

    init(from input: inout WireReader) throws(PluginError) {
        number = try input.uint32()
        lengths = try input.list(limit: Self.maximumPictures) { (input) throws(PluginError) in
            Int(try input.uint32())
        }
        guard !lengths.isEmpty, lengths.allSatisfy({ $0 > 0 }), lengths.reduce(0, +) <= Self.maximumInput else {
            throw WireReader.nonsense("the previews of a finished picture are out of range")
        }
        box = Int(try input.uint32())
        guard 1...RenderWish.maximumBox ~= box else { throw WireReader.nonsense("a size is out of range") }
        finish = try Finish(from: &input)
        labels = try input.list(limit: Self.maximumPictures) { (input) throws(PluginError) in
            try input.text(limit: Self.maximumLabel)
        }
        seconds = Int(try input.uint32())
        outputSize = try input.int64()
        guard 0...(8 << 30) ~= outputSize else { throw WireReader.nonsense("the output's size is out of range") }
    }
}

extension Finish {
    func write(to out: inout WireWriter) {
        out.put(format.rawValue, limit: 16)
        out.put(UInt32(clamping: effectiveQuality))
        out.put(background) {
            $0.put($1.red)
            $0.put($1.green)
            $0.put($1.blue)
        }
        let (cut, x, y): (UInt8, Int, Int) =
            switch fit {
            case .contain: (0, 0, 0)
            case .cover(.center): (1, 0, 0)
            case .cover(.attention): (2, 0, 0)
            case .cover(.entropy): (3, 0, 0)
            case .cover(.focus(let x, let y)): (4, x, y)
            }
        out.put(cut)
        out.put(UInt32(clamping: x))
        out.put(UInt32(clamping: y))
        switch arrangement {
        case .single: out.put(UInt8(0))
        case .sheet(let columns, let rows, let isNumbered):
            out.put(UInt8(1))
            out.put(UInt32(clamping: columns))
            out.put(UInt32(clamping: rows))
            out.put(isNumbered)
        case .loop(let time):
            out.put(UInt8(2))
            out.put(UInt32(clamping: time))
        case .mosaic: out.put(UInt8(3))
        }
    }

    init(from input: inout WireReader) throws(PluginError) {
        self.init()
        guard let format = PictureFormat(rawValue: try input.text(limit: 16)) else {
            throw WireReader.nonsense("a format is unknown")
        }
        self.format = format
        let quality = Int(try input.uint32())
        self.quality = format.defaultQuality == nil ? nil : quality
        background = try input.optional { (input) throws(PluginError) in
            PictureColor(try input.byte(), try input.byte(), try input.byte())
        }
        let (cut, x, y) = (try input.byte(), Int(try input.uint32()), Int(try input.uint32()))
        switch cut {
        case 0: fit = .contain
        case 1: fit = .cover(.center)
        case 2: fit = .cover(.attention)
        case 3: fit = .cover(.entropy)
        case 4: fit = .cover(.focus(x: x, y: y))
        default: throw WireReader.nonsense("a way to crop is unknown")
        }
        switch try input.byte() {
        case 0: arrangement = .single
        case 1:
            let (columns, rows) = (Int(try input.uint32()), Int(try input.uint32()))
            arrangement = .sheet(columns: columns, rows: rows, isNumbered: try input.bool())
        case 2: arrangement = .loop(milliseconds: Int(try input.uint32()))
        case 3: arrangement = .mosaic
        default: throw WireReader.nonsense("an arrangement is unknown")
        }
        do throws(PluginError) { try check() } catch { throw WireReader.nonsense(error.message) }
    }
}
