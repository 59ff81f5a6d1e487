internal import CPicture
public import Finishing
public import VitrineKit

/// Writes pixels in a format other than PNG.
public protocol PictureWriter {
    /// Encodes packed R, G, B, A without metadata.
    /// - Parameters:
    ///   - frames: one picture, or for a loop several of the same size one after the other.
    ///   - count: how many.
    ///   - size: of each.
    ///   - finish: format, quality and arrangement.
    ///   - memory: where to.
    /// - Returns: the bytes written.
    /// - Throws: `limitExceeded`, with a sentence.
    func encode(
        _ frames: UnsafePointer<UInt8>, count: Int, _ size: PixelSize, _ finish: Finish,
        into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Int
}

/// Makes finished pictures out of previews: crops, arranges and encodes them. Holds no state; for one thread at a time.
public struct PictureFinisher {
    private let writer: any PictureWriter
    /// The most pixels of a preview: those of the largest one.
    private static let mostPixels = 1 << 28

    /// Creates a finisher.
    /// - Parameter writer: writes all formats but PNG.
    public init(writer: any PictureWriter) { self.writer = writer }

    /// What was made.
    public struct Result: Hashable, Sendable {
        /// Its size in pixels.
        public var size: PixelSize
        /// Its length in bytes.
        public var length: Int
        /// Its ThumbHash.
        public var placeholder: [UInt8]
    }

    /// Makes one picture.
    /// - Parameters:
    ///   - previews: PNG files; 1 or more, all of them shown.
    ///   - box: the longest side of the result, in pixels.
    ///   - finish: what to make of them.
    ///   - labels: what is written below each on a numbered sheet: digits, `:`, `.` and `-`.
    ///   - memory: where the result is written to.
    /// - Throws: `corrupt` for a preview that is no PNG, `limitExceeded`, `invalidArgument`.
    public func finish(
        _ previews: [UnsafeRawBufferPointer], box: Int, _ finish: Finish, labels: [String],
        into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Result {
        switch finish.arrangement {
        case .single:
            guard let preview = previews.first else { throw Self.nothing }
            return try written(try picture(preview, box, box, finish), finish, into: memory)
        case .sheet(let columns, let rows, let isNumbered):
            let count = previews.count
            guard 1...columns * rows ~= count else { throw Self.nothing }
            let sheet = Sheet(
                columns: min(columns, count), rows: (count + columns - 1) / columns,
                colour: finish.background ?? Sheet.paper)
            guard
                let geometry = SheetGeometry(box: box, columns: columns, rows: rows, isNumbered: isNumbered)
            else { throw PluginError(.invalidArgument, "a sheet of \(box) pixels has no room for \(count) pictures") }
            let side = min(geometry.tileWidth, geometry.tileHeight)
            var tiles: [Pixels] = []
            for preview in previews {
                let isCut = finish.fit != .contain
                tiles.append(
                    try picture(
                        preview, isCut ? side : geometry.tileWidth, isCut ? side : geometry.tileHeight, finish,
                        isFlat: false))
            }
            return try written(try sheet.drawn(tiles, geometry, isNumbered ? labels : []), finish, into: memory)
        case .mosaic:
            guard 2...4 ~= previews.count, box >= Mosaic.smallestBox else {
                guard previews.count == 1, let preview = previews.first else { throw Self.nothing }
                return try written(try picture(preview, box, box, finish), finish, into: memory)
            }
            var pictures: [Pixels] = []
            for preview in previews { pictures.append(try Pixels(png: preview, most: Self.mostPixels)) }
            return try written(flat(try Mosaic.drawn(pictures, box: box), finish), finish, into: memory)
        case .loop:
            guard let first = previews.first else { throw Self.nothing }
            let shown = try picture(first, box, box, finish)
            let size = PixelSize(width: shown.width, height: shown.height)
            // One below the other: a tall picture of which the encoder gets the parts.
            let all = Frames(size, previews.count)
            guard let all else { throw PluginError(.limitExceeded, "no memory for \(previews.count) frames is left") }
            for (index, preview) in previews.enumerated() {
                all.set(index, index == 0 ? shown : try picture(preview, box, box, finish))
            }
            let length = try writer.encode(all.start, count: previews.count, size, finish, into: memory)
            return Result(size: size, length: length, placeholder: PictureEncoder.placeholder(of: shown.start, size))
        }
    }

    private static let nothing = PluginError(.invalidArgument, "there are more or fewer previews than are shown")

    /// One preview at its size, cut if wanted.
    private func picture(
        _ preview: UnsafeRawBufferPointer, _ width: Int, _ height: Int, _ finish: Finish, isFlat: Bool = true
    ) throws(PluginError) -> Pixels {
        let whole = try Pixels(png: preview, most: Self.mostPixels)
        let result: Pixels
        switch finish.fit {
        case .contain:
            let scale = min(1, Double(width) / Double(whole.width), Double(height) / Double(whole.height))
            result = try whole.scaled(
                to: PixelSize(
                    width: max(1, min(width, Int((Double(whole.width) * scale).rounded()))),
                    height: max(1, min(height, Int((Double(whole.height) * scale).rounded())))))
        case .cover(let anchor):
            let side = min(width, whole.width, whole.height)
            let scale = Double(side) / Double(min(whole.width, whole.height))
            let covering = try whole.scaled(
                to: PixelSize(
                    width: max(side, Int((Double(whole.width) * scale).rounded())),
                    height: max(side, Int((Double(whole.height) * scale).rounded()))))
            result = try Crop(anchor).square(of: covering, side: side)
        }
        return isFlat ? flat(result, finish) : result
    }

    /// The same pixels, with a colour under those that show what is behind them.
    private func flat(_ pixels: Pixels, _ finish: Finish) -> Pixels {
        guard let colour = finish.background ?? (finish.format.hasAlpha ? nil : .white) else { return pixels }
        cpicture_flatten(pixels.start, pixels.count, colour.red, colour.green, colour.blue)
        return pixels
    }

    private func written(
        _ pixels: Pixels, _ finish: Finish, into memory: UnsafeMutableRawBufferPointer
    ) throws(PluginError) -> Result {
        let size = PixelSize(width: pixels.width, height: pixels.height)
        let length =
            finish.format == .png
            ? try PictureEncoder.encode(pixels.start, size, into: memory)
            : try writer.encode(pixels.start, count: 1, size, finish, into: memory)
        return Result(size: size, length: length, placeholder: PictureEncoder.placeholder(of: pixels.start, size))
    }
}
