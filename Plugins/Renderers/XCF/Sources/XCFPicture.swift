internal import VitrineKit

/// What an XCF file says of its picture, as GIMP's devel-docs/xcf.txt describes it; pixels are not read yet.
struct XCFPicture {
    /// What the numbers of a pixel mean.
    enum Colours: UInt32 {
        case rgb = 0, grey, indexed
    }

    /// How a tile of 64 × 64 pixels is packed.
    enum Packing: UInt8 {
        /// Pixel by pixel, as it is.
        case none = 0
        /// Byte by byte of all pixels, runs shortened.
        case runs
        /// As `none`, by zlib.
        case zlib
    }

    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    let colours: Colours
    let samples: SampleFormat
    private(set) var packing = Packing.none
    /// Red, green and blue of each index.
    private(set) var palette: [UInt8] = []
    /// ICC profile of the colours; empty when there is none.
    private(set) var profile: [UInt8] = []
    /// From the uppermost down, a group before what is in it. Those that cannot be read are left out.
    private(set) var layers: [XCFLayer] = []

    /// More layers than anybody makes by hand; animations have some thousand.
    private static let mostLayers = 20_000
    /// The longest side that GIMP allows.
    static let longestSide = 524_288

    /// - Throws: `corrupt`, `unsupported`, or `limitExceeded` beyond `maximumPixels`.
    init(_ bytes: UnsafeRawBufferPointer, maximumPixels: Int) throws(PluginError) {
        self.bytes = bytes
        var head = XCFReader(bytes, at: 0, hasWidePlaces: false)
        let magic = Array(try head.take(14))
        guard magic.starts(with: "gimp xcf ".utf8), magic[13] == 0, let version = Self.version(magic[9..<13]) else {
            throw PluginError(.corrupt, "the file is no GIMP picture, or its first bytes are damaged")
        }
        var reader = XCFReader(bytes, at: head.at, hasWidePlaces: version >= 11)
        let (width, height) = (Int(try reader.number()), Int(try reader.number()))
        guard 1...Self.longestSide ~= width, 1...Self.longestSide ~= height else { throw Self.damaged }
        guard width * height <= maximumPixels else {
            throw PluginError(
                .limitExceeded, "the picture has \(width) × \(height) pixels; at most \(maximumPixels) are drawn")
        }
        size = PixelSize(width: width, height: height)
        guard let colours = Colours(rawValue: try reader.number()) else { throw Self.damaged }
        self.colours = colours
        let precision = version >= 4 ? try reader.number() : nil
        guard let samples = SampleFormat(precision: precision, version: version) else {
            throw PluginError(
                .unsupported, "the GIMP picture has numbers of a kind (\(precision ?? 0)) that is not known")
        }
        self.samples = samples
        try takeProperties(&reader, version)
        try takeLayers(&reader)
    }

    /// "file" is version 0, "v011" is 11.
    private static func version(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("file".utf8) { return 0 }
        guard text.first == UInt8(ascii: "v") else { return nil }
        return Int(String(decoding: text.dropFirst(), as: UTF8.self))
    }

    private mutating func takeProperties(_ reader: inout XCFReader, _ version: Int) throws(PluginError) {
        while let (property, content) = try XCFProperty.next(&reader, paletteDepth: version == 0 ? 1 : 3) {
            var content = content
            switch property {
            case .palette:
                let count = Int(try content.number())
                guard count <= 256 else { throw Self.damaged }
                // Files of version 0 hold a palette that is none; GIMP shows greys.
                palette =
                    version == 0
                    ? (0..<count).flatMap { [UInt8](repeating: UInt8($0), count: 3) }
                    : Array(try content.take(3 * count))
            case .packing:
                guard let packing = Packing(rawValue: try content.byte()) else {
                    throw PluginError(.unsupported, "the GIMP picture is packed in a way that is not known")
                }
                self.packing = packing
            case .parasites: takeProfile(content)
            default: break
            }
        }
    }

    /// Named pieces of data; damaged ones are left aside.
    private mutating func takeProfile(_ parasites: XCFReader) {
        var reader = parasites
        do throws(PluginError) {
            while true {
                let name = try reader.text()
                _ = try reader.number()
                let content = try reader.take(Int(try reader.number()))
                if name.elementsEqual("icc-profile".utf8) { profile = Array(content) }
            }
        } catch {}
    }

    private mutating func takeLayers(_ reader: inout XCFReader) throws(PluginError) {
        var failure: PluginError?
        var count = 0
        while true {
            // A list that the end of the file cuts off has no more to tell.
            let place: Int?
            do throws(PluginError) { place = try reader.place() } catch { failure = error; break }
            guard let place else { break }
            count += 1
            guard count <= Self.mostLayers else {
                throw PluginError(
                    .limitExceeded, "the GIMP picture has more than \(Self.mostLayers) layers, which are not drawn")
            }
            do throws(PluginError) {
                layers.append(try XCFLayer(XCFReader(bytes, at: place, hasWidePlaces: reader.hasWidePlaces)))
            } catch {
                if error.code == .limitExceeded { throw error }
                failure = error
            }
        }
        if layers.isEmpty { throw failure ?? PluginError(.empty, "the GIMP picture has no layers") }
    }

    static let damaged = PluginError(.corrupt, "the GIMP picture is damaged")
}

/// The properties that matter here, by their numbers in the file.
enum XCFProperty: UInt32 {
    case end = 0, palette = 1, opacity = 6, mode = 7, visible = 8, appliesMask = 11, offsets = 15, packing = 17
    case parasites = 21, group = 29, path = 30, exactOpacity = 33, reach = 35, compositeSpace = 36, blendSpace = 37

    /// The next property of a picture or a layer that is known here, with a reader of its content alone.
    /// - Parameter paletteDepth: how many bytes a palette has for each colour.
    /// - Returns: `nil` when there are no more.
    static func next(
        _ reader: inout XCFReader, paletteDepth: Int = 3
    ) throws(PluginError) -> (property: Self, content: XCFReader)? {
        while true {
            let (number, length) = (try reader.number(), Int(try reader.number()))
            // Old versions of GIMP wrote a wrong length of palettes.
            let property = Self(rawValue: number)
            if property == .end { return nil }
            if property == .palette {
                let content = reader
                _ = try reader.take(4 + paletteDepth * Int(try paletteCount(content)))
                return (.palette, content)
            }
            let content = XCFReader(try reader.take(length), at: 0, hasWidePlaces: reader.hasWidePlaces)
            if let property { return (property, content) }
        }
    }

    private static func paletteCount(_ content: XCFReader) throws(PluginError) -> UInt32 {
        var content = content
        return try content.number()
    }
}
