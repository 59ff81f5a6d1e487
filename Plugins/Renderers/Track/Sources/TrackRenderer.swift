internal import ArchiveReading
internal import MIME
internal import TextDrawing
public import VitrineKit

/// Draws what geographic files hold, on paper and with north up: the tracks, routes and waypoints of GPX, TCX and FIT, the
/// lines, surfaces and places of KML, KMZ, GeoJSON and shapefiles. Below it, the elevations along the way.
///
/// Coordinates of KML, GeoJSON and shapefiles that cannot be degrees, such as metres of a national grid, are those of a plan:
/// it is drawn as it is, without a scale, since neither its projection nor its unit is known.
///
/// GPX, TCX and KML are read piece by piece; GeoJSON, FIT and shapefiles are looked at as a whole, and KMZ is unpacked first.
/// What is kept of any is bounded. What they only name, such as other documents or pictures of the ground, is not looked for.
public final class TrackRenderer: Renderer {
    private let contentLimit: Int64

    /// Loads fonts, and what libarchive loads late.
    public init(_ environment: RendererEnvironment) throws(PluginError) {
        try DrawingLibrary.warmUp()
        try ArchiveLibrary.warmUp()
        Charset.warmUp()
        contentLimit = environment.addressSpace / 2
    }

    /// Draws a file. It has one picture: other pages and moments are refused.
    /// - Throws: `empty` for no bytes or no coordinates, `corrupt`, `encrypted`, `unsupported` for coordinates that cannot be
    ///   anywhere and for music, `limitExceeded`, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        try input.checkNotEmpty("the file")
        try request.checkSinglePicture(in: "the map")
        let features = try features(of: input, request)
        let words = features.words
        var facts = Facts(duration: features.duration, title: words.title ?? words.onlyName)
        facts.set(.author, words.author)
        facts.set(.created, features.firstTime?.text)
        if request.wantsText { facts.text = Facts.bounded(words.text) }
        let title = facts.title
        var rendering = Rendering(try MapSheet.draw(features, title: title, box: request.box), facts: facts)
        // Lines have a width that is seen at each size, and what can only be read on large sheets is not on small ones.
        rendering.drawSmaller = { (box) throws(PluginError) in try MapSheet.draw(features, title: title, box: box) }
        return rendering
    }

    /// Reads a file, and once more when its numbers turn out to mean something else.
    /// - Throws: as ``render(_:_:)``, also for a file without coordinates.
    private func features(
        of input: any RandomAccessInput, _ request: RenderRequest
    ) throws(PluginError) -> FeatureGathering {
        let wantsText = request.wantsText
        var features = FeatureGathering(wantsText: wantsText)
        let emptiness = try gather(input, request.mimeType, features)
        let likely = features.tally.likely
        // GPX, TCX and FIT call the numbers by their names.
        if likely != .degrees, !Self.named.contains(request.mimeType) {
            features = FeatureGathering(wantsText: wantsText, coordinates: likely)
            _ = try gather(input, request.mimeType, features)
        }
        features.finish()
        guard features.shapes.isEmpty else { return features }
        if features.tally.isEmpty { throw PluginError(.empty, emptiness) }
        throw PluginError(
            .unsupported, "the coordinates are no places on Earth: their latitudes are not from -90 to 90 degrees")
    }

    /// Whether a file begins as those of Guitar Pro 6, packed or not.
    private static func isMusic(_ head: [UInt8]) -> Bool {
        head.elementsEqual("BCFZ".utf8) || head.elementsEqual("BCFS".utf8)
    }

    private static let named: Set = [
        "application/gpx+xml", "application/vnd.garmin.tcx+xml", "application/vnd.ant.fit",
    ]

    /// Reads a file.
    /// - Returns: the sentence for one without coordinates.
    private func gather(
        _ input: any RandomAccessInput, _ type: String, _ features: FeatureGathering
    ) throws(PluginError) -> String {
        switch type {
        case "application/geo+json":
            try input.withContents(limit: contentLimit) { (bytes) throws(PluginError) in
                try GeoJSONReader.read(bytes, features)
            }
            return "the GeoJSON document has no coordinates: none of its features has a geometry"
        case "application/vnd.ant.fit":
            return try input.withContents(limit: contentLimit) { (bytes) throws(PluginError) in
                try FITReader.read(bytes, features)
            }
        case "application/vnd.shp":
            try input.withContents(limit: contentLimit) { (bytes) throws(PluginError) in
                try ShapefileReader.read(bytes, features)
            }
            return "the shapefile has no coordinates: none of its records has a shape"
        case "application/vnd.garmin.tcx+xml":
            try FeatureDocument.read("TCX", TCXListener(features), input)
            return "the TCX document has no coordinates: it was recorded without a position, as indoors"
        case "application/vnd.google-earth.kml+xml":
            let listener = KMLListener(features)
            try FeatureDocument.read("KML", listener, input)
            return listener.emptiness
        case "application/vnd.google-earth.kmz":
            let listener = KMLListener(features)
            try FeatureDocument.read("KML", listener, try KMZFile.document(input))
            return listener.emptiness
        default:
            guard !Self.isMusic(try input.head(4)) else {
                throw PluginError(
                    .unsupported, "the file is music of Guitar Pro, and no track: both have names that end in '.gpx'")
            }
            try FeatureDocument.read("GPX", GPXListener(features), input)
            return "the GPX document has no coordinates: neither tracks nor routes nor waypoints"
        }
    }
}
