internal import XML

/// Gathers what a file of Garmin's Training Center holds (Training Center Database, version 2): activities and courses.
final class TCXListener: FeatureListener {
    enum Element: Int, FeatureElement {
        case other, document, activity, course, track, trackPoint, coursePoint, longitude, latitude, elevation, time
        case name, notes
    }
    static let names: [String: Element] = [
        "TrainingCenterDatabase": .document, "Activity": .activity, "Course": .course, "Track": .track,
        "Trackpoint": .trackPoint, "CoursePoint": .coursePoint, "LongitudeDegrees": .longitude,
        "LatitudeDegrees": .latitude, "AltitudeMeters": .elevation, "Time": .time, "Name": .name, "Notes": .notes,
    ]

    let features: FeatureGathering
    var isKnown = false
    var open: [Element] = []
    private var longitude: Double?
    private var latitude: Double?
    private var elevation: Double?

    init(_ features: FeatureGathering) { self.features = features }

    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        let element = begin(meaning)
        switch element {
        case .activity, .course:
            features.beginGroup()
            if let sport = attributes.values["Sport"] {
                Array(sport.utf8).withUnsafeBytes { features.words.take(description: $0) }
            }
        case .track: features.begin(open.contains(.course) ? .route : .track)
        case .trackPoint, .coursePoint: (longitude, latitude, elevation) = (nil, nil, nil)
        default: return
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeRawBufferPointer(bytes)
        switch (open.last, parent) {
        case (.longitude, _): longitude = DecimalScanner.number(bytes)
        case (.latitude, _): latitude = DecimalScanner.number(bytes)
        case (.elevation, .trackPoint): elevation = DecimalScanner.number(bytes)
        // Times of a course are those of a partner who is raced against.
        case (.time, .trackPoint) where !open.contains(.course): features.add(time: bytes)
        case (.name, .course): features.words.take(name: bytes, of: .track)
        case (.name, .coursePoint): features.words.take(name: bytes)
        case (.notes, _): features.words.take(description: bytes)
        default: return
        }
    }

    func end(_ meaning: Int) {
        guard let element = open.popLast() else { return }
        switch element {
        case .trackPoint:
            if let longitude, let latitude {
                features.add(longitude, latitude, elevation: elevation)
            }
        case .coursePoint:
            if let longitude, let latitude { features.addPoint(longitude, latitude) }
        case .track: features.end()
        default: return
        }
    }
}
