public import VitrineKit

/// What is made of rendered previews before they are handed out: cropping, arranging several of them, and a format.
///
/// A finish is part of a preview's key, so that its ``description`` never changes for a picture that stays the same.
public struct Finish: Hashable, Sendable {
    /// How a picture meets the square of its size.
    public enum Fit: Hashable, Sendable {
        /// All of it, inside of the square.
        case contain
        /// It fills the square, and what stands over is cut off. A picture whose shorter side is smaller than the square
        /// is cut to that side: nothing is enlarged.
        case cover(Anchor)
    }

    /// Which part of a picture is kept when it is cut.
    public enum Anchor: Hashable, Sendable {
        /// The middle.
        case center
        /// The part with most edges and colour, and skin before other colours.
        case attention
        /// The part whose brightness varies most.
        case entropy
        /// The part around a point, in thousandths of width and height from the top left.
        case focus(x: Int, y: Int)
    }

    /// Which pictures of an item are taken.
    public enum Parts: Hashable, Sendable {
        /// The page or moment of the variant.
        case one
        /// These pages, counted from 0, as far as there are so many.
        case pages(ClosedRange<Int>)
        /// So many moments, evenly over the duration.
        case frames(Int)
    }

    /// What is made of the pictures.
    public enum Arrangement: Hashable, Sendable {
        /// One is one.
        case single
        /// Rows and columns with margins between, filled row by row.
        case sheet(columns: Int, rows: Int, isNumbered: Bool)
        /// One after the other for ever, each for so many milliseconds; WebP only.
        case loop(milliseconds: Int)
        /// One to four different items in a square with transparent gaps: the picture of a folder.
        case mosaic
    }

    /// The format.
    public var format = PictureFormat.png
    /// From 1, small, to 100, good; `nil` for the format's default. Of no meaning for PNG.
    public var quality: Int?
    /// What shows through transparent pixels; `nil` leaves them transparent where the format can, and is white where it
    /// cannot. Sheets choose a colour of their own then.
    public var background: PictureColor?
    /// How a picture meets the square of its size.
    public var fit = Fit.contain
    /// Which pictures of the item.
    public var parts = Parts.one
    /// What is made of them.
    public var arrangement = Arrangement.single

    /// The rendered preview as it is.
    public static let plain = Finish()

    /// The most pages or frames of one picture.
    public static let maximumParts = 64
    /// The most columns, and the most rows, of a sheet.
    public static let maximumGrid = 16
    /// How long a frame of a loop may be seen, in milliseconds.
    public static let frameTimes = 20...10_000

    /// Creates the finish that changes nothing.
    public init() {}

    /// The quality that counts; 0 for PNG.
    public var effectiveQuality: Int { format.defaultQuality.map { quality ?? $0 } ?? 0 }

    /// Whether nothing is done but writing PNG.
    public var isPlain: Bool { description.isEmpty }

    /// Refuses what cannot be made.
    /// - Throws: `invalidArgument`, with a sentence.
    public func check() throws(PluginError) {
        func refuse(_ sentence: String) -> PluginError { PluginError(.invalidArgument, sentence) }
        if let quality, !(1...100 ~= quality) { throw refuse("a quality is 1 to 100, not \(quality)") }
        if case .cover(.focus(let x, let y)) = fit, !(0...1000 ~= x) || !(0...1000 ~= y) {
            throw refuse("a focus is two numbers from 0 to 1")
        }
        var count = 1
        switch parts {
        case .one: break
        case .pages(let pages):
            count = pages.count
            guard pages.lowerBound >= 0, pages.upperBound <= 1_000_000 else { throw refuse("pages are counted from 1") }
        case .frames(let frames): count = frames
        }
        guard 1...Self.maximumParts ~= count else {
            throw refuse("a picture is made of 1 to \(Self.maximumParts) pages or frames, not of \(count)")
        }
        switch arrangement {
        case .single:
            guard parts == .one else { throw refuse("several pages or frames need a sheet, such as --sheet 3x3") }
        case .sheet(let columns, let rows, _):
            guard 1...Self.maximumGrid ~= columns, 1...Self.maximumGrid ~= rows else {
                throw refuse("a sheet has 1 to \(Self.maximumGrid) columns and rows")
            }
            guard count <= columns * rows else {
                throw refuse("\(count) pictures do not fit into a sheet of \(columns) × \(rows)")
            }
        case .loop(let time):
            guard format == .webp else { throw refuse("a loop is written as WebP only") }
            guard Self.frameTimes ~= time else {
                throw refuse("a frame of a loop is seen for 20 to 10000 milliseconds")
            }
        case .mosaic: break
        }
    }
}

extension Finish: CustomStringConvertible {
    /// The form that keys are made of: empty for ``plain``, else words with commas between. What has no effect is not in
    /// it.
    public var description: String {
        var words: [String] = []
        switch parts {
        case .one: break
        case .pages(let pages): words.append("pages=\(pages.lowerBound)-\(pages.upperBound)")
        case .frames(let count): words.append("frames=\(count)")
        }
        switch arrangement {
        case .single: break
        case .sheet(let columns, let rows, let isNumbered):
            words.append("sheet=\(columns)x\(rows)" + (isNumbered ? "n" : ""))
        case .loop(let time): words.append("loop=\(time)")
        case .mosaic: words.append("mosaic")
        }
        switch fit {
        case .contain: break
        case .cover(.center): words.append("cover=center")
        case .cover(.attention): words.append("cover=attention")
        case .cover(.entropy): words.append("cover=entropy")
        case .cover(.focus(let x, let y)): words.append("cover=\(x):\(y)")
        }
        if let background { words.append("on=\(background)") }
        if format != .png { words += ["format=\(format.rawValue)", "quality=\(effectiveQuality)"] }
        return words.joined(separator: ",")
    }
}
