internal import ArchiveReading
internal import MIME
internal import TextDrawing
public import VitrineKit

/// Draws what geographic files hold, on paper and with north up: the tracks, routes and waypoints of GPX and TCX, the lines,
/// surfaces and places of KML, KMZ and GeoJSON. Below it, the elevations along the way.
///
/// GPX, TCX and KML are read piece by piece; GeoJSON is looked at as a whole, and KMZ is unpacked first. What is kept of any
/// is bounded. What they only name, such as other documents or pictures of the ground, is not looked for.
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
    /// - Throws: `empty` for no bytes or no coordinates, `corrupt`, `encrypted`, `unsupported` for coordinates that are not
    ///   in degrees, `limitExceeded`, or what the input throws.
    public func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        guard input.size > 0 else { throw PluginError(.empty, "the file is empty: it has no bytes") }
        try request.checkPage(of: 1, in: "the map")
        try request.refuseMoment(in: "a map")
        let features = FeatureGathering(wantsText: request.wantsText || request.wantsPageText)
        let emptiness = try gather(input, request.mimeType, features)
        guard !features.shapes.isEmpty else {
            if features.isStrange {
                throw PluginError(
                    .unsupported,
                    "the coordinates are no degrees of longitude and latitude, in this order: they may be metres, or in the "
                        + "other order; let a program for maps turn them into WGS 84"
                )
            }
            throw PluginError(.empty, emptiness)
        }
        let words = features.words
        var facts = Facts(duration: features.duration, title: words.title ?? words.onlyName)
        facts.set(.author, words.author)
        facts.set(.created, features.firstTime.flatMap { FactDate($0)?.text })
        if request.wantsText || request.wantsPageText { facts.text = Facts.bounded(words.text) }
        return Rendering(try MapSheet.draw(features, title: facts.title, box: request.box), facts: facts)
    }

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
            try FeatureDocument.read("GPX", GPXListener(features), input)
            return "the GPX document has no coordinates: neither tracks nor routes nor waypoints"
        }
    }
}
