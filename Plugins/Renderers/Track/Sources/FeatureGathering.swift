internal import Glibc
internal import VitrineKit

/// What a file holds, gathered while it is read, with memory that does not grow with the file.
///
/// Lines lose what is finer than a tolerance, and places that lie that near to one another become one. The tolerance is none
/// as long as there are few positions, and grows when there are too many: below a pixel of what is drawn, unless lines fill everything.
final class FeatureGathering {
    private(set) var shapes: [Shape] = []
    private(set) var styles = [FeatureStyle()]
    private(set) var profile = ElevationProfile()
    /// Names and descriptions.
    var words: FeatureWords
    /// The time of the first position that has one.
    private(set) var firstTime: FactDate?
    /// What the numbers are taken for, and what they seem to be.
    let coordinates: Coordinates
    private(set) var tally = CoordinatesTally()

    private var numbers: [FeatureStyle: Int] = [FeatureStyle(): 0]
    private var open: Shape?
    private var course: Course?
    /// The positions of an edge, as long as they may be the corners of a rectangle.
    private var corners: [Position]?
    private var room = mostAdded
    /// The last position of the open shape, which may be too near to the one before to be kept.
    private var last: Position?
    /// Positions of the open shape so far, and of how many of them one is kept, so that its end is not denser than its beginning.
    private var openCount = 0, openRarity = 1
    private var kept = 0
    private var group = 0
    private var span: (first: Double, last: Double)?
    private var recorded = 0.0
    private var elevated: Position?

    /// Degrees or lengths of the plane, and cells of that size in which there is a place already.
    private var tolerance = 0.0
    private var cells: Set<SIMD2<Int64>> = []
    /// Specks so far, and of how many of them one is kept, so that those at the end of a file are not denser than the others.
    private var specks = 0, rarity = 1
    /// Where everything is but what is said to be at the origin.
    private var extent = Extent()
    /// Positions, and those at the origin.
    private var count = 0, origins = 0

    /// Positions that are kept, and styles.
    static let mostPositions = 1 << 18, mostStyles = 4096
    /// Positions that are added on long edges of all surfaces.
    private static let mostAdded = 1 << 17

    /// - Parameters:
    ///   - wantsText: whether descriptions are of use.
    ///   - coordinates: what the numbers are taken for. Default: degrees.
    init(wantsText: Bool, coordinates: Coordinates = .degrees) {
        words = FeatureWords(isWanted: wantsText)
        self.coordinates = coordinates
    }

    /// Whether there is a line, or a ring, of some length.
    var hasLine: Bool { shapes.contains { $0.positions.count > 1 } }

    /// Seconds from the first time to the last one, of all groups together; `nil` when none has two.
    var duration: Double? { recorded + elapsed > 0 ? recorded + elapsed : nil }

    private var elapsed: Double {
        guard let span, span.last > span.first, span.last - span.first < Self.year else { return 0 }
        return span.last - span.first
    }
    /// Seconds; and the beginning of 1990, before which clocks tell that they have not been set.
    private static let year = 365.25 * 86_400, oldest = 631_152_000.0

    /// Begins what belongs together.
    func beginGroup() {
        group += 1
        recorded += elapsed
        span = nil
    }

    /// Begins a line or a ring.
    /// - Parameter goesOn: whether it is the next part of the line before it, after a pause. Default: no.
    func begin(_ kind: Shape.Kind, style: Int = 0, goesOn: Bool = false) {
        end()
        open = Shape(kind: kind, group: group, style: style, positions: [])
        course = coordinates == .plane ? nil : Course(kind, room: room)
        corners = course != nil && kind.isEdge ? [] : nil
        elevated = nil
        (openCount, openRarity) = (0, 1)
        if kind.isLine, !goesOn { profile.begin() }
    }

    /// Gives what was begun another style.
    func restyleOpen(_ style: Int) { open?.style = style }

    /// Adds a position to what was begun; without that, it is left out.
    /// - Parameters:
    ///   - first: the longitude, or what stands in its place.
    ///   - second: the latitude.
    ///   - elevation: metres above the sea, if it is known.
    func add(_ first: Double, _ second: Double, elevation: Double? = nil) {
        guard let kind = open?.kind, let position = position(first, second, of: kind) else { return }
        if corners != nil {
            corners?.append(position)
            if let corners, corners.count > Rectangle.mostPositions { take(corners) }
            return
        }
        go(to: position)
        guard let elevation, let last, kind.isLine, coordinates != .plane else { return }
        profile.add(elevation, after: elevated.map { $0.distance(to: last) } ?? 0)
        elevated = last
    }

    private func take(_ edge: [Position]) {
        corners = nil
        for position in edge { go(to: position) }
    }

    private func go(to position: Position) {
        if course?.go(to: position, keep) == nil { keep(position) }
    }

    private func keep(_ position: Position) {
        last = position
        reach(position)
        if let before = open?.positions.last, isNear(before, position, scale(before)) { return }
        openCount += 1
        guard openCount % openRarity == 0 || open?.positions.isEmpty == true else { return }
        open?.positions.append(position)
        kept += 1
        if kept > Self.mostPositions { thin() }
    }

    private func reach(_ position: Position) { if !position.isOrigin { extent.take(position) } }

    /// Ends what was begun, so that it reaches to its last position.
    func end() {
        if let corners { take(Rectangle.acrossMeridian(corners)) }
        room = course?.room ?? room
        defer { (open, course, last) = (nil, nil, nil) }
        guard var shape = open, !shape.positions.isEmpty else { return }
        if let last, shape.positions.last != last {
            shape.positions.append(last)
            kept += 1
        }
        kept += append(shape) - shape.positions.count
    }

    /// Adds a place.
    func addPoint(_ first: Double, _ second: Double, style: Int = 0) {
        guard let position = position(first, second, of: .point) else { return }
        reach(position)
        kept += append(Shape(kind: .point, group: group, style: style, positions: [position]))
        if kept > Self.mostPositions { thin() }
    }

    /// Ends the file. Of places that nobody knew little is said, and that is at the origin: few positions there, far from
    /// all others, are left out.
    func finish() {
        end()
        guard origins > 0, origins * 4 <= count - origins, extent.isFarFromOrigin else { return }
        for index in shapes.indices { shapes[index].positions.removeAll(where: \.isOrigin) }
        shapes.removeAll(where: \.positions.isEmpty)
    }

    /// Takes the time of a position, as XML writes it.
    func add(time: UnsafeRawBufferPointer) {
        guard let seconds = WrittenTime.seconds(time) else { return }
        add(seconds, written: FactDate(String(decoding: time.prefix(40), as: UTF8.self)))
    }

    /// Takes the time of a position.
    /// - Parameter seconds: since 1970.
    func add(seconds: Double) { add(seconds, written: FactDate(secondsSince1970: Int64(seconds))) }

    private func add(_ seconds: Double, written: @autoclosure () -> FactDate?) {
        guard seconds >= Self.oldest else { return }
        if span == nil, firstTime == nil { firstTime = written() }
        span = (span?.first ?? seconds, seconds)
    }

    /// The number of a style.
    func number(of style: FeatureStyle) -> Int {
        if let known = numbers[style] { return known }
        guard styles.count < Self.mostStyles else { return 0 }
        styles.append(style)
        numbers[style] = styles.count - 1
        return styles.count - 1
    }

    /// Gives all shapes their styles, for formats that say them last.
    func restyle(_ number: (Int) -> Int) {
        for index in shapes.indices { shapes[index].style = number(shapes[index].style) }
    }

    private func position(_ first: Double, _ second: Double, of kind: Shape.Kind) -> Position? {
        tally.take(first, second)
        guard let position = coordinates.position(first, second) else { return nil }
        if position.isOrigin {
            // What receivers write as long as they do not know where they are.
            if kind == .track { return nil }
            origins += 1
        }
        count += 1
        return position
    }

    /// Adds a shape, unless it is a speck where there is one already, or one of too many.
    /// - Parameter isNew: whether it is one that the file goes on with.
    /// - Returns: how many positions of it are kept.
    private func append(_ shape: Shape, isNew: Bool = true) -> Int {
        guard tolerance > 0, let first = shape.positions.first else { return put(shape) }
        let scale = scale(first)
        guard shape.positions.allSatisfy({ isNear(first, $0, scale) }) else { return put(shape) }
        guard cells.insert(cell(of: first)).inserted else { return 0 }
        if isNew {
            specks += 1
            guard specks % rarity == 0 else { return 0 }
        }
        var speck = shape
        speck.positions = [first]
        return put(speck)
    }

    private func put(_ shape: Shape) -> Int {
        shapes.append(shape)
        return shape.positions.count
    }

    /// Makes the tolerance larger until half of the room is free.
    private func thin() {
        let side = extent.side(scale)
        tolerance = max(tolerance, side / Self.finest, Self.least)
        while kept > Self.mostPositions / 2 {
            var old = shapes
            if tolerance > side / Self.coarsest {
                // Lines that fill everything, or very many: every second one is as good as all of them.
                if (old.count + 1) * 4 > kept {
                    old = Self.everySecond(old)
                    rarity *= 2
                } else {
                    for index in old.indices { old[index].positions = Self.everySecond(old[index].positions) }
                    changeOpen { Self.everySecond($0) }
                    openRarity *= 2
                }
            } else {
                tolerance *= 2
            }
            cells.removeAll(keepingCapacity: true)
            shapes.removeAll(keepingCapacity: true)
            changeOpen { thinned($0) }
            kept = open?.positions.count ?? 0
            for var shape in old {
                shape.positions = thinned(shape.positions)
                kept += append(shape, isNew: false)
            }
        }
    }

    /// Parts of what is drawn as a whole that are never seen apart, and that always are; and about a centimetre.
    private static let finest = 65_536.0, coarsest = 1024.0, least = 1e-7

    private func changeOpen(_ change: ([Position]) -> [Position]) {
        guard let positions = open?.positions else { return }
        open?.positions = change(positions)
    }

    private static func everySecond<Thing>(_ things: [Thing]) -> [Thing] {
        stride(from: 0, to: things.count, by: 2).map { things[$0] }
    }

    private func thinned(_ positions: [Position]) -> [Position] {
        guard var before = positions.first, let end = positions.last else { return [] }
        var result = [before]
        var scale = scale(before)
        for position in positions.dropFirst().dropLast() where !isNear(before, position, scale) {
            result.append(position)
            (before, scale) = (position, self.scale(position))
        }
        if positions.count > 1 { result.append(end) }
        return result
    }

    /// What a degree of longitude is in degrees of latitude; on a plan both are alike.
    private func scale(_ position: Position) -> Double {
        coordinates == .plane ? 1 : cos(position.north * Position.radians)
    }

    /// Whether nothing is lost by leaving out the second of two positions.
    private func isNear(_ one: Position, _ other: Position, _ scale: Double) -> Bool {
        let (across, up) = ((one.east - other.east) * scale, one.north - other.north)
        return across * across + up * up <= tolerance * tolerance
    }

    private func cell(of position: Position) -> SIMD2<Int64> {
        // The largest numbers by the smallest tolerance are far from the ends of these.
        SIMD2(Int64(position.east * scale(position) / tolerance), Int64(position.north / tolerance))
    }
}
