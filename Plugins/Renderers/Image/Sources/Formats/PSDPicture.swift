internal import PictureTraits
internal import VitrineKit

/// The picture of all layers in a file of Photoshop (Adobe Photoshop File Formats Specification), as far as ImageMagick does not
/// read it: of up to 256 colours, or with more channels than it can hold.
struct PSDPicture {
    private static let headLength = 26
    /// Channels that ImageMagick can hold.
    private static let usualChannels = 56
    /// The resources of the colour that is nothing, and of the ICC profile.
    private static let nothing = 1047, profile = 1039

    private let bytes: UnsafeRawBufferPointer
    private let size: PixelSize
    /// Of the file; and those that colours are made of, which are the first of them.
    private let channels: Int, planes: Int
    /// 256 reds, greens and blues, one after the other, of a picture of few colours.
    private let palette: Range<Int>?
    private let resources: Range<Int>
    /// Where the way of packing stands, before the rows.
    private let start: Int
    private let isLarge: Bool

    /// - Returns: `nil` for what is left to ImageMagick.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let (colours, resources, layers) = Self.parts(of: bytes), Self.big(bytes, 22, 2) == 8 else { return nil }
        self.bytes = bytes
        isLarge = bytes[5] == 2
        channels = Self.big(bytes, 12, 2)
        size = PixelSize(width: Self.big(bytes, 18, 4), height: Self.big(bytes, 14, 4))
        guard size.width > 0, size.height > 0 else { return nil }
        switch Self.big(bytes, 24, 2) {
        case 2 where channels > 0 && colours.count >= 768: (planes, palette) = (1, colours)
        case 1 where channels > Self.usualChannels: (planes, palette) = (1, nil)
        case 3 where channels > Self.usualChannels: (planes, palette) = (3, nil)
        default: return nil
        }
        (self.resources, start) = (resources, layers.upperBound)
    }

    /// The parts between the head and the picture of all layers, each of which stands behind its length.
    private static func parts(
        of bytes: UnsafeRawBufferPointer
    ) -> (colours: Range<Int>, resources: Range<Int>, layers: Range<Int>)? {
        func part(_ at: Int, _ count: Int = 4) -> Range<Int>? {
            guard at + count <= bytes.count else { return nil }
            let length = big(bytes, at, count)
            guard 0...(bytes.count - at - count) ~= length else { return nil }
            return at + count..<at + count + length
        }
        guard bytes.count >= headLength, let colours = part(headLength), let resources = part(colours.upperBound),
            let layers = part(resources.upperBound, bytes[5] == 2 ? 8 : 4)
        else { return nil }
        return (colours, resources, layers)
    }

    /// The file with the picture of all layers and without the layers, which may be damaged when that is whole.
    /// - Returns: `nil` for one that has none.
    static func withoutLayers(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let (_, resources, layers) = parts(of: bytes), !layers.isEmpty, layers.upperBound < bytes.count else {
            return nil
        }
        var file = [UInt8](bytes[..<resources.upperBound])
        file.reserveCapacity(bytes.count - layers.count)
        // Their length.
        file += repeatElement(0, count: layers.lowerBound - resources.upperBound)
        file += bytes[layers.upperBound...]
        return file
    }

    /// Draws the picture.
    /// - Returns: `nil` for ways of packing that are not known.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`, and what `check` throws for its size.
    func rendering(
        box: Int, _ profiles: ColorProfileCache, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        try check(size)
        let short = PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
        guard start + 2 <= bytes.count else { throw short }
        let packing = Self.big(bytes, start, 2)
        guard packing < 2 else { return nil }
        guard var rows = Rows(self, isPacked: packing == 1) else { throw short }
        var transparent: Int?
        if palette != nil, let number = resource(Self.nothing), number.count == 2 {
            transparent = Self.big(bytes, number.lowerBound, 2)
        }
        var reducer = try RowReducer(size, box: box, hasAlpha: transparent != nil)
        for _ in 0..<size.height {
            guard rows.next() else { throw short }
            _ = reducer.next { row in
                let pixels = UnsafeMutableRawBufferPointer(start: row, count: size.width * 4)
                for x in 0..<size.width {
                    for channel in 0..<3 {
                        let value = rows.values[min(channel, planes - 1) * size.width + x]
                        pixels[4 * x + channel] =
                            palette.map { bytes[$0.lowerBound + channel * 256 + Int(value)] } ?? value
                    }
                    pixels[4 * x + 3] = transparent == Int(rows.values[x]) ? 0 : 255
                }
                return true
            }
        }
        if let range = resource(Self.profile) {
            let kind: ColorProfile.Kind = planes == 1 && palette == nil ? .gray : .rgb
            profiles.profile(UnsafeRawBufferPointer(rebasing: bytes[range]), for: kind)?.convert(reducer.bitmap)
        }
        return Rendering(reducer.bitmap, facts: Facts(size: size))
    }

    /// Rows of pixels, one plane after the other in the file.
    private struct Rows {
        private let picture: PSDPicture
        private let isPacked: Bool
        /// Where the next row of each plane is, and in the table how long it is.
        private var places: [Int] = [], lengths: [Int] = []
        /// Bytes of a length.
        private let unit: Int
        /// The pixels of the last row: those of each plane behind those of the one before.
        private(set) var values: [UInt8]

        /// - Returns: `nil` when there are fewer rows than there should be.
        init?(_ picture: PSDPicture, isPacked: Bool) {
            (self.picture, self.isPacked, unit) = (picture, isPacked, picture.isLarge ? 4 : 2)
            let (size, table, count) = (picture.size, picture.start + 2, picture.bytes.count)
            values = [UInt8](repeating: 0, count: picture.planes * size.width)
            guard isPacked else {
                guard size.width * size.height * picture.planes <= count - table else { return nil }
                places = (0..<picture.planes).map { table + $0 * size.width * size.height }
                return
            }
            guard picture.channels * size.height * unit <= count - table else { return nil }
            var at = table + picture.channels * size.height * unit
            for plane in 0..<picture.planes {
                places.append(at)
                lengths.append(table + plane * size.height * unit)
                for row in 0..<size.height { at += PSDPicture.big(picture.bytes, lengths[plane] + row * unit, unit) }
            }
        }

        /// Goes to the next row.
        /// - Returns: whether all of it is there.
        mutating func next() -> Bool {
            let width = picture.size.width
            for plane in places.indices {
                let at = places[plane]
                let length = isPacked ? PSDPicture.big(picture.bytes, lengths[plane], unit) : width
                guard at <= picture.bytes.count, length <= picture.bytes.count - at else { return false }
                if isPacked {
                    guard unpack(at..<at + length, to: plane * width) else { return false }
                    lengths[plane] += unit
                } else {
                    for x in 0..<width { values[plane * width + x] = picture.bytes[at + x] }
                }
                places[plane] += length
            }
            return true
        }

        /// As Apple's PackBits: up to 128 bytes as they are, or one up to 128 times.
        private mutating func unpack(_ range: Range<Int>, to first: Int) -> Bool {
            var at = range.lowerBound, x = 0
            let width = picture.size.width
            while x < width {
                guard at + 1 < range.upperBound else { return false }
                let tag = Int(Int8(bitPattern: picture.bytes[at]))
                at += 1
                if tag == -128 { continue }
                let count = min(tag < 0 ? 1 - tag : tag + 1, width - x)
                guard tag < 0 || count <= range.upperBound - at else { return false }
                for step in 0..<count { values[first + x + step] = picture.bytes[tag < 0 ? at : at + step] }
                at += tag < 0 ? 1 : count
                x += count
            }
            return true
        }
    }

    /// What stands behind a number among the resources.
    private func resource(_ wanted: Int) -> Range<Int>? {
        var at = resources.lowerBound
        while at + 12 <= resources.upperBound, bytes[at..<at + 4].elementsEqual("8BIM".utf8) {
            // A name with its length, and then the content, are filled up to even lengths.
            let name = (Int(bytes[at + 6]) + 2) / 2 * 2
            guard at + 10 + name <= resources.upperBound else { return nil }
            let length = Self.big(bytes, at + 6 + name, 4), content = at + 10 + name
            guard length <= resources.upperBound - content else { return nil }
            if Self.big(bytes, at + 4, 2) == wanted { return content..<content + length }
            at = content + (length + 1) / 2 * 2
        }
        return nil
    }

    /// A number with its highest byte first; below zero when it is too large for any file.
    private static func big(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
        Int(bigEndianBytes: bytes[at..<at + count])
    }
}
