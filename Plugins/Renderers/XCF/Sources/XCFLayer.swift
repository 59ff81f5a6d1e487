internal import VitrineKit

/// What a file says of one layer.
struct XCFLayer {
    /// Where its pixels are; `nil` when it has none.
    private(set) var pixels: TileMap?
    /// Where its mask is, which is as large as the layer; `nil` when it has none or it is switched off.
    private(set) var mask: TileMap?
    let size: PixelSize
    let hasAlpha: Bool
    /// Of the upper left corner, from that of the picture; may lie outside of it.
    private(set) var offset = (x: 0, y: 0)
    /// 0 to 1.
    private(set) var opacity: Float = 1
    private(set) var isVisible = true
    private(set) var blending = Blending(mode: 0)
    private(set) var isGroup = false
    /// In how many groups it is.
    private(set) var depth = 0

    /// Groups within groups; GIMP's users make a handful.
    static let mostDepth = 32

    init(_ start: XCFReader) throws(PluginError) {
        var reader = start
        size = try Self.size(&reader)
        // Types come in pairs: without and with alpha.
        hasAlpha = try reader.number() % 2 == 1
        _ = try reader.text()
        var appliesMask = true
        while let (property, content) = try XCFProperty.next(&reader) {
            var content = content
            switch property {
            case .opacity: opacity = Float(min(255, try content.number())) / 255
            case .exactOpacity: opacity = Self.unit(Float(bitPattern: try content.number()))
            case .visible: isVisible = try content.number() != 0
            case .mode: blending.mode = try content.number()
            // Negative where GIMP chose it itself.
            case .blendSpace: blending.blendsLinear = abs(try content.signed()) == 1
            case .reach: blending.ownReach = Blending.Reach(rawValue: abs(try content.signed()))
            case .compositeSpace: blending.compositesLinear = abs(try content.signed()) == 1
            case .offsets: offset = (try content.signed(), try content.signed())
            case .appliesMask: appliesMask = try content.number() != 0
            case .group: isGroup = true
            case .path: depth = max(0, content.remaining() / 4 - 1)
            default: break
            }
        }
        guard depth <= Self.mostDepth else {
            throw PluginError(.limitExceeded, "layers of the GIMP picture lie in more than \(Self.mostDepth) groups")
        }
        pixels = try TileMap(try reader.place(), reader, size)
        guard appliesMask, let place = try reader.place() else { return }
        var channel = XCFReader(reader, at: place)
        let maskSize = try Self.size(&channel)
        _ = try channel.text()
        while try XCFProperty.next(&channel) != nil {}
        guard maskSize == size else { throw XCFPicture.damaged }
        mask = try TileMap(try channel.place(), channel, size)
    }

    /// As large as may be: only what lies in the picture is read.
    private static func size(_ reader: inout XCFReader) throws(PluginError) -> PixelSize {
        let (width, height) = (Int(try reader.number()), Int(try reader.number()))
        let sides = 1...XCFPicture.longestSide
        guard sides ~= width, sides ~= height else { throw XCFPicture.damaged }
        return PixelSize(width: width, height: height)
    }

    private static func unit(_ value: Float) -> Float { value.isFinite ? min(1, max(0, value)) : 1 }
}

/// Where the tiles of a layer or a mask lie in the file, row by row.
struct TileMap {
    /// The sides of a tile in pixels, but for those at the right and lower ends.
    static let side = 64

    /// Bytes of a pixel.
    let bytesPerPixel: Int
    let columns: Int
    /// Whether nothing was ever painted: the list of tiles ends where it begins.
    let isEmpty: Bool
    private let list: XCFReader

    /// The most bytes of a pixel: four numbers of eight bytes.
    private static let mostBytes: ClosedRange<UInt32> = 1...32

    /// Reads a "hierarchy", whose first level is the whole layer, and whose others GIMP leaves empty.
    init?(_ place: Int?, _ file: XCFReader, _ size: PixelSize) throws(PluginError) {
        guard let place else { return nil }
        var reader = XCFReader(file, at: place)
        let (width, height, bytes) = (try reader.number(), try reader.number(), try reader.number())
        guard Int(width) == size.width, Int(height) == size.height, Self.mostBytes ~= bytes else {
            throw XCFPicture.damaged
        }
        guard let level = try reader.place() else { return nil }
        reader = XCFReader(file, at: level)
        // Its size once more.
        _ = try reader.take(8)
        bytesPerPixel = Int(bytes)
        columns = (size.width + Self.side - 1) / Self.side
        list = reader
        // A list that the end of the file cuts off is none that is empty.
        var isEmpty = false
        do throws(PluginError) { isEmpty = try reader.place() == nil } catch {}
        self.isEmpty = isEmpty
    }

    /// Where a tile begins; `nil` when the file does not hold it.
    func place(column: Int, row: Int) -> Int? {
        let step = list.hasWidePlaces ? 8 : 4
        var reader = XCFReader(list, at: list.at + (row * columns + column) * step)
        do throws(PluginError) { return try reader.place() } catch { return nil }
    }
}
