internal import VitrineKit

/// Gathers what watches and bicycle computers keep in FIT files: activities, courses, segments and saved places. The numbers
/// of messages and fields are those of Garmin's FIT profile.
struct FITReader {
    private let features: FeatureGathering
    /// What the file is, as its first message says.
    private var type: UInt8?
    private var isOpen = false
    /// Whether what comes next is the way that was interrupted.
    private var goesOn = false

    /// - Returns: the sentence for a file without coordinates.
    /// - Throws: `corrupt` for what is no FIT file, or is damaged before there is a line or a place.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ features: FeatureGathering
    ) throws(PluginError) -> String {
        var reader = Self(features: features)
        var file = FITFile(bytes)
        let isWhole = try file.forEachMessage { (message, time) throws(PluginError) in reader.take(message, time) }
        features.end()
        guard isWhole || !features.shapes.isEmpty else {
            throw PluginError(.corrupt, "the FIT file is damaged or cut off, and there are no places before that")
        }
        return reader.emptiness
    }

    private init(features: FeatureGathering) { self.features = features }

    private mutating func take(_ message: FITMessage, _ time: Double?) {
        switch message.definition.number {
        case 0:
            type = message.number(0, UInt8.self)
            (isOpen, goesOn) = (false, false)
            features.beginGroup()
        // A sport by its own name, and a session by the number of it.
        case 12: features.words.take(description: message.text(3))
        case 18: takeSport(message.number(5, UInt8.self))
        case 20: takeRecord(message, time)
        // The timer starts again after a pause, in which one may have gone elsewhere.
        case 21: if message.number(0, UInt8.self) == 0, message.number(1, UInt8.self) == 0 { isOpen = false }
        case 29: takePlace(message, name: 0, latitude: 1, longitude: 2)
        case 31: features.words.take(name: message.text(5), of: .track)
        case 32: takePlace(message, name: 6, latitude: 2, longitude: 3)
        case 148: features.words.take(name: message.text(0), of: .track)
        case 150: addToWay(message, latitude: 1, longitude: 2, elevations: (4, 6))
        default: return
        }
    }

    private mutating func takeRecord(_ message: FITMessage, _ time: Double?) {
        addToWay(message, latitude: 0, longitude: 1, elevations: (2, 78))
        // Times of a course are those of a partner who is raced against.
        if let time, type != Self.course { features.add(seconds: time) }
    }

    private mutating func addToWay(
        _ message: FITMessage, latitude: UInt8, longitude: UInt8, elevations: (short: UInt8, long: UInt8)
    ) {
        guard let place = Self.place(message, latitude, longitude) else { return }
        if !isOpen { features.begin(type == Self.course || type == Self.segment ? .route : .track, goesOn: goesOn) }
        (isOpen, goesOn) = (true, true)
        let height =
            message.number(elevations.long, UInt32.self).map(Double.init)
            ?? message.number(elevations.short, UInt16.self).map(Double.init)
        // Fifths of a metre, from 500 metres below the sea.
        features.add(place.longitude, place.latitude, elevation: height.map { $0 / 5 - 500 })
    }

    private func takePlace(_ message: FITMessage, name: UInt8, latitude: UInt8, longitude: UInt8) {
        guard let place = Self.place(message, latitude, longitude) else { return }
        features.addPoint(place.longitude, place.latitude)
        features.words.take(name: message.text(name))
    }

    private func takeSport(_ number: UInt8?) {
        guard let number, let name = Self.sports[number] else { return }
        Array(name.utf8).withUnsafeBytes { features.words.take(description: $0) }
    }

    /// Degrees, of which 2³¹ are half of a circle.
    private static func place(
        _ message: FITMessage, _ latitude: UInt8, _ longitude: UInt8
    ) -> (longitude: Double, latitude: Double)? {
        guard let north = message.number(latitude, Int32.self), let east = message.number(longitude, Int32.self) else {
            return nil
        }
        return (Double(east) * degrees, Double(north) * degrees)
    }
    private static let degrees = 180 / 2_147_483_648.0

    private static let course: UInt8 = 6, segment: UInt8 = 34
    private static let sports: [UInt8: String] = [
        1: "Running", 2: "Cycling", 4: "Fitness equipment", 5: "Swimming", 10: "Training", 11: "Walking",
        12: "Cross-country skiing", 13: "Alpine skiing", 14: "Snowboarding", 15: "Rowing", 16: "Mountaineering",
        17: "Hiking", 18: "Multisport", 19: "Paddling", 20: "Flying", 21: "E-biking", 22: "Motorcycling", 23: "Boating",
        24: "Driving", 25: "Golf", 27: "Horseback riding", 28: "Hunting", 29: "Fishing", 30: "Inline skating",
        31: "Rock climbing", 32: "Sailing", 33: "Ice skating", 35: "Snowshoeing", 36: "Snowmobiling", 41: "Kayaking",
        42: "Rafting", 43: "Windsurfing", 44: "Kitesurfing",
    ]

    private var emptiness: String {
        switch type {
        case 4: "the FIT file has no coordinates: it was recorded without a position, as indoors"
        case 5: "the FIT file has no coordinates: it is a plan of a workout"
        case 15, 28, 32: "the FIT file has no coordinates: it holds what a watch counts during a day, such as steps"
        default:
            "the FIT file has no coordinates: it is neither a recording nor a course, a segment or a list of places"
        }
    }
}
