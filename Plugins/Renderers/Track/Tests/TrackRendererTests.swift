import Testing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

@Suite(.serialized) struct TrackRendererTests {
    @Test("It keeps the renderer's contract", arguments: Samples.types.keys.sorted())
    func conformance(name: String) throws {
        let type = try #require(Samples.types[name])
        let sample = RendererSample(name, mimeType: type, bytes: try Samples.bytes(name))
        let suite = RendererConformance(samples: [sample], enlarges: true) { environment throws(PluginError) in
            try TrackRenderer(environment)
        }
        #expect(suite.violations() == [])
    }

    @Test("What a file says of itself is told, and its words when they are asked for")
    func facts() throws {
        let walk = try Samples.draw(Samples.bytes("walk.gpx"), "application/gpx+xml", wantsText: true).facts
        #expect(walk.title == "Around the lake" && walk.duration == 59 * 40)
        #expect(walk.text(.created) == "2024-05-03T08:00:00Z" && walk.text(.author) == "Alice")
        #expect(walk.text == "Around the lake\nAlice\nBoathouse\nMorning walk\nSwans on the northern shore")
        let run = try Samples.draw(
            Samples.bytes("walk.tcx"), "application/vnd.garmin.tcx+xml", wantsText: true
        ).facts
        #expect(run.duration == 59 * 40 && run.text(.created) == "2024-05-03T08:00:00Z" && run.title == nil)
        #expect(run.text == "Running\nWet paths")
        for (name, kind) in [("lake.kml", "vnd.google-earth.kml+xml"), ("lake.kmz", "vnd.google-earth.kmz")] {
            let lake = try Samples.draw(Samples.bytes(name), "application/" + kind, wantsText: true).facts
            #expect(lake.title == "The lake" && lake.duration == nil && lake.text(.created) == nil)
            #expect(lake.text == "The lake\nPath\nOpen all year\nWater\nBoathouse")
        }
        let map = try Samples.draw(Samples.bytes("lake.geojson"), "application/geo+json", wantsText: true).facts
        #expect(map.title == "The lake" && map.text == "The lake\nPath\nWater\nBoathouse")
        #expect(try Samples.draw(Samples.bytes("walk.gpx"), "application/gpx+xml").facts.text == nil)
    }

    @Test("A file without a title is called as the one track in it, and by none of several")
    func names() throws {
        func title(_ tracks: String) throws -> String? {
            let text = "<gpx><wpt lat=\"1\" lon=\"1\"><name>Spring</name></wpt>\(tracks)</gpx>"
            return try Samples.draw(text, "application/gpx+xml").facts.title
        }
        #expect(try title("") == "Spring")
        #expect(try title("<trk><name>Monday</name></trk>") == "Monday")
        #expect(try title("<trk><name>Monday</name></trk><trk><name>Tuesday</name></trk>") == nil)
    }

    @Test("Lines, surfaces and places have the colours that the file gives them", arguments: ["kml", "kmz", "geojson"])
    func colors(ending: String) throws {
        let name = "lake.\(ending)"
        let drawn = try Samples.draw(Samples.bytes(name), try #require(Samples.types[name]), box: 256).bitmap
        // The path is red, the water a light blue, the place as every one.
        #expect(Samples.share(of: (0xD0, 0x30, 0x20), in: drawn) > 0.015)
        #expect(Samples.share(of: (179, 204, 222), in: drawn) > 0.05)
        #expect(Samples.share(of: (242, 241, 236), in: drawn) > 0.5)
    }

    @Test("A track is blue, begins green and ends black; its elevations lie below it where there is room")
    func track() throws {
        let bytes = try Samples.bytes("walk.gpx")
        for box in [128, 256, 1024] {
            let drawn = try Samples.draw(bytes, "application/gpx+xml", box: box).bitmap
            #expect(drawn.width == box && drawn.height == box)
            #expect(Samples.share(of: (28, 92, 209), in: drawn) > 0.008, "\(box)")
            #expect(Samples.share(of: (28, 158, 74), in: drawn) > 0.0005, "\(box)")
            #expect(Samples.share(of: (33, 38, 48), in: drawn) > 0.0005, "\(box)")
            let profile = Samples.share(of: (207, 209, 213), in: drawn)
            #expect(box < 256 ? profile < 0.01 : profile > 0.04, "\(box): \(profile)")
        }
    }

    @Test("Members of GeoJSON may stand in any order, and features in one another")
    func order() throws {
        let backwards = """
            {"features": [{"geometry": {"coordinates": [[1, 2], [3, 4, 5]], "type": "LineString"}, "type": "Feature",
            "properties": {"stroke": "#0f0", "a\\"b": "c\\u00e9\\"}"}}], "other": [{"type": "Point"}, null, 1e5, true],
            "type": "FeatureCollection"}
            """
        let features = try Samples.gather(backwards)
        #expect(features.shapes.map(\.kind) == [.line] && features.shapes.first?.positions.count == 2)
        #expect(features.styles[features.shapes[0].style].line == FeatureColor(rgb: 0x00FF00))
        #expect(features.words.text == "cé\"}")
        let nested = """
            {"type": "GeometryCollection", "geometries": [{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]},
            {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]]]}]}
            """
        #expect(try Samples.gather(nested).shapes.map(\.kind) == [.point, .point, .ring, .hole])
        #expect(try Samples.gather("{\"type\":\"Point\",\"coordinates\":[1,2]}\n\u{1E}\(nested)\n").shapes.count == 5)
    }

    @Test("KML's tracks have times, and styles may be said after those who use them")
    func keyhole() throws {
        let features = FeatureGathering(wantsText: false)
        let text = """
            <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark><styleUrl>#late</styleUrl><gx:Track>
            <when>2024-01-01T10:00:00+01:00</when><when>2024-01-01T09:30:00.5Z</when><gx:coord>8 47 400</gx:coord>
            <gx:coord>8.01 47.01 450</gx:coord></gx:Track></Placemark><Placemark><LineString><coordinates>
            1,2 , 3 4, 5,6</coordinates></LineString></Placemark>
            <Style id="late"><LineStyle><color>ff0000ff</color></LineStyle></Style></Document></kml>
            """
        try FeatureDocument.read("KML", KMLListener(features), Array(text.utf8))
        #expect(features.shapes.map(\.kind) == [.track, .line] && features.duration == 1800.5)
        #expect(features.styles[features.shapes[0].style].line == FeatureColor(rgb: 0xFF0000))
        #expect(features.shapes[1].style == 0 && features.shapes[1].positions.map(\.east) == [1, 4])
    }

    @Test("Styles of KML count in a map of styles, and where Google Earth on the web puts them")
    func cascadingStyles() throws {
        let color = "<LineStyle><color>ff0000ff</color></LineStyle>"
        let styles = [
            "<gx:CascadingStyle kml:id=\"a\"><Style>\(color)</Style></gx:CascadingStyle>",
            "<StyleMap id=\"a\"><Pair><key>normal</key><Style>\(color)</Style></Pair></StyleMap>",
        ]
        for style in styles {
            let features = FeatureGathering(wantsText: false)
            let text = """
                <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:kml="http://www.opengis.net/kml/2.2"
                xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\(style)<Placemark><styleUrl>#a</styleUrl>
                <LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark></Document></kml>
                """
            try FeatureDocument.read("KML", KMLListener(features), Array(text.utf8))
            #expect(features.styles[features.shapes[0].style].line == FeatureColor(rgb: 0xFF0000))
        }
    }

    @Test("A route has the colour that is said behind its beginning")
    func routeColor() throws {
        let features = FeatureGathering(wantsText: false)
        let text = """
            <gpx><rte><extensions><color>00ff00</color></extensions><rtept lat="1" lon="1"/><rtept lat="2" lon="1"/></rte></gpx>
            """
        try FeatureDocument.read("GPX", GPXListener(features), Array(text.utf8))
        #expect(features.styles[features.shapes[0].style].line == FeatureColor(rgb: 0x00FF00))
    }

    @Test("The way of a planned route is that between its points, too")
    func shapingPoints() throws {
        let features = FeatureGathering(wantsText: false)
        let text = """
            <gpx xmlns:g="http://www.garmin.com/xmlschemas/GpxExtensions/v3"><rte><rtept lat="1" lon="1"><extensions>
            <g:rpt lat="2" lon="1"/><g:rpt lat="3" lon="1"/></extensions></rtept><rtept lat="4" lon="1"/></rte></gpx>
            """
        try FeatureDocument.read("GPX", GPXListener(features), Array(text.utf8))
        #expect(features.shapes.map { $0.positions.map(\.north) } == [[1, 2, 3, 4]])
    }
}
