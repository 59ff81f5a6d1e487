import Testing
import TextDrawing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

/// Where on the sheet something is, and how it looks there.
@Suite struct DrawingTests {
    private static let (gpx, json) = ("application/gpx+xml", "application/geo+json")
    private static let (blue, purple) = ((28, 92, 209), (135, 56, 168))
    private static let (green, black, water) = ((28, 158, 74), (33, 38, 48), (182, 207, 199))

    /// A picture, asked for parts of its sides.
    private struct Sheet {
        private let picture: RGBAPicture

        init(_ text: String, _ type: String, box: Int = 256) throws {
            picture = RGBAPicture(try Samples.draw(text, type, box: box).bitmap)
        }

        /// The parts of the sides where there is a colour.
        func places(of color: (Int, Int, Int)) -> [(x: Double, y: Double)] {
            (0..<picture.width * picture.height).compactMap { index in
                guard isColor(color, at: index) else { return nil }
                return (
                    Double(index % picture.width) / Double(picture.width),
                    Double(index / picture.width) / Double(picture.height)
                )
            }
        }

        /// The mean of these.
        func middle(of color: (Int, Int, Int)) -> (x: Double, y: Double)? {
            let places = places(of: color)
            guard !places.isEmpty else { return nil }
            let count = Double(places.count)
            return (places.reduce(0) { $0 + $1.x } / count, places.reduce(0) { $0 + $1.y } / count)
        }

        func has(_ color: (Int, Int, Int), x: Double, y: Double) -> Bool {
            isColor(color, at: Int(y * Double(picture.height)) * picture.width + Int(x * Double(picture.width)))
        }

        private func isColor(_ color: (Int, Int, Int), at index: Int) -> Bool {
            let pixel = picture.pixels[index * 4..<index * 4 + 3].map(Int.init)
            return abs(pixel[0] - color.0) < 14 && abs(pixel[1] - color.1) < 14 && abs(pixel[2] - color.2) < 14
        }
    }

    private static func points(_ name: String, _ places: [(Double, Double)]) -> String {
        places.map { "<\(name) lon=\"\($0.0)\" lat=\"\($0.1)\"/>" }.joined()
    }
    private static func track(_ places: [(Double, Double)]) -> String {
        "<trk><trkseg>\(points("trkpt", places))</trkseg></trk>"
    }
    private static func route(_ places: [(Double, Double)]) -> String { "<rte>\(points("rtept", places))</rte>" }
    private static func polygon(_ rings: String) -> String {
        Samples.collection("{\"type\":\"Polygon\",\"coordinates\":[\(rings)]}")
    }

    @Test("A track begins where it begins, with north up", arguments: [128, 256])
    func ends(box: Int) throws {
        let there = try Sheet("<gpx>\(Self.track([(8, 47), (8.1, 47.05)]))</gpx>", Self.gpx, box: box)
        let (start, end) = (try #require(there.middle(of: Self.green)), try #require(there.middle(of: Self.black)))
        #expect(start.x < 0.2 && start.y > 0.6 && end.x > 0.8 && end.y < 0.4)
        let back = try Sheet("<gpx>\(Self.track([(8.1, 47.05), (8, 47)]))</gpx>", Self.gpx, box: box)
        #expect(try #require(back.middle(of: Self.green)).x > 0.8)
    }

    @Test("Where a track comes back to its start there is one mark for both")
    func roundTrip() throws {
        let sheet = try Sheet("<gpx>\(Self.track([(8, 47), (8.1, 47), (8.1, 47.1), (8, 47.001)]))</gpx>", Self.gpx)
        let (start, end) = (try #require(sheet.middle(of: Self.green)), try #require(sheet.middle(of: Self.black)))
        #expect(abs(start.x - end.x) < 0.01 && abs(start.y - end.y) < 0.01)
    }

    @Test("A route is purple, and dashed beside a track, which is blue")
    func routes() throws {
        let route = Self.route([(8, 47), (8.2, 47)]), track = Self.track([(8, 47.1), (8.2, 47.1)])
        let alone = try Sheet("<gpx>\(route)</gpx>", Self.gpx),
            both = try Sheet("<gpx>\(track)\(route)</gpx>", Self.gpx)
        /// The part of the way in one colour.
        func part(_ sheet: Sheet, _ color: (Int, Int, Int)) -> Double {
            Double(Set(sheet.places(of: color).filter { 0.2...0.8 ~= $0.x }.map { Int($0.x * 256) }).count)
                / (0.6 * 256)
        }
        #expect(part(alone, Self.purple) > 0.97 && alone.places(of: Self.blue).isEmpty)
        #expect(0.2...0.9 ~= part(both, Self.purple) && part(both, Self.blue) > 0.97)
        // The marks are those of what was gone.
        #expect(try #require(both.middle(of: Self.green)).y < 0.5)
    }

    @Test("Tracks have a colour each, as long as there are not very many")
    func severalTracks() throws {
        func inks(_ count: Int) throws -> Int {
            let tracks = (0..<count).map { Self.track([(8, 47 + Double($0) / 100), (8.2, 47 + Double($0) / 100)]) }
            let sheet = try Sheet("<gpx>\(tracks.joined())</gpx>", Self.gpx, box: 512)
            return MapInk.tracks.count { ink in
                sheet.places(of: (Int(ink.red * 255), Int(ink.green * 255), Int(ink.blue * 255))).count > 100
            }
        }
        #expect(try inks(1) == 1 && inks(3) == 3 && inks(30) == 1)
    }

    @Test("A hole in a surface is no part of it, and a surface that is not filled has a border alone")
    func holes() throws {
        let outside = "[[0,0],[9,0],[9,9],[0,9],[0,0]]", hole = "[[3,3],[6,3],[6,6],[3,6],[3,3]]"
        let (whole, holed) = (
            try Sheet(Self.polygon(outside), Self.json), try Sheet(Self.polygon("\(outside),\(hole)"), Self.json)
        )
        #expect(whole.has(Self.water, x: 0.53, y: 0.53) && !holed.has(Self.water, x: 0.53, y: 0.53))
        #expect(whole.has(Self.water, x: 0.2, y: 0.53) && holed.has(Self.water, x: 0.2, y: 0.53))
        func keyhole(_ fill: Int) -> String {
            """
            <kml><Placemark><Style><PolyStyle><fill>\(fill)</fill></PolyStyle></Style><Polygon><outerBoundaryIs><LinearRing>
            <coordinates>0,0 9,0 9,9 0,9 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>
            """
        }
        let type = "application/vnd.google-earth.kml+xml"
        let (filled, empty) = (try Sheet(keyhole(1), type, box: 1024), try Sheet(keyhole(0), type, box: 1024))
        #expect(filled.has(Self.water, x: 0.53, y: 0.53) && !empty.has(Self.water, x: 0.53, y: 0.53))
        #expect(!empty.places(of: (41, 128, 112)).isEmpty)
    }

    @Test("Elevations rise where the way does")
    func profile() throws {
        let places = (0...60).map { "<trkpt lon=\"\(8 + Double($0) / 500)\" lat=\"47\"><ele>\($0 * 10)</ele></trkpt>" }
        let sheet = try Sheet("<gpx><trk><trkseg>\(places.joined())</trkseg></trk></gpx>", Self.gpx)
        let below = (207, 209, 213)
        func height(_ range: ClosedRange<Double>) -> Int { sheet.places(of: below).count { range.contains($0.x) } }
        let (first, middle, last) = (height(0...0.1), height(0.45...0.55), height(0.9...1))
        #expect(first * 2 < middle && middle * 3 < last * 2, "\(first), \(middle), \(last)")
    }
}
