internal import BinaryNumbers
internal import VitrineKit

/// The directory of a JPEG XR file, which is one of TIFF's with tags of its own (ITU-T T.832, annex A).
struct JPEGXRContainer {
    /// Where the picture begins, and where its alpha does if that is a picture of its own.
    let picture: Int, alpha: Int?
    /// How it is turned to stand upright.
    let orientation: Orientation
    /// Colours were multiplied by alpha.
    let isPremultiplied: Bool
    /// The ICC profile of the colours; `nil` where there is none, and where it does not lie in the file.
    let profile: Range<Int>?

    private enum Tag {
        static let pixelFormat = 0xBC01, transformation = 0xBC02
        static let picture = 0xBCC0, alpha = 0xBCC2, alphaLength = 0xBCC3, profile = 0x8773
    }

    /// Reads the directory.
    /// - Throws: `corrupt`.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count >= 8, bytes.starts(with: [0x49, 0x49, 0xBC]) else {
            throw PluginError(.corrupt, "the file is no JPEG XR picture, or its first bytes are damaged")
        }
        let start = Int(bytes.number(UInt32.self, at: 4))
        guard start >= 8, start <= bytes.count - 2 else { throw Self.damaged }
        let entries = min(Int(bytes.number(UInt16.self, at: start)), (bytes.count - start - 2) / 12)
        var (values, lengths): ([Int: Int], [Int: Int]) = ([:], [:])
        for entry in 0..<entries {
            let at = start + 2 + 12 * entry
            let tag = Int(bytes.number(UInt16.self, at: at))
            let length = Int(bytes.number(UInt32.self, at: at + 4))
            lengths[tag] = length
            // Of numbers in one or two bytes the others mean nothing; of more than fit into four it says where they are.
            values[tag] =
                switch bytes.number(UInt16.self, at: at + 2) {
                case 1 where length <= 4: Int(bytes[at + 8])
                case 3 where length <= 2: Int(bytes.number(UInt16.self, at: at + 8))
                default: Int(bytes.number(UInt32.self, at: at + 8))
                }
        }
        guard let picture = values[Tag.picture], picture < bytes.count else { throw Self.damaged }
        self.picture = picture
        let alpha = values[Tag.alpha] ?? 0
        self.alpha = alpha > 0 && alpha < bytes.count && values[Tag.alphaLength] != 0 ? alpha : nil
        orientation = Self.orientation(values[Tag.transformation])
        isPremultiplied = Self.isPremultiplied(values[Tag.pixelFormat] ?? bytes.count, bytes)
        let (first, length) = (values[Tag.profile] ?? 0, lengths[Tag.profile] ?? 0)
        profile = first > 0 && length > 0 && first <= bytes.count - length ? first..<first + length : nil
    }

    /// Turned clockwise by the highest bit, then upside down by the lowest and left to right by the middle one.
    private static func orientation(_ value: Int?) -> Orientation {
        let numbers = [1, 4, 2, 3, 6, 7, 5, 8]
        guard let value, numbers.indices.contains(value) else { return .upright }
        return Orientation(exif: numbers[value])
    }

    /// Identifiers of pixel formats (T.832, table A.6), but for what all of them have in common.
    private static func isPremultiplied(_ at: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard at <= bytes.count - 16 else { return false }
        let format = bytes[at..<at + 16]
        if format.elementsEqual(redFirst) { return true }
        return format.dropLast().elementsEqual(usual) && [0x10, 0x17, 0x1A].contains(format[at + 15])
    }

    private static let usual: [UInt8] = [
        0x24, 0xC3, 0xDD, 0x6F, 0x03, 0x4E, 0xFE, 0x4B, 0xB1, 0x85, 0x3D, 0x77, 0x76, 0x8D, 0xC9,
    ]
    /// Bytes, red first.
    private static let redFirst: [UInt8] = [
        0x50, 0xA6, 0xC4, 0x3C, 0x27, 0xA5, 0x37, 0x4D, 0xA9, 0x16, 0x31, 0x42, 0xC7, 0xEB, 0xED, 0xBA,
    ]

    private static let damaged = PluginError(.corrupt, "the directory of the JPEG XR picture is damaged")
}
