internal import CEXIF
package import VitrineKit

/// What a camera wrote beside a picture (Exif 2.32), read with libexif; the one owner of its object.
package final class EXIFBlock {
    private let data: UnsafeMutablePointer<ExifData>
    private let order: ExifByteOrder

    /// What blocks of cameras begin with, before their TIFF structure.
    package static let mark = Array("Exif\0\0".utf8)
    /// The most bytes that are read: more than a segment of JPEG can hold.
    private static let longest = 256 << 10

    /// Reads a block, with or without ``mark`` before it. The bytes may go away afterwards.
    /// - Returns: `nil` when there is nothing in it.
    package init?(_ block: some Collection<UInt8>) {
        var bytes = Array(block.prefix(Self.longest))
        if !bytes.starts(with: Self.mark) { bytes = Self.mark + bytes }
        guard bytes.count > 14, let data = cexif_read(bytes, UInt32(bytes.count)) else { return nil }
        self.data = data
        order = exif_data_get_byte_order(data)
    }

    /// Reads a block as HEIF and JPEG XL keep it: behind four bytes, the most significant first, that say how many more to leave
    /// out. Some cameras have a whole segment of JPEG there. Where nothing begins, the number is taken for a mistake.
    /// - Returns: `nil` when there is nothing in it.
    package convenience init?(item: some RandomAccessCollection<UInt8>) {
        let rest = item.dropFirst(4)
        let block = rest.dropFirst(Int(bigEndianBytes: item.prefix(4)))
        let begins = [Self.mark, Array("II*\0".utf8), Array("MM\0*".utf8)].contains { block.starts(with: $0) }
        self.init(begins ? block : rest)
    }

    deinit { exif_data_unref(data) }

    private enum Tag {
        static let maker: UInt32 = 0x010F
        static let model: UInt32 = 0x0110
        static let orientation: UInt32 = 0x0112
        static let changed: UInt32 = 0x0132
        static let artist: UInt32 = 0x013B
        static let taken: UInt32 = 0x9003
        static let zone: UInt32 = 0x9010
        static let zoneTaken: UInt32 = 0x9011
        static let latitudeSide: UInt32 = 1
        static let latitude: UInt32 = 2
        static let longitudeSide: UInt32 = 3
        static let longitude: UInt32 = 4
        static let altitudeSide: UInt32 = 5
        static let altitude: UInt32 = 6
    }

    /// How the camera was held, 1 to 8; `nil` when it does not say.
    package var orientation: Int? {
        guard let bytes = bytes(EXIF_IFD_0, Tag.orientation, EXIF_FORMAT_SHORT, count: 1) else { return nil }
        let value = Int(exif_get_short(bytes, order))
        return 1...8 ~= value ? value : nil
    }

    /// The camera's model, with its maker before it unless the model says that too.
    package var camera: String? {
        let (maker, model) = (text(EXIF_IFD_0, Tag.maker), text(EXIF_IFD_0, Tag.model))
        guard let maker, let model else { return model ?? maker }
        let first = maker.prefix { $0 != " " }
        return model.lowercased().hasPrefix(first.lowercased()) ? model : maker + " " + model
    }

    /// Who took it.
    package var artist: String? { text(EXIF_IFD_0, Tag.artist) }

    /// When it was taken, with its zone where the camera knew it; when the file was last changed, if it does not say.
    package var taken: FactDate? {
        if let time = text(EXIF_IFD_EXIF, Tag.taken), let date = FactDate(time) {
            return text(EXIF_IFD_EXIF, Tag.zoneTaken).flatMap { FactDate(time + $0) } ?? date
        }
        guard let time = text(EXIF_IFD_0, Tag.changed) else { return nil }
        return text(EXIF_IFD_EXIF, Tag.zone).flatMap { FactDate(time + $0) } ?? FactDate(time)
    }

    /// Whether the file says that it was changed after the picture was taken. Programs that change a picture often leave the
    /// camera's thumbnail as it was.
    package var isChanged: Bool {
        guard let changed = text(EXIF_IFD_0, Tag.changed), let taken = text(EXIF_IFD_EXIF, Tag.taken) else {
            return false
        }
        return changed != taken
    }

    /// Where it was taken.
    package var place: Place? {
        guard let latitude = degrees(Tag.latitude, Tag.latitudeSide, negative: "S"),
            let longitude = degrees(Tag.longitude, Tag.longitudeSide, negative: "W")
        else { return nil }
        let below = bytes(EXIF_IFD_GPS, Tag.altitudeSide, EXIF_FORMAT_BYTE, count: 1)?.pointee == 1
        let altitude = rationals(Tag.altitude, count: 1)?.first
        return Place(latitude: latitude, longitude: longitude, altitude: altitude.map { below ? -$0 : $0 })
    }

    /// The small picture for the camera's own screen, as a file of its own format, mostly JPEG.
    package var thumbnail: [UInt8]? {
        guard let start = data.pointee.data, data.pointee.size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(data.pointee.size)))
    }

    private func degrees(_ tag: UInt32, _ side: UInt32, negative: String) -> Double? {
        guard let parts = rationals(tag, count: 3) else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        return text(EXIF_IFD_GPS, side)?.uppercased().hasPrefix(negative) == true ? -degrees : degrees
    }

    private func rationals(_ tag: UInt32, count: Int) -> [Double]? {
        guard let start = bytes(EXIF_IFD_GPS, tag, EXIF_FORMAT_RATIONAL, count: count) else { return nil }
        var found: [Double] = []
        for index in 0..<count {
            let value = exif_get_rational(start + index * 8, order)
            guard value.denominator > 0 else { return nil }
            found.append(Double(value.numerator) / Double(value.denominator))
        }
        return found
    }

    /// The bytes of an entry that is there and as large as it should be.
    private func bytes(
        _ directory: ExifIfd, _ tag: UInt32, _ format: ExifFormat, count: Int
    ) -> UnsafeMutablePointer<UInt8>? {
        guard let entry = cexif_entry(data, directory, tag), entry.pointee.format == format,
            let bytes = entry.pointee.data, entry.pointee.components >= count,
            Int(entry.pointee.size) >= count * Int(exif_format_get_size(format))
        else { return nil }
        return bytes
    }

    private func text(_ directory: ExifIfd, _ tag: UInt32) -> String? {
        guard let entry = cexif_entry(data, directory, tag), entry.pointee.format == EXIF_FORMAT_ASCII,
            let bytes = entry.pointee.data
        else { return nil }
        let text = UnsafeBufferPointer(start: bytes, count: min(Int(entry.pointee.size), 4096)).prefix { $0 != 0 }
        return Facts.line(String(decoding: text, as: UTF8.self))
    }
}

extension Facts {
    /// Adds what a camera wrote.
    /// - Parameter wantsPlace: whether the place is added too, which somebody must have asked for.
    package mutating func add(_ block: EXIFBlock, wantsPlace: Bool) {
        set(.camera, block.camera)
        set(.author, block.artist)
        set(.created, block.taken?.text)
        set(.orientation, block.orientation.map(Double.init))
        if wantsPlace { place = block.place }
    }
}
