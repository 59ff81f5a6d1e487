internal import ArchiveReading
internal import PictureDecoding
internal import VitrineKit

/// Finds among the pictures of one icon the first that fills the box, else the largest.
struct IconSearch {
    private let box: Int
    private let decoder: PictureDecoder
    private var best: DecodedPicture?
    private var failure: PluginError?

    /// - Parameter box: the longest side wanted, in pixels.
    init(box: Int, _ decoder: PictureDecoder) {
        self.box = box
        self.decoder = decoder
    }

    /// Whether a picture fills the box: none that comes later is better.
    var isOver: Bool { best.map { $0.side >= box } ?? false }

    /// What was found, or what is wrong with the first that is none; `nil` when there were no pictures.
    var found: Result<DecodedPicture, PluginError>? {
        best.map { .success($0) } ?? failure.map { .failure($0) }
    }

    /// Looks at one more picture.
    /// - Parameter bytes: reads its file; `nil` when there is none.
    /// - Throws: what says something of more than this picture.
    mutating func look(at bytes: () throws(PluginError) -> [UInt8]?) throws(PluginError) {
        do throws(PluginError) {
            guard let bytes = try bytes() else { return }
            let picture = try decoder.picture(bytes, box: box)
            guard picture.bitmap.isIcon(for: box) else {
                failure = failure ?? Bitmap.noIcon
                return
            }
            if picture.side > best?.side ?? 0 { best = picture }
        } catch {
            guard error.isOfMember else { throw error }
            failure = failure ?? error
        }
    }
}
