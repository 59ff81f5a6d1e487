internal import VitrineKit

/// An icon of macOS: the same picture at several sizes, each a PNG or JPEG 2000 picture of its own, or packed planes (Apple's
/// `IconStorage.h`; the packing is that of `PackBits` with runs of 3 to 130).
struct AppleIcon {
    /// How a picture is written.
    enum Form: Equatable {
        case png, jpeg2000
        /// Planes of red, green and blue, alpha in an element of its own.
        case colours
        /// Planes of alpha, red, green and blue.
        case planes
        /// Numbers of colours, of so many bits.
        case numbers(bits: Int)

        /// How many colours it may have, as the bits of a pixel.
        var depth: Int { if case .numbers(let bits) = self { bits } else { 32 } }
    }

    /// One of the pictures.
    struct Picture {
        var form: Form
        /// Pixels across and down.
        var side: Int
        /// Where its bytes are in the file.
        var range: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var pictures: [Picture] = []
    /// Places of planes of alpha, by the sides of their pictures.
    private var masks: [Int: Range<Int>] = [:]
    /// Places of masks of one bit, by the sides of their pictures.
    private var bitMasks: [Int: Range<Int>] = [:]

    /// Sides by types of elements.
    private static let sides = [
        "is32": 16, "il32": 32, "ih32": 48, "it32": 128, "icp4": 16, "icp5": 32, "icp6": 64, "ic04": 16, "ic05": 32,
        "ic07": 128, "ic08": 256, "ic09": 512, "ic10": 1024, "ic11": 32, "ic12": 64, "ic13": 256, "ic14": 512,
        "icsb": 18, "icsB": 36, "sb24": 24, "SB24": 48,
    ]
    private static let maskSides = ["s8mk": 16, "l8mk": 32, "h8mk": 48, "t8mk": 128]
    /// Sides and bits of elements of numbers. Where their names end in `#`, a mask follows.
    private static let numbered: [String: (side: Int, bits: Int)] = [
        "icl8": (32, 8), "ics8": (16, 8), "ich8": (48, 8), "icl4": (32, 4), "ics4": (16, 4), "ich4": (48, 4),
        "ICN#": (32, 1), "ics#": (16, 1), "ich#": (48, 1), "ICON": (32, 1),
    ]
    /// Elements at most.
    private static let most = 256

    /// Finds the pictures of a file.
    /// - Parameter bytes: the whole file, which must stay where it is.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        var at = 8
        for _ in 0..<Self.most {
            guard at + 8 <= bytes.count else { break }
            let type = String(decoding: bytes[at..<at + 4], as: UTF8.self)
            let length = Int(bigEndianBytes: bytes[at + 4..<at + 8])
            guard length >= 8, at + length <= bytes.count else { break }
            let range = at + 8..<at + length
            if let side = Self.maskSides[type] { masks[side] = range }
            if let (side, bits) = Self.numbered[type] {
                let count = side * side / 8 * bits
                pictures.append(Picture(form: .numbers(bits: bits), side: side, range: range))
                if type.hasSuffix("#"), range.count >= 2 * count { bitMasks[side] = range.dropFirst(count) }
            }
            if let side = Self.sides[type], let form = Self.form(type, bytes[range]) {
                // A word of nothing stands before the largest planes.
                let skipped = type == "it32" || form == .planes ? min(4, range.count) : 0
                pictures.append(Picture(form: form, side: side, range: range.lowerBound + skipped..<range.upperBound))
            }
            at += length
        }
    }

    private static func form(_ type: String, _ content: Slice<UnsafeRawBufferPointer>) -> Form? {
        if content.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .png }
        if content.starts(with: [0, 0, 0, 12, 0x6A, 0x50]) || content.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) {
            return .jpeg2000
        }
        if content.starts(with: "ARGB".utf8) { return .planes }
        return type.hasSuffix("32") || type == "icp4" || type == "icp5" ? .colours : nil
    }

    /// The pictures in the order in which they are tried: the smallest that fills the box, larger ones, those that fill it in
    /// numbers of colours only, then smaller ones; of one size those with more colours first.
    func pictures(for box: Int) -> [Picture] {
        func rank(_ picture: Picture) -> (Int, Int, Int) {
            let depth = picture.form.depth
            guard picture.side >= box else { return (2, -picture.side, -depth) }
            return (depth == 32 ? 0 : 1, picture.side, -depth)
        }
        return pictures.sorted { rank($0) < rank($1) }
    }

    /// The bytes of a picture that is a file of its own.
    func file(_ picture: Picture) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[picture.range]) }

    /// Unpacks a picture of planes, or one of numbers.
    /// - Throws: `corrupt` when a plane is too short, `limitExceeded` when there is no memory for it.
    func bitmap(_ picture: Picture) throws(PluginError) -> Bitmap {
        let pixels = picture.side * picture.side, channels = picture.form == .planes ? 4 : 3
        let planes: [UInt8]?
        if case .numbers(let bits) = picture.form {
            planes = colours(picture.range, bits: bits, count: pixels)
        } else {
            planes = unpacked(picture.range, count: pixels * channels)
        }
        guard let planes else {
            throw PluginError(.corrupt, "the icon is damaged: a picture in it has fewer pixels than it says")
        }
        let bitmap = try Bitmap(width: picture.side, height: picture.side, format: .rgba)
        bitmap.withUnsafeMutableBytes { target in
            for pixel in 0..<pixels {
                let to = pixel / picture.side * bitmap.bytesPerRow + pixel % picture.side * 4
                let first = channels == 4 ? pixels : 0
                for channel in 0..<3 { target[to + channel] = planes[first + channel * pixels + pixel] }
                target[to + 3] = channels == 4 ? planes[pixel] : alpha(pixel, side: picture.side)
            }
        }
        return bitmap
    }

    /// The alpha of a pixel that has none beside its colours.
    private func alpha(_ pixel: Int, side: Int) -> UInt8 {
        if let mask = masks[side], mask.count >= side * side { return bytes[mask.lowerBound + pixel] }
        guard let mask = bitMasks[side] else { return 255 }
        return number(pixel, bits: 1, from: mask.lowerBound) == 0 ? 0 : 255
    }

    private func number(_ pixel: Int, bits: Int, from start: Int) -> Int {
        let bit = pixel * bits
        return Int(bytes[start + bit / 8]) >> (8 - bits - bit % 8) & ((1 << bits) - 1)
    }

    /// The planes of red, green and blue of pixels that are numbers.
    /// - Returns: `nil` when there are fewer of them.
    private func colours(_ range: Range<Int>, bits: Int, count: Int) -> [UInt8]? {
        guard range.count >= count / 8 * bits else { return nil }
        var planes = [UInt8](repeating: 0, count: count * 3)
        for pixel in 0..<count {
            let colour = AppleIconColours.colour(number(pixel, bits: bits, from: range.lowerBound), bits: bits)
            (planes[pixel], planes[count + pixel], planes[2 * count + pixel]) = colour
        }
        return planes
    }

    /// - Returns: `nil` when there are fewer bytes.
    private func unpacked(_ range: Range<Int>, count: Int) -> [UInt8]? {
        var planes: [UInt8] = []
        planes.reserveCapacity(count)
        var at = range.lowerBound
        while planes.count < count {
            guard at + 1 < range.upperBound else { return nil }
            let tag = Int(bytes[at])
            if tag >= 128 {
                planes += repeatElement(bytes[at + 1], count: tag - 125)
                at += 2
            } else {
                guard at + 1 + tag < range.upperBound else { return nil }
                planes += bytes[at + 1...at + 1 + tag]
                at += 2 + tag
            }
        }
        return planes
    }
}
