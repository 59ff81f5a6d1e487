import Foundation
import PluginHost
import TestSupport
import Testing
import VitrineKit

/// Tracks and maps are told from other XML and JSON by their first words, whatever they are called.
@Suite struct MapTypeTests {
    private static let (gpx, kml) = ("application/gpx+xml", "application/vnd.google-earth.kml+xml")
    private static let (tcx, kmz) = ("application/vnd.garmin.tcx+xml", "application/vnd.google-earth.kmz")
    private static let json = "application/geo+json"

    private func type(_ head: [UInt8], _ name: String) throws -> String {
        let file = Products.checkout.appending(path: "Plugins/Renderers/Track/plugin.json")
        let magic = try PluginManifest(json: Array(Data(contentsOf: file)), file: file.path).magic
        return TypeSniffer(magic: magic).type(head: head, name: Array(name.utf8), size: Int64(head.count)).mimeType
    }

    @Test(
        "The content is believed, whatever the name",
        arguments: [
            ("<?xml version=\"1.0\"?>\n<!-- of a watch -->\n<gpx version=\"1.1\">", gpx), ("<gpx>", gpx),
            ("\u{FEFF}<?xml version=\"1.0\"?><gpx>", gpx), ("<?xml version=\"1.0\"?><TrainingCenterDatabase>", tcx),
            ("<?xml version=\"1.0\"?>\r\n<kml xmlns=\"http://earth.google.com/kml/2.0\">", kml),
            ("{\"type\":\"FeatureCollection\",\"features\":[]}", json),
            ("{\n  \"name\": \"a\",\n  \"type\": \"FeatureCollection\"", json),
        ])
    func content(text: String, expected: String) throws {
        for name in ["", "a.txt", "a.xml", "a.json", "a.gpx", "a.kml", "a.bin"] {
            #expect(try type(Array(text.utf8), name) == expected, "\(name)")
        }
    }

    @Test(
        "Other XML and JSON stays what it is, unless its name says more",
        arguments: [
            ("<?xml version=\"1.0\"?><note>of a track</note>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><svg/>", "a.svg", "image/svg+xml"),
            ("{\"type\":\"Feature\"}", "a.json", "application/json"),
            ("{\"a\":[\"Feature\",\"Collection\"]}", "a.json", "application/json"),
            ("{\"type\":\"Feature\"}", "a.geojson", json), ("{\"type\":\"Point\"}", "a.geo.json", json),
            ("FeatureCollection is a word\n", "a.txt", "text/plain"), ("see <gpx> and <kml>\n", "a.txt", "text/plain"),
            ("<?xml version=\"1.0\"?><a/>", "a.gpx", gpx), ("<?xml version=\"1.0\"?><a/>", "a.kml", kml),
        ])
    func others(text: String, name: String, expected: String) throws {
        #expect(try type(Array(text.utf8), name) == expected)
    }

    @Test func aZipFileThatBeginsWithItsDocumentIsAMap() throws {
        func zip(_ member: String) -> [UInt8] {
            [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 22) + [UInt8(member.utf8.count), 0, 0, 0]
                + Array(member.utf8) + [UInt8](repeating: 0, count: 40)
        }
        #expect(try type(zip("doc.kml"), "a.zip") == Self.kmz && type(zip("doc.kml"), "") == Self.kmz)
        #expect(try type(zip("a.kml"), "a.kmz") == Self.kmz)
        #expect(try type(zip("a.kml"), "a.zip") == "application/zip")
    }
}
