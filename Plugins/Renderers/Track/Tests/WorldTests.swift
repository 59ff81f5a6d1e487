import Testing
import VitrineKit
import VitrineTesting

@testable import TrackRenderer

/// Surfaces that go around the Earth, across the 180th meridian or around a pole.
@Suite struct WorldTests {
    /// A map of surfaces, and what of it is filled.
    private struct Map {
        private let picture: RGBAPicture
        /// In the middle of the sheet.
        private let latitude: Double

        init(_ rings: [(Double, Double)]..., latitude: Double) throws {
            let surfaces = rings.map { ring in
                "{\"type\":\"Polygon\",\"coordinates\":[[\(ring.map { "[\($0),\($1)]" }.joined(separator: ","))]]}"
            }
            let text = surfaces.joined(separator: "\n")
            picture = RGBAPicture(try Samples.draw(text, "application/geo+json", box: 512).bitmap)
            self.latitude = latitude
        }

        /// Whether a place on a map from -180 to 180 degrees is filled.
        func isFilled(_ east: Double, _ north: Double) -> Bool {
            let scale = 512 * 0.83 / 360
            return isFilled(x: Int(256 + east * scale), y: Int(256 - (north - latitude) * scale))
        }

        func isFilled(x: Int, y: Int) -> Bool { picture.pixels[(y * picture.width + x) * 4] < 200 }

        /// How much is filled.
        var share: Double {
            let count = (0..<picture.width * picture.height).count { picture.pixels[$0 * 4] < 200 }
            return Double(count) / Double(picture.width * picture.height)
        }
    }

    private static func rectangle(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [(
        Double, Double
    )] {
        [(west, south), (east, south), (east, north), (west, north), (west, south)]
    }
    /// Many short steps, as coasts have.
    private static func coast(_ longitudes: [Double], _ latitude: (Double) -> Double) -> [(Double, Double)] {
        longitudes.map { ($0, latitude($0)) }
    }

    @Test("A rectangle from -180 to 180 degrees is a band around the Earth, and all of it is the whole map")
    func bands() throws {
        let band = try Map(Self.rectangle(-180, -23, 180, 23), latitude: 0)
        for east in [-170.0, -95, 5, 95, 170] {
            #expect(band.isFilled(east, 20) && band.isFilled(east, -20) && !band.isFilled(east, 30), "\(east)")
        }
        let all = try Map(Self.rectangle(-180, -90, 180, 90), latitude: 0)
        #expect([-85.0, 5, 85].allSatisfy { all.isFilled(-175, $0) && all.isFilled(175, $0) })
        // Nearly all of it, which is not the narrow rest.
        let most = try Map(Self.rectangle(-175, -40, 175, 40), latitude: 0)
        #expect(most.isFilled(5, 5) && most.isFilled(-95, 35))
    }

    @Test("Caps around a pole are round by themselves")
    func caps() throws {
        for (south, north) in [(60.0, 90.0), (-90, -60)] {
            let cap = try Map(Self.rectangle(-180, south, 180, north), latitude: 0)
            let radius = 0.83 / 2
            #expect(abs(cap.share - Double.pi * radius * radius) < 0.02, "\(cap.share)")
            #expect(cap.isFilled(x: 256, y: 250) && !cap.isFilled(x: 60, y: 60))
        }
    }

    @Test("Antarctica fills all of the south, be it closed along the edge of the map or around the pole")
    func antarctica() throws {
        let edge = stride(from: -180.0, through: 180, by: 3).map { $0 }
        let closed = [(-180.0, -90.0)] + Self.coast(edge) { _ in -70 } + [(180, -90), (-180, -90)]
        let around = stride(from: 20.0, through: 380, by: 3).map { $0 > 180 ? $0 - 360 : $0 }
        // With something in the north, so that it is a map of the world.
        let north = Self.rectangle(-20, 60, 40, 70)
        for ring in [closed, Self.coast(around) { _ in -70 }] {
            let isClosed = ring.contains { $0.1 == -90 }
            let map = try Map(ring, north, latitude: isClosed ? -10 : 0)
            for east in [-175.0, -95, 5, 95, 175] {
                #expect(map.isFilled(east, -75) && map.isFilled(east, -85) && !map.isFilled(east, -60), "\(east)")
            }
            #expect(!map.isFilled(5, 0) && map.isFilled(5, 65))
        }
    }

    @Test(
        "A country across the 180th meridian is at both sides of the map, and no band across it, however it is written")
    func acrossTheMeridian() throws {
        let (there, back) = (Array(stride(from: 100.0, through: 200, by: 4)), stride(from: 200.0, through: 100, by: -4))
        let beyond = Self.coast(there) { 60 + $0 / 1000 } + Self.coast(Array(back)) { 72 + $0 / 1000 } + [(100, 60.1)]
        let uncut = beyond.map { ($0.0 > 180 ? $0.0 - 360 : $0.0, $0.1) }
        let rest = Self.rectangle(-179, -70, 179, -60)
        for ring in [beyond, uncut] {
            let map = try Map(ring, rest, latitude: (72.2 - 70) / 2)
            for east in [105.0, 175, -175, -165] { #expect(map.isFilled(east, 66), "\(east)") }
            for east in [-150.0, -95, 5, 95] { #expect(!map.isFilled(east, 66), "\(east)") }
        }
    }

    @Test(
        "A rectangle across the 180th meridian is the small one, wherever it begins, and as a hole too",
        arguments: [(177.0, -178.0, 182.0, -19.0, -16.0), (160, -170, 190, -55, -25), (179.8, -179.9, 180.1, 50, 50.1)])
    func rectangles(east: Double, west: Double, beyond: Double, south: Double, north: Double) throws {
        let corners = [(east, north), (west, north), (west, south), (east, south)]
        for first in 0..<4 {
            let ring = Array(corners[first...] + corners[..<first])
            for edge in [ring, ring + [ring[0]], ring.reversed()] {
                for kind in [Shape.Kind.ring, .hole] {
                    let features = FeatureGathering(wantsText: false)
                    features.begin(kind)
                    for (longitude, latitude) in edge { features.add(longitude, latitude) }
                    features.end()
                    let shape = try #require(features.shapes.first)
                    #expect(abs(shape.longitudes.low - east) < 1e-9 && abs(shape.longitudes.high - beyond) < 1e-9)
                }
            }
        }
    }

    @Test("What stands where a map of the world ends is seen whole")
    func marks() throws {
        let places = [(-180.0, 0.0), (180, 40), (0, 80), (90, -80), (-90, -80)]
        let points = places.map { "{\"type\":\"Point\",\"coordinates\":[\($0.0),\($0.1)]}" }
        let around = "{\"type\":\"LineString\",\"coordinates\":[[-180,-60],[180,-60]]}"
        let text = (points + [around]).joined(separator: "\n")
        let picture = RGBAPicture(try Samples.draw(text, "application/geo+json", box: 512).bitmap)
        /// The columns of the place at a latitude in which its colour is.
        func columns(_ latitude: Double) -> [Int] {
            let y = Int(256 - latitude * 512 * 0.83 / 360)
            return (0..<512).filter { picture.pixels[(y * 512 + $0) * 4 + 2] < 90 }
        }
        let middle = columns(80).count
        #expect(middle > 4 && abs(columns(0).count - middle) < 2 && abs(columns(40).count - middle) < 2)
    }

    @Test("Where a surface is cut at the 180th meridian it has no border")
    func seams() throws {
        let parts = [Self.rectangle(160, -10, 180, 10), Self.rectangle(-180, -10, -160, 10)]
        let text = parts.map { ring in
            "{\"type\":\"Polygon\",\"coordinates\":[[\(ring.map { "[\($0),\($1)]" }.joined(separator: ","))]]}"
        }.joined(separator: "\n")
        let picture = RGBAPicture(try Samples.draw(text, "application/geo+json", box: 512).bitmap)
        // The two are one surface of one shade, beside the line of the grid in the middle.
        let row = (200..<312).map { Int(picture.pixels[(230 * 512 + $0) * 4]) }
        #expect((row.max() ?? 0) - (row.min() ?? 0) < 20)
    }
}
