import Testing

@testable import TrackRenderer

@Suite struct GeometryTests {
    private static func shape(_ places: [(Double, Double)], _ kind: Shape.Kind = .track) -> Shape {
        let positions = Self.positions(places, kind)
        return Shape(kind: kind, group: 0, style: 0, positions: positions)
    }

    /// The positions of a shape as they are gathered.
    private static func positions(_ places: [(Double, Double)], _ kind: Shape.Kind) -> [Position] {
        var positions: [Position] = []
        var course = Course(kind, room: 10_000)
        for place in places.compactMap({ Coordinates.degrees.position($0.0, $0.1) }) {
            course.go(to: place) { positions.append($0) }
        }
        return positions
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
        #expect(projection.shifts(of: pacific) == [0] && projection.shifts(of: all) == [0, 360])
        // Where the whole Earth is drawn, it goes on at the other side.
        #expect(Projection([pacific, all]).shifts(of: pacific) == [-360, 0])
        #expect(Projection([all]).shifts(of: Self.shape([(180, 0)], .point)) == [-360])
        #expect(Projection([all]).shifts(of: Self.shape([(180, 0), (180, 10)], .line)) == [-360, 0])
    }

    @Test(
        "Longitudes of a shape go on as they are meant",
        arguments: [
            // Lines take the shorter way, except along a parallel.
            (.track, [(170, 1), (-170, 2), (170, 3)], [170, 190, 170]), (.line, [(-140, 1), (100, 2)], [-140, -260]),
            (.line, [(-180, 10), (180, 10)], [-180, 180]), (.track, [(-179, 10), (179, 10)], [-179, -181]),
            (.line, [(179, -17), (-179, -17)], [179, 181]), (.line, [(-180, 5), (179.75, 5)], [-180, 179.75]),
            // Surfaces do not, as far as a straight edge may be meant.
            (.ring, [(-150, 10), (140, 20), (0, 60), (-150, 10)], [-150, 140, 0, -150]),
            (.ring, [(-180, -90), (180, -90), (180, -60), (-180, -60), (-180, -90)], [-180, 180, 180, -180, -180]),
            (.ring, [(170, 60), (179.9, 61), (-179.9, 62), (-170, 70), (170, 60)], [170, 179.9, 180.1, 190, 170]),
            (.hole, [(170, 60), (190, 60), (190, 70), (170, 70), (170, 60)], [170, 190, 190, 170, 170]),
            (.ring, [(0, 60), (90, 60), (179, 60), (-150, 60), (0, 60)], [0, 90, 179, 210, 360]),
            // Around a pole.
            (.ring, [(0, 80), (120, 81), (-120, 82), (0, 80)], [0, 120, -120, 0]),
            (.ring, [(90, 80), (179, 81), (-179, 82), (-90, 80), (0, 80), (90, 80)], [90, 179, 181, 270, 360, 450]),
        ] as [(Shape.Kind, [(Double, Double)], [Double])])
    func courses(kind: Shape.Kind, places: [(Double, Double)], longitudes: [Double]) {
        var course = Course(kind, room: 10_000)
        let found = places.compactMap { place -> Double? in
            var last: Position?
            if let next = Coordinates.degrees.position(place.0, place.1) { course.go(to: next) { last = $0 } }
            return last?.east
        }
        #expect(
            zip(found, longitudes).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == longitudes.count, "\(found)")
    }

    @Test("Borders at 180 degrees stay on their side, and what is no place is none")
    func borders() {
        #expect(Coordinates.degrees.position(180.000_000_1, 0)?.east == 180)
        #expect(Coordinates.degrees.position(-180, 0)?.east == -180)
        #expect(Coordinates.degrees.position(190, 0)?.east == 190)
        #expect(Coordinates.exchangedDegrees.position(12, -190) == Position(east: -190, north: 12))
        for (longitude, latitude) in [(0.0, 90.1), (541, 0), (.nan, 0), (0, .infinity), (1e308, 1e308)] {
            #expect(Coordinates.degrees.position(longitude, latitude) == nil)
        }
        for number in [1.1e9, -1e300, .nan, .infinity] { #expect(Coordinates.plane.position(number, 0) == nil) }
    }

    @Test("Of a very long line, what is finer than can be seen is left out, and it keeps both its ends")
    func thinning() throws {
        let features = FeatureGathering(wantsText: false)
        features.begin(.track)
        let count = 2_000_000
        for index in 0...count {
            let part = Double(index) / Double(count)
            features.add(8 + part, 47 + (index % 2 == 0 ? 1e-6 : 0))
        }
        features.end()
        let positions = try #require(features.shapes.first).positions
        #expect(1000...FeatureGathering.mostPositions ~= positions.count)
        #expect(positions.first?.east == 8 && positions.last?.east == 9)
        let gaps = zip(positions, positions.dropFirst()).map { $1.east - $0.east }
        #expect(gaps.allSatisfy { 0..<0.001 ~= $0 })
    }

    @Test("Of a line that is rough everywhere as much is kept at its beginning as at its end")
    func evenlyKept() {
        let features = FeatureGathering(wantsText: false)
        let count = 1_500_000
        features.begin(.line)
        for index in 0..<count { features.add(Double(index) / 15_000, Double(index * 7 % 11) * 4) }
        features.end()
        let kept = features.shapes.first?.positions ?? []
        let thirds = (0..<3).map { third in kept.count { Int($0.east / 100 * 3) == third } }
        #expect(kept.count <= FeatureGathering.mostPositions && kept.count > FeatureGathering.mostPositions / 4)
        #expect((thirds.max() ?? 0) < 2 * (thirds.min() ?? 0), "\(thirds)")
    }

    @Test("Very many small surfaces and places become fewer, and stay where they are")
    func specks() {
        let features = FeatureGathering(wantsText: false)
        for index in 0..<400_000 {
            let (x, y) = (Double(index % 1000) / 1000, Double(index / 1000) / 400)
            features.begin(.ring)
            for (east, north) in [(0.0, 0.0), (1e-5, 0), (1e-5, 1e-5), (0, 0)] {
                features.add(x + east, y + north)
            }
            features.end()
            features.addPoint(x, y)
        }
        let kept = features.shapes.flatMap(\.positions)
        #expect(10_000...FeatureGathering.mostPositions ~= kept.count)
        // As many everywhere.
        let cells = Dictionary(grouping: kept) { Int($0.east * 9.99) * 10 + Int($0.north * 9.99) }
        let fewest = cells.values.map(\.count).min() ?? 0
        #expect(cells.count == 100 && fewest > kept.count / 300, "\(fewest) of \(kept.count)")
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
