import Testing
import VitrineKit

@testable import TrackRenderer

@Suite struct GeometryTests {
    private static func shape(_ places: [(Double, Double)], _ kind: Shape.Kind = .track) -> Shape {
        let positions = places.compactMap { Position(longitude: $0.0, latitude: $0.1) }
        return Shape(kind: kind, group: 0, style: 0, positions: positions)
    }

    /// How far two places of a shape are from each other on the sheet, to the right and down, in kilometres.
    private static func step(_ shape: Shape, _ from: Int, _ to: Int) -> (x: Double, y: Double) {
        let projection = Projection([shape])
        let (one, other) = (projection.place(shape.positions[from]), projection.place(shape.positions[to]))
        return ((other.x - one.x) / 1000, (other.y - one.y) / 1000)
    }

    @Test(
        "A kilometre is one in every direction, at every latitude, and across the 180th meridian",
        arguments: [(8.0, 47.0), (16, 80), (179.995, -17), (-180, 66), (20, 89.5), (-70, -55), (0, 0)])
    func scale(longitude: Double, latitude: Double) {
        let degree = Position.metres / 1000
        let east = longitude + 1 / degree / cosine(latitude)
        let shape = Self.shape([(longitude, latitude), (east, latitude), (longitude, latitude + 1 / degree)])
        let (right, up) = (Self.step(shape, 0, 1), Self.step(shape, 0, 2))
        #expect(abs(right.x - 1) < 0.01 && abs(right.y) < 0.02, "\(right)")
        #expect(abs(up.y + 1) < 0.01 && abs(up.x) < 0.02, "\(up)")
    }

    private func cosine(_ degrees: Double) -> Double {
        // Of the series, as far as it matters.
        let x = degrees * Position.radians
        var (term, sum) = (1.0, 1.0)
        for n in 1...12 {
            term *= -x * x / Double((2 * n - 1) * 2 * n)
            sum += term
        }
        return sum
    }

    @Test("What lies around a pole is round")
    func pole() {
        let ring = Self.shape(stride(from: -180.0, to: 180, by: 90).map { ($0, 89) })
        let (across, down) = (Self.step(ring, 0, 2), Self.step(ring, 1, 3))
        func length(_ step: (x: Double, y: Double)) -> Double { (step.x * step.x + step.y * step.y).squareRoot() }
        #expect(abs(length(across) - 222.4) < 0.5 && abs(length(down) - 222.4) < 0.5)
    }

    @Test("A map of the world is cut where nothing is, else at 180 degrees")
    func world() {
        func cut(_ shapes: [Shape]) -> Double? {
            if case .world(let cut) = Projection(shapes) { cut } else { nil }
        }
        let all = Self.shape([(-180, -80), (180, -80), (180, 80), (-180, 80), (-180, -80)], .ring)
        #expect(cut([all]) == -180)
        // From Asia over the Pacific to America: the Atlantic is free.
        let pacific = Self.shape([(60, 10), (120, 20), (170, 30), (-170, 30), (-120, 30), (-60, 10)])
        #expect(cut([pacific]).map { abs($0) < 2 } == true)
        let projection = Projection([pacific])
        let places = pacific.positions.map { projection.place($0).x }
        #expect(places == places.sorted())
        #expect(!zip(pacific.positions, pacific.positions.dropFirst()).contains { projection.isTorn($0, $1) })
        #expect(Projection([all]).isTorn(pacific.positions[2], pacific.positions[3]))
    }

    @Test("Borders at 180 degrees stay on their side, and ways around the Earth are brought back")
    func borders() {
        #expect(Position(longitude: 180.000_000_1, latitude: 0)?.longitude == 180)
        #expect(Position(longitude: -180, latitude: 0)?.longitude == -180)
        #expect(Position(longitude: 190, latitude: 0)?.longitude == -170)
        #expect(Position(longitude: -359, latitude: 0)?.longitude == 1)
        for (longitude, latitude) in [(0.0, 90.1), (541, 0), (.nan, 0), (0, .infinity)] {
            #expect(Position(longitude: longitude, latitude: latitude) == nil)
        }
    }

    @Test("Of a very long line, what is finer than can be seen is left out, and it keeps both its ends")
    func thinning() throws {
        let features = FeatureGathering(wantsText: false)
        features.begin(.track)
        let count = 2_000_000
        for index in 0...count {
            let part = Double(index) / Double(count)
            features.add(longitude: 8 + part, latitude: 47 + (index % 2 == 0 ? 1e-6 : 0))
        }
        features.end()
        let positions = try #require(features.shapes.first).positions
        #expect(1000...FeatureGathering.mostPositions ~= positions.count)
        #expect(positions.first?.longitude == 8 && positions.last?.longitude == 9)
        let gaps = zip(positions, positions.dropFirst()).map { $1.longitude - $0.longitude }
        #expect(gaps.allSatisfy { 0..<0.001 ~= $0 })
    }

    @Test("Very many small surfaces and places become fewer, and stay where they are")
    func specks() {
        let features = FeatureGathering(wantsText: false)
        for index in 0..<400_000 {
            let (x, y) = (Double(index % 1000) / 1000, Double(index / 1000) / 400)
            features.begin(.ring)
            for (east, north) in [(0.0, 0.0), (1e-5, 0), (1e-5, 1e-5), (0, 0)] {
                features.add(longitude: x + east, latitude: y + north)
            }
            features.end()
            features.addPoint(longitude: x, latitude: y)
        }
        let kept = features.shapes.flatMap(\.positions)
        #expect(10_000...FeatureGathering.mostPositions ~= kept.count)
        #expect((kept.map(\.longitude).max() ?? 0) > 0.98 && (kept.map(\.latitude).max() ?? 0) > 0.98)
    }

    @Test("A profile has the same heights at the same parts of the way, however long it is")
    func profile() throws {
        for step in [2.0, 50, 5000] {
            var profile = ElevationProfile()
            profile.begin()
            for index in 0...1000 { profile.add(Double(index), after: index == 0 ? 0 : step) }
            // What no device means.
            profile.add(-9999, after: 1)
            let count = profile.heights.count
            #expect(profile.isShown && 500...2048 ~= count && abs(profile.distance - 1000 * step) < 1e-6 * step)
            #expect(abs(profile.heights[count / 2] - 500) < 4 && abs((profile.heights.last ?? 0) - 1000) < 4)
        }
        var flat = ElevationProfile()
        for index in 0..<100 { flat.add(500, after: Double(index)) }
        #expect(!flat.isShown)
        var leap = ElevationProfile()
        leap.add(1, after: 0)
        leap.add(2, after: 1e300)
        leap.add(3, after: .infinity)
        #expect(leap.heights.count <= 2048)
    }

    @Test("Numbers and times are read as they are written")
    func written() {
        func number(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes { DecimalScanner.number($0) } }
        for text in ["0", "-47.123456789", "+8.5", "1e3", "1.5E-7", "123456789012345678901234567890", ".5", "5."] {
            let expected = Double(text == "5." ? "5" : text == ".5" ? "0.5" : text) ?? .nan
            #expect(number(text).map { abs($0 - expected) <= abs(expected) * 1e-15 } == true, "\(text)")
        }
        #expect(number(" 4\n") == 4 && number("0.000000000000000000000004") == 4e-24)
        for text in ["", " ", "-", ".", "e5", "4x", "4 5", "nan"] { #expect(number(text) == nil, "\(text)") }
        func seconds(_ text: String) -> Double? { Array(text.utf8).withUnsafeBytes { WrittenTime.seconds($0) } }
        #expect(seconds("1970-01-01T00:00:00Z") == 0 && seconds("2000-02-29T12:00:00Z") == 951_825_600)
        #expect(seconds("2024-05-03T14:02:11.25+02:00") == 1_714_737_731.25)
        #expect(seconds("1969-12-31T23:59Z") == -60 && seconds("2024-05-03T14:02:11-0130") == 1_714_750_331)
        for text in ["", "2024", "2024-05-03", "2024-13-03T00:00:00Z", "2024-05-03T25:00:00Z", "yesterday"] {
            #expect(seconds(text) == nil, "\(text)")
        }
    }

    @Test("Colours are read in the orders of their formats")
    func colors() {
        #expect(FeatureColor(hexadecimal: "#ff8000".utf8) == FeatureColor(rgb: 0xFF8000))
        #expect(FeatureColor(hexadecimal: "f80".utf8) == FeatureColor(rgb: 0xFF8800))
        #expect(FeatureColor(keyhole: "7f0080FF".utf8) == FeatureColor(rgb: 0xFF8000))
        #expect(FeatureColor(keyhole: "000080ff".utf8)?.isClear == true)
        for text in ["", "red", "#ff", "#12345", "#1234567890"] { #expect(FeatureColor(hexadecimal: text.utf8) == nil) }
    }
}
