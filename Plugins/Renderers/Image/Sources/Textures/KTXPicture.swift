internal import BinaryNumbers
internal import CImageCodecs
internal import VitrineKit

/// A texture in the file format of Khronos (KTX 1.1 and KTX 2.0), its first and largest picture: blocks of BC, ETC and EAC, and
/// pixels that stand by themselves. What Basis Universal and ASTC pack is refused.
enum KTXPicture {
    /// The first bytes of both.
    static let signature: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x31, 0x31, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
    static let newSignature: [UInt8] = [0xAB, 0x4B, 0x54, 0x58, 0x20, 0x32, 0x30, 0xBB, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let headLength = 64, newHeadLength = 104
    /// Bytes of what is said beside the picture that are looked at.
    private static let longestWords = 64 << 10

    private static let damaged = PluginError(.corrupt, "the texture is damaged: its header makes no sense")

    /// Draws the picture.
    /// - Parameter memory: bytes that it may take unpacked.
    /// - Throws: `corrupt`, `unsupported` for ways to write pixels that are not known, `limitExceeded`, and what `check` throws
    ///   for its size.
    static func rendering(
        _ bytes: UnsafeRawBufferPointer, box: Int, memory: Int64, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let isNew = bytes.starts(with: newSignature)
        guard bytes.count >= (isNew ? newHeadLength : headLength) else { throw damaged }
        return isNew
            ? try new(bytes, box, memory, check: check) : try old(bytes, box, check: check)
    }

    /// - Parameter height: 0 of a texture that is one line.
    private static func size(
        _ bytes: UnsafeRawBufferPointer, at: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> PixelSize {
        let size = PixelSize(width: bytes.number(at), height: max(1, bytes.number(at + 4)))
        guard size.width > 0 else { throw damaged }
        try check(size)
        return size
    }

    private static func old(
        _ bytes: UnsafeRawBufferPointer, _ box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        guard bytes.number(12) == 0x0403_0201 else {
            throw PluginError(.unsupported, "the texture has its bytes in an order that is not supported")
        }
        let size = try size(bytes, at: 36, check: check), words = bytes.number(60)
        guard let layout = KTXLayouts.old(type: bytes.number(16), format: bytes.number(24), inside: bytes.number(28))
        else {
            throw unknown("format \(bytes.number(28)) of OpenGL")
        }
        guard words <= bytes.count - headLength - 4 else { throw damaged }
        let pixels = UnsafeRawBufferPointer(rebasing: bytes[(headLength + words + 4)...])
        let alpha: Texture.Alpha = KTXLayouts.opaque.contains(bytes.number(28)) ? .none : .straight
        let bitmap = try Texture(layout: layout, size: size, alpha: alpha, rowUnit: 4).bitmap(pixels, box: box)
        return try rendering(bitmap, size, bytes[headLength..<headLength + words], up: "T=u")
    }

    private static func new(
        _ bytes: UnsafeRawBufferPointer, _ box: Int, _ memory: Int64, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering {
        let size = try size(bytes, at: 20, check: check), packing = bytes.number(44)
        guard let layout = KTXLayouts.new(bytes.number(12)), packing == 0 || packing == 2 || packing == 3 else {
            let isBasis = packing == 1 || bytes.number(12) == 0
            throw unknown(isBasis ? "Basis Universal" : "format \(bytes.number(12)) of Vulkan, packing \(packing)")
        }
        guard let pixels = part(bytes, at: 80), let words = part(bytes, bytes.number(56), bytes.number(60)) else {
            throw damaged
        }
        let alpha: Texture.Alpha = KTXLayouts.newOpaque.contains(bytes.number(12)) ? .none : .straight
        let texture = Texture(layout: layout, size: size, alpha: alpha)
        let bitmap: Bitmap
        if packing == 0 {
            bitmap = try texture.bitmap(pixels, box: box)
        } else {
            bitmap = try unpacked(texture, pixels, isZlib: packing == 3, memory) { (bytes) throws(PluginError) in
                try texture.bitmap(bytes, box: box)
            }
        }
        return try rendering(bitmap, size, words[...], up: "u")
    }

    /// Bytes whose place and length stand at an offset, in 64 bits each.
    private static func part(_ bytes: UnsafeRawBufferPointer, at: Int) -> UnsafeRawBufferPointer? {
        let start = bytes.number(UInt64.self, at: at)
        let length = bytes.number(UInt64.self, at: at + 8)
        guard let start = Int(exactly: start), let length = Int(exactly: length) else { return nil }
        return part(bytes, start, length)
    }

    private static func part(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ length: Int) -> UnsafeRawBufferPointer? {
        guard start <= bytes.count, length <= bytes.count - start else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
    }

    /// Unpacks as much as the picture has.
    private static func unpacked(
        _ texture: Texture, _ packed: UnsafeRawBufferPointer, isZlib: Bool, _ memory: Int64,
        use: (UnsafeRawBufferPointer) throws(PluginError) -> Bitmap
    ) throws(PluginError) -> Bitmap {
        guard texture.length <= memory else {
            throw PluginError(
                .limitExceeded, "the texture has \(texture.length >> 20) MiB; at most \(memory >> 20) are unpacked")
        }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: texture.length, alignment: 16)
        defer { room.deallocate() }
        guard let from = packed.bindMemory(to: UInt8.self).baseAddress,
            let to = room.bindMemory(to: UInt8.self).baseAddress
        else { throw damaged }
        let unpack = isZlib ? vi_unpack_zlib : vi_unpack_zstd
        let count = unpack(from, packed.count, to, room.count)
        return try use(UnsafeRawBufferPointer(rebasing: room[..<count]))
    }

    /// - Parameters:
    ///   - words: keys and values, each behind its length.
    ///   - up: what the value of an orientation has in it when rows begin at the bottom.
    private static func rendering(
        _ bitmap: Bitmap, _ size: PixelSize, _ words: Slice<UnsafeRawBufferPointer>, up: String
    ) throws(PluginError) -> Rendering {
        let words = words.prefix(longestWords)
        var orientation = Orientation.upright
        if let key = words.firstRange(of: Array("KTXorientation\0".utf8)) {
            orientation.mirrorsRows =
                words[key.upperBound...].prefix { $0 != 0 }.prefix(16).firstRange(of: Array(up.utf8)) != nil
        }
        return Rendering(try orientation.applied(to: bitmap), facts: Facts(size: size))
    }

    private static func unknown(_ what: String) -> PluginError {
        PluginError(.unsupported, "the texture's pixels are written in a way that is not drawn (\(what))")
    }
}
