import Foundation
import PluginHost
import TestSupport
import Testing

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
            ("<!-- <kml> --><?a b?>\n<!DOCTYPE gpx [<!-- ] > --><!ENTITY a \">\">]>\n<gpx>", gpx),
            ("<!DOCTYPE gpx [<?a don't?><!ELEMENT a EMPTY>]><gpx>", gpx), ("<!---->\n<!-- > -- -->\n<gpx>", gpx),
            ("<!DOCTYPE gpx [<?a don't?><!-- don't -->]><gpx>", gpx),
            ("<a:gpx xmlns:a=\"http://www.topografix.com/GPX/1/1\"/>", gpx), ("<kml\n>", kml),
            ("{\"crs\":{\"type\":\"name\",\"a\":[\"}\",[1,{}]]},\"b\":null,\"type\" : \"FeatureCollection\",", json),
            ("\u{FEFF} {\"a\":\"\\\\\\\"\",\"type\":\"FeatureCollection\"}", json),
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
            ("<?xml version=\"1.0\"?><note>see <gpx> and <kml></note>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><!-- <gpx> --><note/>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><!-- <gpx>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"<kml>\">]><a/>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><gpxdata/>", "a.xml", "application/xml"),
            ("<?xml version=\"1.0\"?><kml", "a.xml", "application/xml"),
            ("{\"a\":\"FeatureCollection\"}", "a.json", "application/json"),
            ("{\"a\":\"type\",\"b\":[\"FeatureCollection\"]}", "a.json", "application/json"),
            ("{\"a\":{\"type\":\"FeatureCollection\"}}", "a.json", "application/json"),
            ("{\"a\":\"\\\",\\\"type\\\":\",\"b\":\"FeatureCollection\"}", "a.json", "application/json"),
            ("{\"type\":\"FeatureCollections\"}", "a.json", "application/json"),
            ("[{\"type\":\"FeatureCollection\"}]", "a.json", "application/json"),
            ("FeatureCollection is a word\n", "a.txt", "text/plain"), ("see <gpx> and <kml>\n", "a.txt", "text/plain"),
            ("<?xml version=\"1.0\"?><a/>", "a.gpx", gpx), ("<?xml version=\"1.0\"?><a/>", "a.kml", kml),
        ])
    func others(text: String, name: String, expected: String) throws {
        #expect(try type(Array(text.utf8), name) == expected)
    }

    @Test("What stands so far behind the beginning that it is not seen is not guessed")
    func head() throws {
        let comment = "<!--" + String(repeating: "-", count: 4000) + ">"
        #expect(try type(Array((comment + "<gpx>").utf8), "") == Self.gpx)
        #expect(try type(Array((comment + comment + "<gpx>").utf8), "a.xml") != Self.gpx)
        let member = "{\"a\":\"" + String(repeating: "a", count: 4090)
        #expect(try type(Array((member + "\",\"type\":\"FeatureCollection\"}").utf8), "a.json") == "application/json")
        let whole = [("<gpx version=\"1.1\"/>", Self.gpx, 5), ("{\"type\": \"FeatureCollection\"}", Self.json, 28)]
        for (text, expected, enough) in whole {
            for count in 1...text.utf8.count {
                let found = try type(Array(text.utf8.prefix(count)), "a.bin")
                #expect((found == expected) == (count >= enough), "\(count) bytes of \(text)")
            }
        }
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
