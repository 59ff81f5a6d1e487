internal import BinaryNumbers
internal import CImageCodecs
internal import VitrineKit

/// A texture of graphics cards, of whatever file: how its pixels are written, and how they become a picture.
struct Texture {
    /// How pixels are written.
    enum Layout {
        case blocks(vi_kind)
        /// Each by itself.
        case texels(Texel)

        /// Bytes of a row of pixels, or of blocks.
        func rowLength(_ width: Int) -> Int {
            switch self {
            case .blocks(let kind): (width + 3) / 4 * Int(vi_block_bytes(kind))
            case .texels(let texel): width * texel.length
            }
        }

        /// Pixels in the height of a row.
        var rowHeight: Int { if case .blocks = self { 4 } else { 1 } }

        fileprivate var hasAlpha: Bool {
            switch self {
            case .blocks(let kind): vi_has_alpha(kind) != 0
            case .texels(let texel): texel.hasAlpha
            }
        }
    }

    /// What the fourth channel is.
    enum Alpha {
        case straight
        /// Alpha by which the colours were multiplied.
        case multiplied
        /// All ones, or something other than alpha.
        case none

        /// Makes a row of R, G, B and alpha straight.
        fileprivate func straighten(_ row: UnsafeMutableRawPointer, _ width: Int) {
            guard case .multiplied = self else { return }
            let pixels = UnsafeMutableRawBufferPointer(start: row, count: width * 4)
            for at in stride(from: 0, to: pixels.count, by: 4) {
                let alpha = Int(pixels[at + 3])
                guard 1..<255 ~= alpha else { continue }
                for channel in at..<at + 3 {
                    pixels[channel] = UInt8(min(255, (Int(pixels[channel]) * 255 + alpha / 2) / alpha))
                }
            }
        }
    }

    var layout: Layout
    /// Checked, with more than no pixels.
    var size: PixelSize
    var alpha = Alpha.straight
    /// What the bytes of each row are filled up to a multiple of.
    var rowUnit = 1

    /// Bytes of the picture. Sides are checked, so that this is a number.
    var length: Int { rowStep * ((size.height + layout.rowHeight - 1) / layout.rowHeight) }

    private var rowStep: Int { (layout.rowLength(size.width) + rowUnit - 1) / rowUnit * rowUnit }

    /// Draws it.
    /// - Parameter bytes: from its first pixel on.
    /// - Throws: `corrupt` when pixels are missing, `limitExceeded`.
    func bitmap(_ bytes: UnsafeRawBufferPointer, box: Int) throws(PluginError) -> Bitmap {
        guard length <= bytes.count else {
            throw PluginError(.corrupt, "the picture is damaged: it has fewer pixels than it says")
        }
        var rows = try RowReducer(size, box: box, hasAlpha: layout.hasAlpha && alpha != .none)
        switch layout {
        case .texels(let texel):
            for y in 0..<size.height {
                let line = UnsafeRawBufferPointer(rebasing: bytes[(y * rowStep)...])
                _ = rows.next { row in
                    texel.read(size.width, of: line, into: row)
                    alpha.straighten(row, size.width)
                    return true
                }
            }
        case .blocks(let kind): unpack(kind, bytes, &rows)
        }
        return rows.bitmap
    }

    private func unpack(_ kind: vi_kind, _ bytes: UnsafeRawBufferPointer, _ rows: inout RowReducer) {
        let length = Int(vi_block_bytes(kind)), across = (size.width + 3) / 4
        // Four rows of pixels, those of a block after those of the one before.
        var pixels = [UInt8](repeating: 0, count: across * 64)
        for y in 0..<size.height {
            pixels.withUnsafeMutableBufferPointer { pixels in
                guard let target = pixels.baseAddress, let base = bytes.baseAddress else { return }
                if y % 4 == 0 {
                    let line = base + y / 4 * rowStep
                    for block in 0..<across {
                        vi_decode(
                            kind, (line + block * length).assumingMemoryBound(to: UInt8.self), Texel.ofHalves,
                            target + block * 64)
                    }
                }
                _ = rows.next { row in
                    for block in 0..<across {
                        let count = min(4, size.width - 4 * block) * 4
                        (row + block * 16).copyMemory(from: target + block * 64 + y % 4 * 16, byteCount: count)
                    }
                    alpha.straighten(row, size.width)
                    return true
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A number of 32 bits, its lowest byte first. Its bytes must be there.
    func number(_ at: Int) -> Int {
        Int(number(UInt32.self, at: at))
    }
}
