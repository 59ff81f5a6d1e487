internal import PictureTraits
package import VitrineKit

/// Decodes JPEG, PNG, WebP and GIF pictures that lie in other files, the first frame of each; told by their bytes.
///
/// Colours come out in sRGB, as the ICC profile of the picture says; one that is damaged is left aside. Not for several
/// threads at once.
package struct PictureDecoder {
    /// The most pixels that a picture may have.
    package var maximumPixels: Int
    /// Whether pictures in PNG and WebP come out opaque, with the colours that are there where alpha would hide them; not
    /// so at first.
    package var ignoresAlpha = false
    /// Whether pictures come out as they are stored, however the camera was held; not so at first.
    package var ignoresOrientation = false
    private let profiles = ColorProfileCache()

    /// Creates a decoder.
    package init(maximumPixels: Int) { self.maximumPixels = maximumPixels }

    /// Whether bytes begin as a picture that can be decoded.
    package static func canDecode(_ bytes: [UInt8]) -> Bool { Format(bytes) != nil }

    /// Decodes a picture.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - box: the longest side wanted, in pixels; JPEG and WebP are decoded at a reduced size when it is smaller.
    /// - Throws: `unsupported` when it is none of these, `corrupt`, or `limitExceeded`.
    package func picture(_ bytes: [UInt8], box: Int) throws(PluginError) -> DecodedPicture {
        switch Format(bytes) {
        case .jpeg: return try JPEGDecoder.picture(bytes, box: box, self)
        case .png: return try PNGDecoder.picture(bytes, self)
        case .webp: return try WebPDecoder.picture(bytes, box: box, self)
        case .gif: return try GIFDecoder.picture(bytes, self)
        case nil: throw PluginError(.unsupported, "the picture inside is neither JPEG nor PNG, WebP or GIF")
        }
    }

    /// A picture as the scene was.
    /// - Parameters:
    ///   - bitmap: as it is stored, perhaps smaller.
    ///   - size: the whole picture's, as it is stored.
    ///   - orientation: what the picture says, if it does.
    func upright(
        _ bitmap: Bitmap, _ size: PixelSize, _ orientation: Orientation?
    ) throws(PluginError) -> DecodedPicture {
        let turn = ignoresOrientation ? .upright : orientation ?? .upright
        return DecodedPicture(bitmap: try turn.applied(to: bitmap), size: turn.applied(to: size))
    }

    /// Refuses what is too large to be decoded.
    func check(_ width: Int, _ height: Int, _ name: String) throws(PluginError) {
        guard width > 0, height > 0 else { throw Self.broken(name) }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maximumPixels else {
            throw PluginError(
                .limitExceeded,
                "the \(name) picture inside has \(width) × \(height) pixels; at most \(maximumPixels) are decoded")
        }
    }

    /// Refuses photographs that are too large to be developed.
    package func checkPixels(_ width: Int, _ height: Int) throws(PluginError) { try check(width, height, "raw") }

    /// Brings a picture to sRGB, in place.
    /// - Parameters:
    ///   - bitmap: blue first, colours not multiplied by alpha; or inks, when the profile is one for these.
    ///   - profile: the picture's own, or nothing.
    /// - Returns: whether there was a profile that could be used.
    @discardableResult func convert(_ bitmap: Bitmap, _ profile: [UInt8], isInk: Bool = false) -> Bool {
        let found = self.profile(profile, isInk: isInk)
        found?.convert(bitmap)
        return found != nil
    }

    /// A picture's own profile.
    /// - Parameter bytes: as the picture carries it, or nothing.
    /// - Returns: `nil` when there is none that can be used.
    func profile(_ bytes: [UInt8], isInk: Bool = false) -> ColorProfile? {
        guard !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { profiles.profile($0, for: isInk ? .ink : .rgb, .blueFirst) }
    }

    static func broken(_ name: String) -> PluginError {
        PluginError(.corrupt, "the \(name) picture inside is damaged")
    }

    private enum Format {
        case jpeg, png, webp, gif

        init?(_ bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
                self = .webp
            } else if bytes.starts(with: "GIF8".utf8) {
                self = .gif
            } else {
                return nil
            }
        }
    }
}
