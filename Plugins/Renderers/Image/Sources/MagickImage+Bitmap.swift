internal import CMagick
internal import PictureTraits
internal import VitrineKit

/// From ImageMagick's pixels, 16 bits a channel in any colour space, to a bitmap.
extension MagickImage {
    /// The picture in sRGB, reduced by whole factors while it is at least four times as large as the box.
    /// - Parameter known: the profile of pictures whose own ImageMagick does not hand over.
    mutating func bitmap(
        box: Int, _ profiles: ColorProfileCache, orElse known: ColorProfile? = nil
    ) throws(PluginError) -> Bitmap {
        let profile = embeddedProfile(profiles) ?? known
        let layout = try prepareColours(profile)
        let bitmap = try export(layout, side: blockSide(box))
        profile?.convert(bitmap)
        return bitmap
    }

    /// At most 4096, so that a block's sums fit their type.
    private func blockSide(_ box: Int) -> Int { min(4096, max(1, max(size.width, size.height) / (2 * box))) }

    /// How pixels are taken out.
    private enum Layout: String {
        case opaque = "RGBP"
        case alpha = "RGBA"
        /// Ink, to be converted by a profile.
        case ink = "CMYK"
    }

    private func embeddedProfile(_ profiles: ColorProfileCache) -> ColorProfile? {
        var length = 0
        guard let bytes = MagickGetImageProfile(wand, "icc", &length) else { return nil }
        defer { MagickRelinquishMemory(bytes) }
        let kind: ColorProfile.Kind? =
            switch MagickGetImageColorspace(wand) {
            case CMYKColorspace: .ink
            case sRGBColorspace: .rgb
            case GRAYColorspace: .gray
            default: nil
            }
        return kind.flatMap { profiles.profile(UnsafeRawBufferPointer(start: bytes, count: length), for: $0) }
    }

    /// Brings colours that no profile explains to sRGB by ImageMagick's own formulas.
    private mutating func prepareColours(_ profile: ColorProfile?) throws(PluginError) -> Layout {
        let isInk = MagickGetImageColorspace(wand) == CMYKColorspace
        if isInk, profile != nil { return .ink }
        switch MagickGetImageColorspace(wand) {
        case sRGBColorspace, GRAYColorspace, TransparentColorspace: break
        default:
            guard MagickTransformImageColorspace(wand, sRGBColorspace) == MagickTrue else {
                throw PluginError(.unsupported, "the picture's colours cannot be converted to sRGB")
            }
        }
        return MagickGetImageAlphaChannel(wand) == MagickTrue ? .alpha : .opaque
    }

    /// Takes the pixels out row by row and averages blocks of `side` × `side`.
    private func export(_ layout: Layout, side: Int) throws(PluginError) -> Bitmap {
        let source = size
        let bitmap = try Bitmap(
            width: (source.width + side - 1) / side, height: (source.height + side - 1) / side,
            format: layout == .alpha ? .rgba : .rgbx)
        let row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.width * 4)
        defer { row.deallocate() }
        var blocks = BlockRow(width: bitmap.width, side: side, weighedByAlpha: layout == .alpha)
        let done = bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<source.height {
                let target = UnsafeMutableRawBufferPointer(
                    rebasing: rows[y / side * bitmap.bytesPerRow..<y / side * bitmap.bytesPerRow + bitmap.width * 4])
                let to = side == 1 ? target.baseAddress : UnsafeMutableRawPointer(row.baseAddress)
                guard
                    MagickExportImagePixels(wand, 0, y, source.width, 1, layout.rawValue, CharPixel, to) == MagickTrue
                else { return false }
                guard side > 1 else { continue }
                blocks.add(UnsafeBufferPointer(row))
                if y % side == side - 1 || y == source.height - 1 { blocks.finish(into: target) }
            }
            return true
        }
        guard done else { throw PluginError(.limitExceeded, "no memory is left for the picture's pixels") }
        return bitmap
    }
}

/// Sums over one row of blocks of four-byte pixels.
private struct BlockRow {
    private let side: Int
    private let weighedByAlpha: Bool
    private var sums: [UInt64]
    private var counts: [UInt64]

    /// - Parameters:
    ///   - width: blocks in a row.
    ///   - side: pixels along a block.
    ///   - weighedByAlpha: whether the fourth byte is alpha and colours count as much as they show.
    init(width: Int, side: Int, weighedByAlpha: Bool) {
        self.side = side
        self.weighedByAlpha = weighedByAlpha
        sums = Array(repeating: 0, count: width * 4)
        counts = Array(repeating: 0, count: width)
    }

    mutating func add(_ row: UnsafeBufferPointer<UInt8>) {
        let width = row.count / 4
        sums.withUnsafeMutableBufferPointer { sums in
            for block in counts.indices {
                let end = min(width, (block + 1) * side)
                var first: UInt32 = 0
                var second: UInt32 = 0
                var third: UInt32 = 0
                var fourth: UInt32 = 0
                for x in block * side..<end {
                    let alpha = UInt32(row[4 * x + 3])
                    let weight = weighedByAlpha ? alpha : 1
                    first &+= UInt32(row[4 * x]) &* weight
                    second &+= UInt32(row[4 * x + 1]) &* weight
                    third &+= UInt32(row[4 * x + 2]) &* weight
                    fourth &+= alpha
                }
                sums[4 * block] &+= UInt64(first)
                sums[4 * block + 1] &+= UInt64(second)
                sums[4 * block + 2] &+= UInt64(third)
                sums[4 * block + 3] &+= UInt64(fourth)
                counts[block] &+= UInt64(end - block * side)
            }
        }
    }

    mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        for block in counts.indices {
            let count = counts[block]
            let weight = weighedByAlpha ? sums[4 * block + 3] : count
            for channel in 0..<3 {
                target[4 * block + channel] =
                    weight == 0 ? 0 : UInt8(clamping: (sums[4 * block + channel] + weight / 2) / weight)
            }
            target[4 * block + 3] = UInt8(clamping: (sums[4 * block + 3] + count / 2) / count)
            counts[block] = 0
            for channel in 0..<4 { sums[4 * block + channel] = 0 }
        }
    }
}
