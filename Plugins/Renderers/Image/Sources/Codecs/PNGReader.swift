internal import CImageCodecs
internal import CodedColors
import Glibc
internal import PictureTraits
internal import VitrineKit

/// Reads PNG pictures by libpng row by row, 8 bits a channel: a third of what ImageMagick takes, which keeps all of one in 16
/// bits. ISA-L unpacks them. One picture after the other.
final class PNGReader {
    private let unpacker: UnsafeMutablePointer<vi_unpacker>
    private let words: UnsafeMutablePointer<vi_words>
    /// What is wrong with the last picture, where it is damaged.
    private(set) var failure: PluginError?

    /// - Throws: `pluginUnavailable` when there is no memory.
    init() throws(PluginError) {
        guard let unpacker = vi_make_unpacker() else {
            throw PluginError(.pluginUnavailable, "there is no memory to unpack PNG pictures")
        }
        self.unpacker = unpacker
        words = .allocate(capacity: 1)
        words.initialize(to: vi_words())
    }

    deinit {
        free(unpacker)
        words.deallocate()
    }

    /// Draws a picture, or of an animation whose first frame is empty one that shows something.
    /// - Returns: `nil` for what is left to ImageMagick: pictures in a light of their own, and damaged ones, of which it may show a
    ///   part or say what is wrong.
    ///   Of those ``failure`` tells.
    /// - Throws: `limitExceeded`, and what `check` throws for its size.
    func rendering(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest, _ profiles: ColorProfileCache,
        check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
        guard let first = try picture(bytes, box: request.box, check: check) else { return nil }
        let later = try? laterFrame(than: first, of: bytes, box: request.box)
        let bitmap = later ?? first.bitmap
        var rendering = try Rendering(bitmap, first.size, camera: PNGChunks.camera(bytes), request)
        if let coded = PNGChunks.codedColors(bytes) {
            coded.colors?.convert(rendering.bitmap)
        } else if !first.profile.isEmpty {
            rendering.takeColors(
                of: first.profile.withUnsafeBytes { profiles.profile($0, for: first.isGray ? .gray : .rgb) })
        }
        return rendering
    }

    /// Of an animation whose first frame is empty, the first that shows something.
    /// - Returns: `nil` when it is none, its first frame shows something, or all are empty.
    private func laterFrame(
        than first: Picture, of bytes: UnsafeRawBufferPointer, box: Int
    ) throws(PluginError) -> Bitmap? {
        let size = first.size
        guard let animation = PNGAnimation(bytes, atMost: FrameChoice.frames(of: size)),
            first.bitmap.variety < FrameChoice.emptiness
        else { return nil }
        defer { failure = nil }
        return try AnimationCanvas.firstShown(animation.frames, on: size, box: box) { (index) throws(PluginError) in
            let side = max(size.width, size.height)
            return try animation.file(index).withUnsafeBytes { file in
                Result { () throws(PluginError) in
                    try picture(file, box: side) { (found) throws(PluginError) in
                        guard found.width <= size.width, found.height <= size.height else {
                            throw PluginError(.corrupt, "a frame of the animation is larger than the picture")
                        }
                    }?.bitmap
                }
            }.get()
        }
    }

    /// What is decoded of a file.
    private struct Picture {
        var bitmap: Bitmap
        var size: PixelSize
        var isGray: Bool
        /// The ICC profile; of no bytes when there is none.
        var profile: [UInt8]
    }

    private func picture(
        _ bytes: UnsafeRawBufferPointer, box: Int, check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Picture? {
        failure = nil
        words.pointee = vi_words()
        let opened = vi_png_open(
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
            CInt(ImageRenderer.largestSide), ColorProfile.longest, unpacker, words)
        guard let file = opened else {
            failure = damage
            return nil
        }
        defer { vi_png_close(file) }
        guard file.pointee.is_plain != 0 else { return nil }
        let size = PixelSize(width: Int(file.pointee.width), height: Int(file.pointee.height))
        try check(size)
        let profile = UnsafeRawBufferPointer(start: file.pointee.profile, count: file.pointee.profile_length)
        guard let bitmap = try bitmap(of: file, size, box: box) else {
            failure = damage
            return nil
        }
        return Picture(
            bitmap: bitmap, size: size, isGray: file.pointee.is_gray != 0, profile: Array(profile))
    }

    /// The pixels; one in interlaced order is in memory as a whole.
    /// - Returns: `nil` when they are damaged.
    private func bitmap(
        of file: UnsafeMutablePointer<vi_png>, _ size: PixelSize, box: Int
    ) throws(PluginError) -> Bitmap? {
        let hasAlpha = file.pointee.has_alpha != 0
        var rows = try RowReducer(size, box: box, hasAlpha: hasAlpha)
        guard file.pointee.is_interlaced != 0 else {
            for _ in 0..<size.height {
                guard rows.next({ vi_png_row(file, $0.assumingMemoryBound(to: UInt8.self)) != 0 }) else { return nil }
            }
            return rows.bitmap
        }
        let whole = try Bitmap(width: size.width, height: size.height, format: hasAlpha ? .rgba : .rgbx)
        let stride = whole.bytesPerRow
        return whole.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress,
                vi_png_rows(file, base.assumingMemoryBound(to: UInt8.self), stride) != 0
            else { return nil }
            for y in 0..<size.height {
                let from = base + y * stride
                guard
                    rows.next({
                        $0.copyMemory(from: from, byteCount: size.width * 4); return true
                    })
                else { return nil }
            }
            return rows.bitmap
        }
    }

    /// What libpng said last; `nil` when it said nothing.
    private var damage: PluginError? {
        let text = withUnsafeBytes(of: &words.pointee.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard !text.isEmpty else { return nil }
        if text.hasPrefix("CgBI:") {
            return PluginError(
                .unsupported,
                "the picture is in the variety of PNG that programs for iPhones hold (CgBI), which is not supported")
        }
        return PluginError(.corrupt, "\(PluginError.damageSentence) (libpng: \(DisplayText.of(text)))")
    }
}
