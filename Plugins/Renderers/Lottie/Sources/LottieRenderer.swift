internal import PictureTraits
public import VitrineKit

/// Draws a frame of a drawing that moves: Lottie's in JSON, packed by gzip as Telegram's stickers are, or in a zip file (dotLottie), with
/// rlottie.
///
/// The frame is the one of the moment that is asked for, or the first with something in it of a few that are spread over all of them. It is
/// drawn straight at the size asked for; what it leaves transparent stays so. Pictures inside of it are drawn, those in files of their own
/// are not, and neither are texts.
public final class LottieRenderer: Renderer {
    /// Parts of the whole of which the first one is shown that is not empty.
    private static let moments = [1.0 / 3, 1.0 / 2, 2.0 / 3, 1.0 / 6, 5.0 / 6, 0, 1]
    /// A black one, in PNG.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="

    /// Loads what rlottie loads late, its decoder of pictures: reading does it. Its threads would not outlive a fork, and begin to run where
    /// the first frame is drawn.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        let picture = "data:image/png;base64," + Self.pixel
        let text =
            #"{"v":"5","fr":1,"ip":0,"op":1,"w":1,"h":1,"assets":[{"id":"a","w":1,"h":1,"u":"","e":1,"p":""# + picture
            + #""}],"layers":[{"ty":2,"refId":"a","ks":{},"ip":0,"op":1}]}"#
        do throws(PluginError) { _ = try LottieAnimation(Array(text.utf8)) } catch {
            throw PluginError(.pluginUnavailable, "rlottie cannot read an animation of its own: \(error.message)")
        }
    }

    /// Draws a frame of the animation, which has one page.
    /// - Throws: `empty`, `corrupt`, `limitExceeded`, `locked`, `invalidArgument` for another page; and what reading throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the animation")
        try request.checkPage(of: 1, in: "the animation")
        let animation = try LottieAnimation(try LottieFile.document(input))
        let facts = Facts(size: animation.size, duration: animation.duration)
        let frame = if let time = request.time { animation.frame(at: time) } else { try Self.telling(animation) }
        return Rendering(try animation.bitmap(of: frame, box: request.box), facts: facts)
    }

    /// A frame with something in it, found out on small pictures; else one that is of one colour.
    /// - Throws: `empty` where nothing is in any of them, `limitExceeded`.
    private static func telling(_ animation: LottieAnimation) throws(PluginError) -> Int {
        var plain: Int?
        for share in moments {
            let frame = animation.frame(share: share)
            let bitmap = try animation.bitmap(of: frame, box: 64)
            if bitmap.hasSeveralColours { return frame }
            if plain == nil, !bitmap.isTransparentAtFirst { plain = frame }
        }
        guard let plain else {
            throw PluginError(
                .empty, "the animation shows nothing: texts, and pictures in files of their own, are not drawn")
        }
        return plain
    }
}

extension Bitmap {
    /// Whether nothing is at the top left.
    fileprivate var isTransparentAtFirst: Bool { withUnsafeMutableBytes { bytes in bytes[3] == 0 } }
}
