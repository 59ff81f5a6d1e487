internal import CompoundFiles
internal import PictureDecoding
internal import VitrineKit

/// The list of an icon's pictures (`GRPICONDIR`): the same picture at several sizes and numbers of colours.
struct WindowsIcon {
    /// One of the pictures.
    struct Picture {
        /// Pixels across, as the list says.
        let side: Int
        /// Bits of a pixel.
        let depth: Int
        /// The number of the resource in which it is.
        let number: Int
    }

    let pictures: [Picture]

    /// Bytes before the list, and of each picture in it.
    private static let head = 6, entry = 14
    /// Pictures that are tried.
    private static let mostTried = 8

    /// Reads the list.
    init(_ group: [UInt8]) {
        let count = min(group.uint16(at: 4) ?? 0, ResourceLimits.entries)
        pictures = (0..<count).compactMap { index in
            let at = Self.head + index * Self.entry
            guard let depth = group.uint16(at: at + 6), let number = group.uint16(at: at + 12) else { return nil }
            // 256 does not fit into the byte.
            return Picture(side: group[at] == 0 ? 256 : Int(group[at]), depth: depth, number: number)
        }
    }

    /// The pictures in the order in which they are tried: the smallest that fills the box, larger ones, then smaller ones; of
    /// one size the one with most colours.
    func pictures(for box: Int) -> ArraySlice<Picture> {
        pictures.sorted { a, b in
            if a.side == b.side { return a.depth > b.depth }
            return a.side >= box && b.side >= box ? a.side < b.side : a.side > b.side
        }.prefix(Self.mostTried)
    }

    /// Decodes a picture: a PNG, or a bitmap.
    /// - Throws: `corrupt`, `unsupported`, `limitExceeded`.
    static func bitmap(_ bytes: [UInt8], box: Int, _ decoder: PictureDecoder) throws(PluginError) -> Bitmap {
        PictureDecoder.canDecode(bytes)
            ? try decoder.picture(bytes, box: box).bitmap : try MaskedBitmap(bytes, decoder.maximumPixels).drawn()
    }
}
