import PictureDecoding
import VitrineKit

@testable import PackageRenderer

extension FuzzTarget {
    /// Previews that programs leave at places of their own: compound files, drawings, paintings and what is searched for.
    static let previewPlace = FuzzTarget(
        name: "preview-place", maximumLength: 1 << 16, fixtures: ["package"],
        words: ["CHNKSQLi", "CanvasPreview", "GImg:image>", "&#xA;", "IEND", "P\0r\0v\0I\0m\0a\0g\0e\0", "BM(\0\0\0"],
        check: { bytes in
            guard let place = PreviewPlace(Array(bytes.prefix(PreviewPlace.headLength)), type: "") else { return }
            // As many as a compound file may cost, whose chains are the longest.
            let input = CountedInput(bytes, limit: 300_000)
            do throws(PluginError) {
                let bitmap = try place.preview(input, box: 64, PictureDecoder(maximumPixels: 1 << 20))
                guard bitmap.width * bitmap.height <= 1 << 24 else {
                    throw PluginError(.invalidAnswer, "the preview has more pixels than any may have")
                }
            } catch { try error.mustBe(.corrupt, .unsupported, .limitExceeded, .empty) }
            try hold(input.negativeOffsets == 0, "something before the beginning was read")
        })
}
