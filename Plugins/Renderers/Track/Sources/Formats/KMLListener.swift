internal import XML

/// Gathers what a KML document holds (OGC KML 2.2 and the versions before it, with Google's tracks): the geometry of its
/// placemarks, in the colours of their styles.
final class KMLListener: FeatureListener {
    enum Element: Int, FeatureElement {
        case other, document, folder, placemark, point, line, ring, inner, coordinates, track, trackPlace, time
        case name, description, style, styleMap, pair, key, styleLink, lineStyle, fillStyle, iconStyle, color, fill
        case outlink, overlay, author, cascade
    }
    static let names: [String: Element] = [
        "kml": .document, "Document": .folder, "Folder": .folder, "Placemark": .placemark, "Point": .point,
        "LineString": .line, "LinearRing": .ring, "innerBoundaryIs": .inner, "coordinates": .coordinates,
        "Track": .track, "coord": .trackPlace, "when": .time, "name": .name, "description": .description,
        "Style": .style, "StyleMap": .styleMap, "Pair": .pair, "key": .key, "styleUrl": .styleLink,
        "LineStyle": .lineStyle, "PolyStyle": .fillStyle, "IconStyle": .iconStyle, "color": .color, "fill": .fill,
        "NetworkLink": .outlink, "GroundOverlay": .overlay, "author": .author, "CascadingStyle": .cascade,
    ]

    let features: FeatureGathering
    var isKnown = false
    /// Whether it names other documents, and pictures to lie on the ground.
    private(set) var hasLinks = false, hasOverlays = false
    var open: [Element] = []
    private var styles = KMLStyles()
    /// What a style that is open says, and what it is called.
    private var style = FeatureStyle()
    private var styleName: String?
    private var mapName: String?
    /// What Google Earth on the web calls a style, around it.
    private var cascadeName: String?
    private var isNormal = false

    init(_ features: FeatureGathering) { self.features = features }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        let element = begin(meaning)
        switch element {
        case .placemark:
            features.beginGroup()
            styles.beginPlacemark()
        case .line: features.begin(.line, style: styles.current)
        case .ring: features.begin(open.contains(.inner) ? .hole : .ring, style: styles.current)
        case .track: features.begin(.track, style: styles.current)
        case .style: (style, styleName) = (FeatureStyle(), attributes.values["id"])
        case .cascade: cascadeName = attributes.values["id"]
        case .styleMap: mapName = attributes.values["id"]
        case .pair: isNormal = false
        case .outlink: hasLinks = true
        case .overlay: hasOverlays = true
        default: return
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let element = open.last else { return }
        let bytes = UnsafeRawBufferPointer(bytes)
        switch element {
        case .coordinates: addCoordinates(bytes, isPoint: parent == .point)
        case .trackPlace: addTrackPlace(bytes)
        case .time: if parent == .track { features.add(time: bytes) }
        case .name where parent == .author: features.words.take(author: bytes)
        case .name where parent == .folder && open.count(where: { $0 == .folder }) == 1:
            features.words.take(title: bytes)
        case .name: features.words.take(name: bytes)
        case .description: features.words.take(description: bytes)
        case .key: isNormal = bytes.elementsEqual("normal".utf8)
        case .styleLink: link(bytes)
        case .color: setColor(bytes)
        // A surface that is not filled.
        case .fill: if parent == .fillStyle, bytes.first == 0x30 { style.fill = .clear }
        default: return
        }
    }

    func end(_ meaning: Int) {
        guard let element = open.popLast() else { return }
        switch element {
        case .line, .ring, .track: features.end()
        case .style:
            if open.last == .pair, isNormal, let mapName { styles.define(mapName, style) }
            if let name = styleName ?? (open.last == .cascade ? cascadeName : nil) {
                styles.define(name, style)
            } else if open.last == .placemark {
                styles.use(style)
            }
        default: return
        }
    }

    /// Styles may be defined behind the last use of them.
    func finish() {
        features.end()
        let numbers = styles.resolved.map { features.number(of: $0) }
        features.restyle { numbers.indices ~= $0 ? numbers[$0] : 0 }
    }

    private func link(_ bytes: UnsafeRawBufferPointer) {
        guard let name = KMLStyles.name(bytes) else { return }
        if parent == .placemark { styles.use(name) }
        if parent == .pair, isNormal, let mapName { styles.define(mapName, as: name) }
    }

    private func setColor(_ bytes: UnsafeRawBufferPointer) {
        let color = FeatureColor(keyhole: bytes)
        switch parent {
        case .lineStyle: style.line = color
        case .fillStyle: style.fill = style.fill ?? color
        case .iconStyle: style.point = color
        default: return
        }
    }

    /// Reads `longitude,latitude[,altitude]` again and again, with blanks or semicolons between them.
    /// What is no number is left out, up to the next one of these.
    private func addCoordinates(_ bytes: UnsafeRawBufferPointer, isPoint: Bool) {
        var scanner = DecimalScanner(bytes)
        while true {
            scanner.skipBlanks()
            guard scanner.next != nil else { return }
            if scanner.take(UInt8(ascii: ";")) { continue }
            guard let longitude = scanner.number(), let latitude = Self.next(&scanner) else {
                scanner.skipWord()
                continue
            }
            let altitude = Self.next(&scanner)
            if isPoint {
                return features.addPoint(longitude, latitude, style: styles.current)
            }
            // Most write 0 where they do not know it.
            features.add(longitude, latitude, elevation: altitude == 0 ? nil : altitude)
        }
    }

    /// The number behind a comma here.
    private static func next(_ scanner: inout DecimalScanner) -> Double? {
        let start = scanner.at
        scanner.skipBlanks()
        guard scanner.take(UInt8(ascii: ",")) else {
            scanner.at = start
            return nil
        }
        scanner.skipBlanks()
        return scanner.number()
    }

    private func addTrackPlace(_ bytes: UnsafeRawBufferPointer) {
        var scanner = DecimalScanner(bytes)
        scanner.skipBlanks()
        guard let longitude = scanner.number() else { return }
        scanner.skipBlanks()
        guard let latitude = scanner.number() else { return }
        scanner.skipBlanks()
        features.add(longitude, latitude, elevation: scanner.number())
    }
}
