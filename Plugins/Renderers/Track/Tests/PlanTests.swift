import Testing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

/// Coordinates that are no degrees, or in the wrong order, or of nowhere.
@Suite struct PlanTests {
    private static let (json, kml) = ("application/geo+json", "application/vnd.google-earth.kml+xml")

    private static func square(_ x: Double, _ y: Double, _ side: Double) -> [(Double, Double)] {
        [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
    }
    private static func polygon(_ places: [(Double, Double)]) -> String {
        "{\"type\":\"Polygon\",\"coordinates\":[[\(places.map { "[\($0),\($1)]" }.joined(separator: ","))]]}"
    }
    private static func point(_ x: Double, _ y: Double) -> String { "{\"type\":\"Point\",\"coordinates\":[\(x),\(y)]}" }
    private static func keyhole(_ places: [(Double, Double)]) -> String {
        let text = places.map { "\($0),\($1)" }.joined(separator: " ")
        return "<kml><Placemark><LinearRing><coordinates>\(text)</coordinates></LinearRing></Placemark></kml>"
    }
    private static func draw(_ text: String, _ type: String = json) throws -> Bitmap {
        try Samples.draw(text, type, box: 256).bitmap
    }
    private static func pixels(_ text: String) throws -> [UInt8] { RGBAPicture(try draw(text)).pixels }

    /// The parts of a picture's sides that a surface takes.
    private static func extent(_ bitmap: Bitmap) -> (width: Double, height: Double) {
        let picture = RGBAPicture(bitmap)
        let inside = (0..<picture.width * picture.height).filter { Int(picture.pixels[$0 * 4]) < 200 }
        let columns = inside.map { $0 % picture.width }, rows = inside.map { $0 / picture.width }
        func side(_ numbers: [Int], _ whole: Int) -> Double {
            Double((numbers.max() ?? 0) - (numbers.min() ?? 0)) / Double(whole)
        }
        return (side(columns, picture.width), side(rows, picture.height))
    }

    @Test("Metres of a national grid are drawn as a plan, whether the file says so or not: a square is square")
    func metres() throws {
        // In degrees of this latitude it would be less than two thirds as wide as high.
        let places = Self.square(500_000, 5_700_000, 1000)
        let plain = Samples.collection(Self.polygon(places))
        let system = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::25832\"}},"
        let declared = plain.replacing(
            "{\"type\":\"FeatureCollection\",", with: "{\(system)\"type\":\"FeatureCollection\",")
        #expect(declared != plain)
        for (text, type) in [(plain, Self.json), (declared, Self.json), (Self.keyhole(places), Self.kml)] {
            let (width, height) = Self.extent(try Self.draw(text, type))
            #expect(width > 0.8 && height > 0.8 && abs(width - height) < 0.02, "\(width) × \(height)")
        }
    }

    @Test("A plan of a small place has small numbers, too, and a scale of none")
    func smallPlan() throws {
        let text = Samples.collection(Self.polygon(Self.square(0, 0, 400)), Self.polygon(Self.square(200, 200, 300)))
        #expect(Self.extent(try Self.draw(text)).width > 0.8)
        #expect(try Samples.gather(text).tally.likely == .plane)
    }

    @Test("What nobody knew the place of does not spoil the rest, wherever that is")
    func nowhere() throws {
        for (x, y, side) in [(500_000.0, 5_700_000.0, 1000.0), (8, 47, 0.5)] {
            let known = Self.polygon(Self.square(x, y, side))
            let alone = try Self.pixels(Samples.collection(known))
            #expect(try Self.pixels(Samples.collection(known, Self.point(0, 0))) == alone)
            #expect(try Self.pixels(Samples.collection(Self.point(0, 0), known)) == alone)
        }
        // What lies around it, or is not much else, keeps it.
        for text in [
            Samples.collection(Self.polygon(Self.square(-1, -1, 3)), Self.point(0, 0)),
            Samples.collection(Self.point(8, 47), Self.point(0, 0)),
            Samples.collection(Self.polygon(Self.square(0, 0, 1))),
        ] {
            let features = try Samples.gather(text)
            features.finish()
            #expect(features.shapes.contains { $0.positions.contains(where: \.isOrigin) })
        }
    }

    @Test("A recorded track is not where its receiver did not know where it was")
    func unknownPlaces() throws {
        let features = FeatureGathering(wantsText: false)
        let text = Samples.gpx([(0, 0), (8, 47), (0, 0), (8.1, 47)])
        try FeatureDocument.read("GPX", GPXListener(features), Array(text.utf8))
        #expect(features.shapes.map { $0.positions.map(\.east) } == [[8, 8.1]])
    }

    @Test("Latitudes that stand first are read as such when they cannot be anything else")
    func exchanged() throws {
        let places = [(-33.8, 151.2), (-33.9, 151.4), (-33.7, 151.3), (-33.8, 151.2)]
        let text = Samples.collection(Self.polygon(places))
        let right = Samples.collection(Self.polygon(places.map { ($0.1, $0.0) }))
        #expect(try Self.pixels(text) == Self.pixels(right))
        // A few numbers that make no sense turn nothing around.
        let slip = Samples.collection(Self.polygon(Self.square(8, 47, 1)), Self.point(9, 147.5))
        let features = try Samples.gather(slip)
        #expect(features.tally.likely == .degrees && features.shapes.count == 1)
    }

    @Test("GPX says what its numbers are, and what cannot be is left out")
    func named() throws {
        let error = #expect(throws: PluginError.self) {
            try Samples.draw(Samples.gpx([(500_000, 5_700_000), (500_100, 5_700_000)]), "application/gpx+xml")
        }
        #expect(error?.code == .unsupported && error?.message.contains("-90 to 90") == true)
        let huge = #expect(throws: PluginError.self) { try Self.draw(Samples.collection(Self.point(1e300, 1e12))) }
        #expect(huge?.code == .unsupported && huge?.message.contains("-90 to 90") == true)
    }
}
