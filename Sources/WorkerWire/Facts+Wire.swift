import VitrineKit

// Facts as a part of a message. They say what a stranger's file says: texts are cleaned once more when they are read, and
// what is too much is left out when it is written.
extension Facts {
    /// The most bytes of all details in a message: with the longest text there is room for the rest of it.
    private static let detailBytes = 12 << 10
    /// The most bytes of a text before it is mended and cleaned.
    private static let longestText = 4 * FactValue.textLimit
    /// The most pages, and pixels of a side.
    private static let largestCount = 1 << 31

    private static func isSound(pages: Int) -> Bool { 0...largestCount ~= pages }
    private static func isSound(duration: Double) -> Bool { duration.isFinite && duration >= 0 }
    private static func isSound(_ size: PixelSize) -> Bool {
        1...largestCount ~= size.width && 1...largestCount ~= size.height
    }

    /// Leaves out what the reader would not believe: a renderer hands on what a library says, and a number that makes no sense
    /// shall not cost the picture.
    func write(to out: inout WireWriter) {
        out.put(pages.flatMap { Self.isSound(pages: $0) ? $0 : nil }) { $0.put(Int64($1)) }
        out.put(size.flatMap { Self.isSound($0) ? $0 : nil }) { $0.put($1) }
        out.put(duration.flatMap { Self.isSound(duration: $0) ? $0 : nil }) { $0.put($1) }
        out.put(title) { $0.put($1, limit: 1024) }
        out.put(text) { $0.put(Facts.bounded($1), limit: Facts.textLimit) }
        var room = Self.detailBytes
        var kept: [[UInt8]] = []
        for (name, value) in details.sorted(by: { $0.key < $1.key }) {
            var part = WireWriter()
            part.put(name.rawValue, limit: 32)
            part.put(value)
            guard part.bytes.count <= room, kept.count < Self.detailLimit else { continue }
            room -= part.bytes.count
            kept.append(part.bytes)
        }
        out.put(kept) { $0.append($1) }
        out.put(place.flatMap { Place(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude) }) {
            $0.put($1.latitude)
            $0.put($1.longitude)
            $0.put($1.altitude) { $0.put($1) }
        }
    }

    init(from input: inout WireReader) throws(PluginError) {
        self.init()
        pages = try input.optional { (input) throws(PluginError) in Int(try input.int64()) }
        size = try input.optional { (input) throws(PluginError) in try input.pixelSize(limit: Self.largestCount) }
        duration = try input.optional { (input) throws(PluginError) in try input.double() }
        title = try input.optional { (input) throws(PluginError) in try input.text() }.flatMap { Facts.line($0) }
        text = try input.optional { (input) throws(PluginError) in
            // Bytes that are no UTF-8 take more room once they are mended.
            Facts.bounded(try input.text(limit: Facts.textLimit))
        }
        let found = try input.list(limit: Self.detailLimit) { (input) throws(PluginError) -> (FactName, FactValue) in
            guard let name = FactName(rawValue: try input.text(limit: 32)) else {
                throw WireReader.nonsense("the name of a fact is none")
            }
            return (name, try input.factValue(textLimit: Self.longestText))
        }
        for (name, value) in found { set(name, value) }
        place = try input.optional { (input) throws(PluginError) -> Place in
            let (latitude, longitude) = (try input.double(), try input.double())
            let altitude = try input.optional { (input) throws(PluginError) in try input.double() }
            guard let place = Place(latitude: latitude, longitude: longitude, altitude: altitude) else {
                throw WireReader.nonsense("a place is not on Earth")
            }
            return place
        }
        guard pages.map(Self.isSound(pages:)) ?? true, duration.map(Self.isSound(duration:)) ?? true else {
            throw WireReader.nonsense("a fact is out of range")
        }
    }
}

extension WireWriter {
    fileprivate mutating func put(_ value: FactValue) {
        switch value {
        case .text(let text):
            put(UInt8(0))
            put(text, limit: FactValue.textLimit)
        case .number(let number):
            put(UInt8(1))
            put(number)
        case .list(let list):
            put(UInt8(2))
            put(Array(list.prefix(FactValue.listLimit))) { $0.put($1, limit: FactValue.listTextLimit) }
        @unknown default:
            // Nothing that this version knows how to say.
            put(UInt8(0))
            put("", limit: 1)
        }
    }
}

extension WireReader {
    fileprivate mutating func factValue(textLimit: Int) throws(PluginError) -> FactValue {
        switch try byte() {
        case 0: return .text(try text(limit: textLimit))
        case 1: return .number(try double())
        case 2:
            return .list(
                try list(limit: FactValue.listLimit) { (input) throws(PluginError) in try input.text(limit: textLimit) }
            )
        default: throw Self.nonsense("the kind of a fact is unknown")
        }
    }
}
