import RendererFixtures
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

/// Documents for the tests, and how they are drawn.
enum Samples {
    static let types = [
        "walk.gpx": "application/gpx+xml", "walk.tcx": "application/vnd.garmin.tcx+xml",
        "lake.kml": "application/vnd.google-earth.kml+xml", "lake.kmz": "application/vnd.google-earth.kmz",
        "lake.geojson": "application/geo+json", "walk.fit": "application/vnd.ant.fit",
        "lake.shp": "application/vnd.shp",
    ]

    static func bytes(_ name: String) throws -> [UInt8] { try Fixtures.bytes("track/\(name)") }

    static func draw(_ bytes: [UInt8], _ type: String, box: Int = 128, wantsText: Bool = false) throws -> Rendering {
        let renderer = try TrackRenderer(RendererEnvironment(pluginFolder: "/"))
        var request = RenderRequest(box: box, mimeType: type)
        request.wantsText = wantsText
        return try renderer.render(BytesInput(bytes), request)
    }

    static func draw(_ text: String, _ type: String, box: Int = 128) throws -> Rendering {
        try draw(Array(text.utf8), type, box: box)
    }

    /// A GPX document with these points, as longitude and latitude, in one track.
    static func gpx(_ points: some Sequence<(Double, Double)>) -> String {
        var text = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
        for (longitude, latitude) in points { text += "<trkpt lon=\"\(longitude)\" lat=\"\(latitude)\"/>" }
        return text + "</trkseg></trk></gpx>"
    }

    /// Features with these geometries.
    static func collection(_ geometries: String...) -> String {
        let features = geometries.map { "{\"type\":\"Feature\",\"properties\":{},\"geometry\":\($0)}" }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    }

    static func gather(_ geojson: String) throws -> FeatureGathering {
        let features = FeatureGathering(wantsText: true)
        try Array(geojson.utf8).withUnsafeBytes { bytes in
            try Result { () throws(PluginError) in try GeoJSONReader.read(bytes, features) }.get()
        }
        return features
    }

    /// How much of a picture has about this colour.
    static func share(of color: (red: Int, green: Int, blue: Int), in bitmap: Bitmap) -> Double {
        let picture = RGBAPicture(bitmap)
        let pixels = stride(from: 0, to: picture.pixels.count, by: 4)
        let near = pixels.count { at in
            abs(Int(picture.pixels[at]) - color.red) < 14 && abs(Int(picture.pixels[at + 1]) - color.green) < 14
                && abs(Int(picture.pixels[at + 2]) - color.blue) < 14
        }
        return Double(near) / Double(picture.width * picture.height)
    }
}
