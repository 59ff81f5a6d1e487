import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

@Suite(.serialized) struct BadTrackTests {
    private static func failure(_ bytes: [UInt8], _ type: String) -> PluginError.Code? {
        RendererFixtures.failure { try Samples.draw(bytes, type) }
    }
    private static func failure(_ text: String, _ type: String) -> PluginError.Code? {
        failure(Array(text.utf8), type)
    }
    private static let (gpx, json) = ("application/gpx+xml", "application/geo+json")
    private static let (kml, kmz) = ("application/vnd.google-earth.kml+xml", "application/vnd.google-earth.kmz")

    @Test("Nothing is empty, and what is cut off, noise or something else is damaged", arguments: Samples.types.keys)
    func damaged(name: String) throws {
        let type = try #require(Samples.types[name])
        let bytes = try Samples.bytes(name)
        #expect(Self.failure([], type) == .empty)
        for part in [0.3, 0.5, 0.67, 0.75, 0.89] {
            let found = Self.failure(Array(bytes.prefix(Int(Double(bytes.count) * part))), type)
            switch name {
            // What is said before it is cut off is drawn, if it is a line.
            case "walk.gpx", "walk.tcx", "walk.fit": #expect(found == nil, "\(part)")
            case "lake.kml": #expect(found == (part < 0.6 ? .corrupt : nil), "\(part)")
            default: #expect(found == .corrupt, "\(part)")
            }
        }
        #expect(Self.failure((0..<2048).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 &+ 7) }, type) == .corrupt)
        #expect(Self.failure(try Fixtures.bytes("image/rgb-8.png"), type) == .corrupt)
        #expect(Self.failure("<html><body>not found</body></html>", type) == .corrupt)
    }

    @Test("Music of Guitar Pro, whose names end as those of tracks do, is not called a damaged track")
    func music() {
        for mark in ["BCFZ", "BCFS"] {
            let error = #expect(throws: PluginError.self) {
                try Samples.draw(Array(mark.utf8) + [4, 0x10, 1, 0, 0x68, 0x48], Self.gpx)
            }
            #expect(error?.code == .unsupported && error?.message.contains("Guitar Pro") == true)
        }
        #expect(Self.failure("BCF", Self.gpx) == .corrupt)
    }

    @Test("A recording that was cut off, forgot to declare a prefix or has an encoding of Windows is drawn")
    func tolerated() throws {
        let points = (0..<50).map { "<trkpt lat=\"47.\($0 + 10)\" lon=\"8.\($0 + 10)\"><x:hr>90</x:hr></trkpt>" }
            .joined()
        let whole = "<gpx><trk><name>Gr\u{FC}n</name><trkseg>\(points)</trkseg></trk></gpx>"
        #expect(Self.failure(Array(whole.utf8), Self.gpx) == nil)
        #expect(Self.failure(Array(whole.utf8.dropLast(500)), Self.gpx) == nil)
        #expect(Self.failure(Array(whole.utf8.prefix(60)), Self.gpx) == .corrupt)
        let latin = "<?xml version=\"1.0\" encoding=\"windows-1252\"?>\(whole)".unicodeScalars.map { UInt8($0.value) }
        #expect(try Samples.draw(latin, Self.gpx).facts.title == "Gr\u{FC}n")
    }

    @Test("A file without coordinates says what it lacks")
    func nothing() throws {
        func reason(_ text: String, _ type: String) -> PluginError? {
            #expect(throws: PluginError.self) { try Samples.draw(text, type) }
        }
        let cases = [
            ("<gpx><metadata/></gpx>", Self.gpx, "neither tracks nor routes"),
            ("<TrainingCenterDatabase/>", "application/vnd.garmin.tcx+xml", "as indoors"),
            ("<kml><Document/></kml>", Self.kml, "none of its placemarks"),
            ("<kml><NetworkLink/></kml>", Self.kml, "names others"),
            ("<kml><GroundOverlay/></kml>", Self.kml, "pictures"),
            ("{\"type\":\"FeatureCollection\",\"features\":[]}", Self.json, "none of its features"),
            (Samples.collection("null"), Self.json, "none of its features"),
        ]
        for (text, type, words) in cases {
            let error = reason(text, type)
            #expect(error?.code == .empty && error?.message.contains(words) == true, "\(text): \(error?.message ?? "")")
        }
        #expect(reason("{\"type\":\"Topology\",\"arcs\":[]}", Self.json)?.code == .unsupported)
        #expect(reason("{\"a\":[1,2,3]}", Self.json)?.code == .unsupported)
        #expect(Self.failure(zipFile([("a.txt", [65])]), Self.kmz) == .corrupt)
    }

    @Test("Numbers that make no sense are left out, and what is good is drawn")
    func numbers() throws {
        let words = [
            "1e400", "-1e400", "nan", "99999999999999999999999999", "1e-400", "", "--1", "0x10", "91", "1e9999999999",
        ]
        let points = words.flatMap { word in words.map { "<trkpt lat=\"\(word)\" lon=\"\($0)\"/>" } }.joined()
        let text =
            "<gpx><trk><trkseg>\(points)<trkpt lat=\"47\" lon=\"8\"><ele>1e400</ele></trkpt></trkseg></trk></gpx>"
        let features = FeatureGathering(wantsText: false)
        try FeatureDocument.read("GPX", GPXListener(features), Array(text.utf8))
        #expect(features.shapes.map(\.positions) == [[Position(east: 91, north: 0), Position(east: 8, north: 47)]])
        #expect(features.profile.heights.isEmpty)
        #expect(try Samples.draw(text, Self.gpx, box: 256).bitmap.width == 256)
        let json = Samples.collection(
            "{\"type\":\"LineString\",\"coordinates\":[[1e400,2],[\"a\",3],[],[4],[5,6,1e400],[7,8,9,10,[11]],{},null]}"
        )
        #expect(try Samples.gather(json).shapes.map { $0.positions.map(\.east) } == [[5, 7]])
    }

    @Test("A line of KML goes on behind what is no number")
    func oddNumbers() throws {
        let lines = [
            "8.1,47.1,NaN 8.2,47.2 8.3,47.3": [8.1, 8.2, 8.3], "8,47;9,48; 10,49": [8, 9, 10],
            "nan,nan 1,2 8,47, x 3,4 , 5,": [1, 8, 3], "8,47,": [8],
        ]
        for (line, longitudes) in lines {
            let features = FeatureGathering(wantsText: false)
            let text = "<kml><Placemark><LineString><coordinates>\(line)</coordinates></LineString></Placemark></kml>"
            try FeatureDocument.read("KML", KMLListener(features), Array(text.utf8))
            #expect(features.shapes.map { $0.positions.map(\.east) } == [longitudes], "\(line)")
        }
    }

    @Test("Times of a clock that is not set yet do not count")
    func unsetClock() {
        let features = FeatureGathering(wantsText: false)
        for time in ["1970-01-01T00:00:00Z", "2024-05-03T08:00:00Z", "2024-05-03T08:10:00Z"] {
            Array(time.utf8).withUnsafeBytes { features.add(time: $0) }
        }
        #expect(features.duration == 600 && features.firstTime?.text == "2024-05-03T08:00:00Z")
    }

    @Test(
        "JSON that is none is refused",
        arguments: [
            " ", "[", "[]", "{", "{\"type\"", "{\"type\":", "{\"type\":}", "{\"type\":\"Point\",}", "{]",
            "{\"type\":\"Point\",\"coordinates\":[1,2}", "{\"type\":\"Point\",\"coordinates\":[1 2]}", "{\"a\":\"\\\"}",
            "{\"type\":\"Point\",\"coordinates\":[1,2]}x", "{\"a\":[1,2]]}",
        ])
    func notJSON(text: String) {
        #expect(Self.failure(text, Self.json) == .corrupt)
        #expect(Self.failure("", Self.json) == .empty && Self.failure("{}", Self.json) == .unsupported)
    }

    @Test("Bombs are refused, or drawn in bounded time and memory")
    func bombs() throws {
        let deep = String(repeating: "[", count: 1 << 20)
        #expect(Self.failure("{\"a\":" + deep, Self.json) == .limitExceeded)
        #expect(Self.failure(String(repeating: "{\"geometry\":", count: 200_000), Self.json) == .limitExceeded)
        #expect(Self.failure("{\"type\":\"LineString\",\"coordinates\":" + deep, Self.json) == .limitExceeded)
        #expect(Self.failure("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>&a;</gpx>", Self.gpx) == .corrupt)
        #expect(Self.failure("<gpx>" + String(repeating: "<a>", count: 10_000), Self.gpx) == .corrupt)
        // A million points at one place, and half a million anywhere.
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        let same = Samples.collection(
            "{\"type\":\"MultiPoint\",\"coordinates\":[" + String(repeating: "[1,2],", count: 1_000_000) + "[1,2]]}")
        let anywhere = (0..<500_000).map { _ in "[\(random() * 10),\(random() * 10)]" }.joined(separator: ",")
        for text in [same, Samples.collection("{\"type\":\"Polygon\",\"coordinates\":[[\(anywhere)]]}")] {
            let features = try Samples.gather(text)
            #expect(features.shapes.reduce(0) { $0 + $1.positions.count } <= FeatureGathering.mostPositions)
            let time = try ProcessorTime.measure { _ = try Samples.draw(text, Self.json, box: 512) }
            #expect(time < .seconds(60), "\(time)")
        }
    }

    @Test("A KMZ file that unpacks to far more than it is, is refused")
    func packedBomb() throws {
        let text = Array("<kml>".utf8) + [UInt8](repeating: 0x20, count: 60_000)
        #expect(Self.failure(zipFile([("doc.kml", text)], isPacked: true), Self.kmz) == .corrupt)
        #expect(Self.failure(zipFile([("doc.kml", text)], claimedSize: 0x7FFF_FFFF), Self.kmz) == .corrupt)
    }
}
