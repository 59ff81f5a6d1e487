import Foundation

/// One line of `--progress json`.
struct ProgressLine: Sendable {
    /// A line that is no object, or lacks what it must have.
    struct Malformed: Error, CustomStringConvertible {
        var line: Substring
        var description: String { "no line of progress: \(line)" }
    }

    /// What it is about.
    let event: String
    /// The fields that it has.
    let fields: Set<String>
    /// The fields of the objects in `failedSources`.
    let fieldsOfSources: Set<String>
    private let values: Values

    init(_ line: String) throws {
        let data = Data(line.utf8)
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw Malformed(line: line[...])
        }
        fields = Set(object.keys)
        let sources = object["failedSources"] as? [[String: Any]] ?? []
        fieldsOfSources = Set(sources.flatMap(\.keys))
        values = try JSONDecoder().decode(Values.self, from: data)
        event = values.event
    }

    var uri: String { values.uri ?? "" }
    var outcome: String { values.outcome ?? "" }
    var code: String? { values.code }
    var reason: String? { values.reason }
    var remembered: Bool { values.remembered ?? false }
    var type: String? { values.type }
    var renderer: String? { values.renderer }
    /// Paths by size.
    var previews: [String: String] { values.previews ?? [:] }
    var made: Int { values.made ?? -1 }
    var valid: Int { values.valid ?? -1 }
    var failed: Int { values.failed ?? -1 }
    var skipped: Int { values.skipped ?? -1 }
    var planned: Int { values.planned ?? -1 }
    var found: Int { values.found ?? -1 }
    var bytes: Int64 { values.bytes ?? -1 }
    var seconds: Double { values.seconds ?? -1 }
    var interrupted: Bool { values.interrupted ?? false }
    var stopped: String? { values.stopped }
    var failedSources: [FailedSource] { values.failedSources ?? [] }

    /// How an item ended, in a word: the reason's code where there is one.
    var result: String { code ?? outcome }

    struct FailedSource: Decodable, Sendable {
        var uri: String
        var code: String
        var reason: String
    }

    private struct Values: Decodable, Sendable {
        var event: String
        var uri: String?
        var outcome: String?
        var code: String?
        var reason: String?
        var remembered: Bool?
        var type: String?
        var renderer: String?
        var previews: [String: String]?
        var made: Int?
        var valid: Int?
        var failed: Int?
        var skipped: Int?
        var planned: Int?
        var found: Int?
        var bytes: Int64?
        var seconds: Double?
        var interrupted: Bool?
        var stopped: String?
        var failedSources: [FailedSource]?
    }
}
