internal import XML

/// Gathers what a GPX document holds (GPX 1.0 and 1.1): tracks, routes and waypoints.
final class GPXListener: FeatureListener {
    enum Element: Int, FeatureElement {
        case other, document, metadata, track, segment, route, trackPoint, routePoint, shapingPoint, waypoint
        case elevation, time, name, description, author, color, colorName
    }
    static let names: [String: Element] = [
        "gpx": .document, "metadata": .metadata, "trk": .track, "trkseg": .segment, "rte": .route,
        "trkpt": .trackPoint, "rtept": .routePoint, "rpt": .shapingPoint, "wpt": .waypoint, "ele": .elevation,
        "time": .time, "name": .name, "desc": .description, "cmt": .description, "keywords": .description,
        "author": .author, "color": .color, "DisplayColor": .colorName,
    ]

    let features: FeatureGathering
    var isKnown = false
    var open: [Element] = []
    private var point: (longitude: Double, latitude: Double)?
    private var elevation: Double?
    private var style = 0

    init(_ features: FeatureGathering) { self.features = features }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        let element = begin(meaning)
        switch element {
        case .track, .route:
            features.beginGroup()
            style = 0
            if element == .route { features.begin(.route) }
        case .segment: features.begin(.track, style: style)
        case .trackPoint, .routePoint, .waypoint: (point, elevation) = (Self.place(attributes), nil)
        case .shapingPoint:
            // The way from a point of a route to the next one stands within the former.
            addPoint()
            point = Self.place(attributes)
            addPoint()
        default: return
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let element = open.last else { return }
        let bytes = UnsafeRawBufferPointer(bytes)
        switch (element, parent) {
        case (.elevation, .trackPoint), (.elevation, .routePoint): elevation = DecimalScanner.number(bytes)
        case (.time, .trackPoint): features.add(time: bytes)
        case (.name, .document), (.name, .metadata): features.words.take(title: bytes)
        case (.name, .author), (.author, .document): features.words.take(author: bytes)
        case (.name, .track), (.name, .route): features.words.take(name: bytes, of: .track)
        case (.name, .waypoint), (.name, .routePoint): features.words.take(name: bytes)
        case (.description, _): features.words.take(description: bytes)
        case (.color, _) where isInWay: setColor(FeatureColor(hexadecimal: bytes))
        case (.colorName, _) where isInWay: setColor(Self.colors[String(decoding: bytes, as: UTF8.self)])
        default: return
        }
    }

    func end(_ meaning: Int) {
        guard let element = open.popLast() else { return }
        switch element {
        case .trackPoint, .routePoint: addPoint()
        case .waypoint:
            if let point { features.addPoint(point.longitude, point.latitude) }
            point = nil
        case .segment, .route: features.end()
        default: return
        }
    }

    /// Whether a colour is that of a track or a route.
    private var isInWay: Bool { open.contains(.track) || open.contains(.route) }

    private func addPoint() {
        if let point { features.add(point.longitude, point.latitude, elevation: elevation) }
        (point, elevation) = (nil, nil)
    }

    private func setColor(_ color: FeatureColor?) {
        guard let color, !color.isClear else { return }
        style = features.number(of: FeatureStyle(line: color))
        // A route is begun before its colour is said.
        if open.contains(.route) { features.restyleOpen(style) }
    }

    private static func place(_ attributes: XMLAttributes) -> (longitude: Double, latitude: Double)? {
        var longitude: Double?, latitude: Double?
        attributes.forEach { name, value in
            if name.elementsEqual("lat".utf8) { latitude = DecimalScanner.number(value) }
            if name.elementsEqual("lon".utf8) { longitude = DecimalScanner.number(value) }
        }
        guard let longitude, let latitude else { return nil }
        return (longitude, latitude)
    }

    /// The names of colours in Garmin's GpxExtensions (version 3). White and transparent ones could not be seen.
    private static let colors: [String: FeatureColor] = [
        "Black": 0x222222, "DarkRed": 0x8B0000, "DarkGreen": 0x006400, "DarkYellow": 0xB5A300, "DarkBlue": 0x00008B,
        "DarkMagenta": 0x8B008B, "DarkCyan": 0x008B8B, "LightGray": 0xBBBBBB, "DarkGray": 0x777777, "Red": 0xE02020,
        "Green": 0x20A020, "Yellow": 0xE0C000, "Blue": 0x2040E0, "Magenta": 0xD020D0, "Cyan": 0x10B0C8,
    ].mapValues { FeatureColor(rgb: $0) }
}
