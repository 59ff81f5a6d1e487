internal import VitrineKit

/// The directories of a TIFF file (TIFF 6.0, section 2; TIFF/EP; DNG 1.6), and where they say that pictures lie.
struct TIFFDirectories {
    /// Where a directory says that JPEG data lie.
    private(set) var pictures: [(offset: Int, count: Int)] = []
    /// Of the first directory.
    private(set) var orientation: Int?
    /// The largest picture that a directory tells of.
    private(set) var size: PixelSize?

    private let input: any RandomAccessInput
    private let isLittle: Bool

    private enum Tag {
        static let width = 0x100
        static let height = 0x101
        static let compression = 0x103
        static let stripOffsets = 0x111
        static let orientation = 0x112
        static let stripCounts = 0x117
        static let inner = 0x14A
        static let jpegOffset = 0x201
        static let jpegCount = 0x202
        /// Panasonic's own: a whole JPEG file as a value.
        static let panasonicJPEG = 0x2E
        static let cropSize = 0xC620
    }

    private static let mostDirectories = 48
    private static let mostEntries = 512

    /// Reads the directories.
    /// - Returns: `nil` for what is no TIFF, nor like it.
    init?(_ input: any RandomAccessInput) throws(PluginError) {
        let head = try input.head(8)
        guard head.count == 8, head[0] == head[1], head[0] == 0x49 || head[0] == 0x4D else { return nil }
        self.input = input
        isLittle = head[0] == 0x49
        // 42, Panasonic's 0x55, and what Olympus writes.
        guard [42, 0x55, 0x4F52, 0x5352].contains(number(head, 2, 2)) else { return nil }
        var waiting = [number(head, 4, 4)]
        var seen: Set<Int> = []
        while let place = waiting.popLast(), seen.count < Self.mostDirectories {
            guard place > 0, seen.insert(place).inserted else { continue }
            waiting += try read(place, isFirst: seen.count == 1)
        }
    }

    /// - Returns: the directories that this one names.
    private mutating func read(_ place: Int, isFirst: Bool) throws(PluginError) -> [Int] {
        let count = number(try input.bytes(at: Int64(place), count: 2), 0, 2)
        guard 1...Self.mostEntries ~= count else { return [] }
        let bytes = try input.bytes(at: Int64(place) + 2, count: count * 12 + 4)
        var values: [Int: Int] = [:]
        var next = [number(bytes, count * 12, 4)]
        for entry in 0..<count {
            let at = entry * 12
            let (tag, type, amount) = (number(bytes, at, 2), number(bytes, at + 2, 2), number(bytes, at + 4, 4))
            let value = number(bytes, at + 8, type == 3 ? 2 : 4)
            switch tag {
            case Tag.inner where amount > 1 && amount <= 16:
                let places = try input.bytes(at: Int64(value), count: amount * 4)
                next += (0..<amount).map { number(places, $0 * 4, 4) }
            case Tag.inner: next.append(value)
            case Tag.panasonicJPEG where type == 7: pictures.append((value, amount))
            case Tag.stripOffsets where amount > 1, Tag.stripCounts where amount > 1: break
            case Tag.cropSize where amount == 2: try take(cropAt: value, type: type)
            default: values[tag] = value
            }
        }
        if isFirst { orientation = values[Tag.orientation] }
        if let offset = values[Tag.jpegOffset], let count = values[Tag.jpegCount] { pictures.append((offset, count)) }
        // Old and new JPEG; the latter is also what DNG keeps sensors' data in, which their own head tells.
        if [6, 7].contains(values[Tag.compression]), let offset = values[Tag.stripOffsets],
            let count = values[Tag.stripCounts]
        {
            pictures.append((offset, count))
        }
        take(values[Tag.width], values[Tag.height])
        return next
    }

    private mutating func take(_ width: Int?, _ height: Int?) {
        guard let width, let height, 1...100_000 ~= width, 1...100_000 ~= height else { return }
        if let size, size.width * size.height >= width * height { return }
        size = PixelSize(width: width, height: height)
    }

    /// DNG's size without the border; 3 is short, 4 long, 5 a fraction.
    private mutating func take(cropAt place: Int, type: Int) throws(PluginError) {
        guard type == 4 || type == 5 else { return }
        let bytes = try input.bytes(at: Int64(place), count: 16)
        if type == 4 { return take(number(bytes, 0, 4), number(bytes, 4, 4)) }
        let (a, b) = (number(bytes, 4, 4), number(bytes, 12, 4))
        if a > 0, b > 0 { take(number(bytes, 0, 4) / a, number(bytes, 8, 4) / b) }
    }

    /// A number in the file's order; 0 past the end.
    private func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int {
        guard at >= 0, at + size <= bytes.count else { return 0 }
        let part = bytes[at..<(at + size)]
        return isLittle ? Int(littleEndianBytes: part) : Int(bigEndianBytes: part)
    }
}
