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

    /// Draws a picture.
    /// - Returns: `nil` for what is left to ImageMagick: pictures in interlaced order, in a light of their own, and
    ///   damaged ones, of which it may show a part or say what is wrong.
    ///   Of those ``failure`` tells.
    /// - Throws: `limitExceeded`, and what `check` throws for its size.
    func rendering(
        _ bytes: UnsafeRawBufferPointer, _ request: RenderRequest, _ profiles: ColorProfileCache,
        check: (PixelSize) throws(PluginError) -> Void
    ) throws(PluginError) -> Rendering? {
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
        var rows = try RowReducer(size, box: request.box, hasAlpha: file.pointee.has_alpha != 0)
        for _ in 0..<size.height {
            guard rows.next({ vi_png_row(file, $0.assumingMemoryBound(to: UInt8.self)) != 0 }) else {
                failure = damage
                return nil
            }
        }
        var rendering = try Rendering(rows.bitmap, size, camera: PNGChunks.camera(bytes), request)
        if let coded = PNGChunks.codedColors(bytes) {
            coded.colors?.convert(rendering.bitmap)
        } else if !profile.isEmpty {
            rendering.takeColors(of: profiles.profile(profile, for: file.pointee.is_gray != 0 ? .gray : .rgb))
        }
        return rendering
    }

    /// What libpng said last; `nil` when it said nothing.
    private var damage: PluginError? {
        let text = withUnsafeBytes(of: &words.pointee.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard !text.isEmpty else { return nil }
        return PluginError(.corrupt, "\(PluginError.damageSentence) (libpng: \(DisplayText.of(text)))")
    }
}
