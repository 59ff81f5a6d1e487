internal import VitrineKit

/// Gathers what a GeoJSON document holds (RFC 7946), in the colours that the simplestyle specification (1.1) gives features.
struct GeoJSONReader {
    private let features: FeatureGathering
    private var style = 0
    /// What stands around the value that is read now: objects in one another.
    private var depth = 0
    /// Whether the geometry of a feature is read, which has no features in it.
    private var isInFeature = false

    private static let deepest = 64

    /// Reads a document, or several of them one behind the other.
    /// - Throws: `corrupt` for what is no JSON, `unsupported` for JSON that is no map, `limitExceeded`.
    static func read(_ bytes: UnsafeRawBufferPointer, _ features: FeatureGathering) throws(PluginError) {
        var reader = Self(features: features)
        var scanner = JSONScanner(bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.at = 3 }
        var isKnown = false
        repeat {
            guard scanner.next() == UInt8(ascii: "{") else {
                throw scanner.damaged("it does not begin as an object")
            }
            isKnown = try reader.object(&scanner, isRoot: true) || isKnown
            // Blanks and record separators (RFC 8142) are between documents.
        } while scanner.next() != nil
        guard isKnown else {
            throw PluginError(.unsupported, "the file is JSON, but no GeoJSON: it has neither features nor a geometry")
        }
        features.end()
    }

    private init(features: FeatureGathering) { self.features = features }

    /// What was found of an object, whose members may stand in any order.
    private struct Found {
        var type: String?
        var coordinates: Int?, geometry: Int?, properties: Int?
        var isKnown = false
    }

    /// Reads a collection, a feature or a geometry.
    /// - Returns: whether it is one of these.
    private mutating func object(_ scanner: inout JSONScanner, isRoot: Bool = false) throws(PluginError) -> Bool {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw PluginError(
                .limitExceeded, "the GeoJSON document has more than \(Self.deepest) objects in one another")
        }
        var found = Found()
        try scanner.forEachMember { (scanner, name) throws(PluginError) in
            switch String(decoding: name.prefix(32), as: UTF8.self) {
            case "type":
                if scanner.next() == 0x22 { found.type = String(decoding: try scanner.text(), as: UTF8.self) }
            case "coordinates": found.coordinates = scanner.at
            case "geometry": found.geometry = scanner.at
            case "properties": found.properties = scanner.at
            case "features", "geometries":
                found.isKnown = true
                guard scanner.next() == UInt8(ascii: "[") else { return }
                try scanner.forEachValue { (scanner) throws(PluginError) in
                    if scanner.next() == UInt8(ascii: "{") { _ = try object(&scanner) }
                }
            case "name", "title":
                if isRoot, scanner.next() == 0x22 {
                    Self.hand(try scanner.text()) { features.words.take(title: $0) }
                }
            default: return
            }
        }
        return try take(found, scanner.bytes)
    }

    /// Reads the parts of an object whose places were remembered.
    private mutating func take(_ found: Found, _ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Bool {
        if found.type == "Topology" {
            throw PluginError(.unsupported, "the file is TopoJSON, which is not drawn: only GeoJSON is")
        }
        var scanner = JSONScanner(bytes)
        if found.type == "Feature" {
            features.beginGroup()
            style = 0
            if let properties = found.properties {
                scanner.at = properties
                if scanner.next() == UInt8(ascii: "{") { try take(properties: &scanner) }
            }
        }
        if found.type == "Feature", !isInFeature, let geometry = found.geometry {
            isInFeature = true
            defer { isInFeature = false }
            scanner.at = geometry
            if scanner.next() == UInt8(ascii: "{") { _ = try object(&scanner) }
        }
        guard let start = found.coordinates else { return found.isKnown || found.type == "Feature" }
        scanner.at = start
        guard scanner.next() == UInt8(ascii: "[") else { return true }
        switch found.type {
        case "Point": try point(&scanner)
        case "MultiPoint": try scanner.forEachValue { (scanner) throws(PluginError) in try point(&scanner) }
        case "LineString": try line(&scanner, .line)
        case "MultiLineString":
            try scanner.forEachValue { (scanner) throws(PluginError) in try line(&scanner, .line) }
        case "Polygon": try polygon(&scanner)
        case "MultiPolygon": try scanner.forEachValue { (scanner) throws(PluginError) in try polygon(&scanner) }
        default: return found.isKnown
        }
        return true
    }

    private func polygon(_ scanner: inout JSONScanner) throws(PluginError) {
        guard scanner.next() == UInt8(ascii: "[") else { return }
        var kind = Shape.Kind.ring
        try scanner.forEachValue { (scanner) throws(PluginError) in
            try line(&scanner, kind)
            kind = .hole
        }
    }

    private func line(_ scanner: inout JSONScanner, _ kind: Shape.Kind) throws(PluginError) {
        guard scanner.next() == UInt8(ascii: "[") else { return }
        features.begin(kind, style: style)
        try scanner.forEachValue { (scanner) throws(PluginError) in
            guard let place = try position(&scanner) else { return }
            features.add(place.longitude, place.latitude, elevation: place.elevation)
        }
        features.end()
    }

    private func point(_ scanner: inout JSONScanner) throws(PluginError) {
        guard let place = try position(&scanner) else { return }
        features.addPoint(place.longitude, place.latitude, style: style)
    }

    /// Reads `[longitude, latitude, elevation]`, the last one and more behind it being optional.
    /// - Returns: `nil` for anything else.
    private func position(
        _ scanner: inout JSONScanner
    ) throws(PluginError) -> (longitude: Double, latitude: Double, elevation: Double?)? {
        guard scanner.next() == UInt8(ascii: "[") else { return nil }
        var values = (Double.nan, Double.nan, Double.nan)
        var count = 0
        try scanner.forEachValue { (scanner) throws(PluginError) in
            guard count < 3, let number = scanner.number() else { return }
            switch count {
            case 0: values.0 = number
            case 1: values.1 = number
            default: values.2 = number
            }
            count += 1
        }
        guard count >= 2 else { return nil }
        // As in KML, 0 is mostly written where it is not known.
        return (values.0, values.1, values.2.isFinite && values.2 != 0 ? values.2 : nil)
    }

    /// Reads what is known of a feature.
    private mutating func take(properties scanner: inout JSONScanner) throws(PluginError) {
        var colors = FeatureStyle()
        try scanner.forEachMember { (scanner, name) throws(PluginError) in
            guard scanner.next() == 0x22, name.count <= 32 else { return }
            switch String(decoding: name, as: UTF8.self) {
            case "stroke": colors.line = FeatureColor(hexadecimal: try scanner.text())
            case "fill": colors.fill = FeatureColor(hexadecimal: try scanner.text())
            case "marker-color": colors.point = FeatureColor(hexadecimal: try scanner.text())
            case "name", "title", "Name", "NAME":
                Self.hand(try scanner.text()) { features.words.take(name: $0) }
            case "time": features.add(time: try scanner.text())
            default:
                if !features.words.isFull {
                    Self.hand(try scanner.text()) { features.words.take(description: $0) }
                }
            }
        }
        style = features.number(of: colors)
    }

    /// Hands over a text with what its escapes mean.
    private static func hand(_ text: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void) {
        guard text.count <= longest, let meaning = JSONScanner.meaning(text) else { return }
        Array(meaning.utf8).withUnsafeBytes(take)
    }
    private static let longest = 64 << 10
}
