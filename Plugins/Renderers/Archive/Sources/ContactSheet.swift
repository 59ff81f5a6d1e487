internal import ArchiveReading
internal import PictureDecoding
internal import TextDrawing
internal import VitrineKit

/// The first pictures of an archive side by side.
struct ContactSheet {
    private let pictures: [Bitmap]

    private static let most = 9
    /// Longer sides of less are icons.
    private static let smallest = 48
    /// Bytes of pictures after which no further one is read of an archive that lies elsewhere.
    static let enoughFromElsewhere = 1_500_000
    /// The most bytes of one picture.
    private static let longest = 48 << 20
    /// Millimetres.
    private static let side = 210.0
    private static let margin = 9.0
    private static let gap = 4.0
    private static let foot = 17.0

    /// Decodes the first pictures.
    /// - Parameters:
    ///   - archive: what they are in.
    ///   - wanted: some more than are shown, since some may be damaged.
    ///   - decoder: decodes them.
    ///   - box: the longer side of the sheet, in pixels.
    ///   - enough: bytes of pictures after which no further one is read.
    /// - Returns: `nil` when there is none to show.
    /// - Throws: what the input throws.
    init?(
        _ archive: Archive, _ wanted: [ArchiveMember], _ decoder: PictureDecoder, box: Int,
        enough: Int
    ) throws(PluginError) {
        let goal = min(Self.most, wanted.count)
        var found: [(position: Int, bitmap: Bitmap)] = []
        var read = 0
        // Each is drawn in its part of the sheet, and needs no more pixels than that.
        let part = max(32, box / Self.columns(goal))
        try archive.forEach(of: wanted, limit: Self.longest) { (position, bytes) throws(PluginError) in
            read += bytes.count
            do throws(PluginError) {
                let picture = try decoder.picture(bytes, box: part)
                if max(picture.size.width, picture.size.height) >= Self.smallest {
                    found.append((position, picture.bitmap))
                }
            } catch {
                // The others are shown.
            }
            return found.count < goal && read < enough
        }
        guard !found.isEmpty else { return nil }
        pictures = found.sorted { $0.position < $1.position }.map(\.bitmap)
    }

    private static func columns(_ count: Int) -> Int { count <= 1 ? 1 : count <= 4 ? 2 : 3 }

    /// Draws the sheet: the pictures, and below them how many files there are.
    func drawn(_ contents: ArchiveContents, box: Int) throws(PluginError) -> Bitmap {
        let columns = Self.columns(pictures.count)
        let rows = (pictures.count + columns - 1) / columns
        let room = Self.side - 2 * Self.margin + Self.gap
        let width = room / Double(columns) - Self.gap
        // Two pictures are not drawn as towers.
        let height = min((room - Self.foot) / Double(rows) - Self.gap, width * 1.25)
        let paper = Self.margin + Double(rows) * (height + Self.gap) + Self.foot
        let page = try Page(box: box, width: Self.side, height: paper)
        page.fill(x: 0, y: 0, width: Self.side, height: paper, .shade)
        for (index, picture) in pictures.enumerated() {
            let x = Self.margin + Double(index % columns) * (width + Self.gap)
            let y = Self.margin + Double(index / columns) * (height + Self.gap)
            page.draw(picture, x: x, y: y, width: width, height: height, covers: pictures.count > 1)
        }
        page.line(
            contents.summary, size: 8.5, ink: .pale, x: Self.margin, baseline: paper - 7,
            width: Self.side - 2 * Self.margin)
        return try page.finish()
    }
}
