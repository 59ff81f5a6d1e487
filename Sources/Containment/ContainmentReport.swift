/// How well a worker is contained: one state for each layer.
///
/// It travels as text (``description`` and ``init(_:)``), in JSON too, so that it can be sent before anything
/// is known of the other side.
public struct ContainmentReport: Hashable, Sendable {
    /// One report for each layer, in the order of ``Containment/Layer``.
    public let layers: [LayerReport]

    /// Creates a report. A layer that is not among the reports counts as absent; of two reports of one layer the
    /// worse one counts.
    public init(_ reports: [LayerReport]) {
        layers = Containment.Layer.allCases.map { layer in
            let states = reports.filter { $0.layer == layer }
            return states.max { $0.state.severity < $1.state.severity }
                ?? LayerReport(layer, .absent("it was not tried"))
        }
    }

    /// The state of a layer.
    public subscript(layer: Containment.Layer) -> LayerReport.State {
        layers.first { $0.layer == layer }?.state ?? .absent("it was not tried")
    }

    /// The layers that are not active, to be said aloud.
    public var lacking: [LayerReport] { layers.filter { $0.state != .active } }

    /// Whether every layer is active.
    public var isComplete: Bool { lacking.isEmpty }
}

extension LayerReport.State {
    fileprivate var severity: Int {
        switch self {
        case .active: 0
        case .absent: 1
        case .broken: 2
        }
    }
}

extension ContainmentReport: CustomStringConvertible {
    /// One line for each layer, see ``LayerReport/description``; some 300 bytes.
    public var description: String { layers.map(\.description).joined(separator: "\n") }

    /// Parses what ``description`` made.
    /// - Parameter text: at most 8 KiB are accepted.
    /// - Returns: `nil` when a line is not a report, or the text is too long.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 8192 else { return nil }
        var reports: [LayerReport] = []
        for line in text.split(separator: "\n") {
            guard let report = LayerReport(line) else { return nil }
            reports.append(report)
        }
        self.init(reports)
    }
}

extension ContainmentReport: Codable {
    /// Decodes the text form.
    /// - Throws: `DecodingError` when the string is not a report.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let report = ContainmentReport(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a containment report")
        }
        self = report
    }

    /// Encodes the text form as one string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
