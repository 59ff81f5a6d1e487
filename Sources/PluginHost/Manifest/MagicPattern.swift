/// Bytes by which a type is known: one element of `magic` in `plugin.json`.
///
/// ```json
/// { "type": "application/pdf", "offset": 0, "bytes": "255044462d", "within": 1024 }
/// { "type": "image/webp", "offset": 0, "bytes": "52494646", "and": [{ "offset": 8, "bytes": "57454250" }] }
/// { "type": "application/gpx+xml", "xml": "gpx", "namespace": "http://www.topografix.com/GPX/1/1" }
/// { "type": "application/geo+json", "json": { "type": "FeatureCollection" } }
/// { "type": "video/lottie+json", "json": ["v", "fr", "ip", "op"] }
/// ```
public struct MagicPattern: Hashable, Sendable {
    /// Bytes at a place.
    public struct Part: Hashable, Sendable {
        /// Where they begin, counted from the start of the file.
        public let offset: Int
        /// The bytes, 1 to 64.
        public let bytes: [UInt8]
    }

    /// The MIME type that they mean, in lower case.
    public let type: String
    /// The bytes to look for; none where ``document`` says what is looked for.
    public let part: Part
    /// How much later than its offset ``part`` may begin. Default 0.
    public let within: Int
    /// Further bytes that must be there as well, each exactly at its offset.
    public let and: [Part]
    /// How a document begins that is told by more than bytes. Default `nil`.
    public let document: DocumentMark?

    /// How many bytes of a file's beginning patterns may speak about.
    public static let reach = 4096

    /// How many bytes must agree: of two patterns that match, the one with more of them is believed. Of a document all that
    /// stands before its mark was understood, which is more than any bytes.
    public var specificity: Int {
        if let document { return Self.reach + document.length }
        return and.reduce(part.bytes.count) { $0 + $1.bytes.count }
    }

    /// A byte without which nothing matches, and where it stands; `nil` when all that is looked for may begin at several
    /// places.
    var landmark: (offset: Int, byte: UInt8)? {
        let fixed = within == 0 && document == nil ? part : and.first
        return fixed.map { ($0.offset, $0.bytes[0]) }
    }

    /// Whether a file that begins so is of the type.
    /// - Parameter head: the first bytes of the file, ``reach`` of them or all that there are.
    public func matches(_ head: [UInt8]) -> Bool {
        if let document { return document.begins(head) }
        let count = part.bytes.count
        let last = min(part.offset + within, head.count - count)
        guard part.offset <= last, and.allSatisfy({ Self.found($0.bytes, at: $0.offset, in: head) }) else {
            return false
        }
        return (part.offset...last).contains { Self.found(part.bytes, at: $0, in: head) }
    }

    private static func found(_ bytes: [UInt8], at offset: Int, in head: [UInt8]) -> Bool {
        offset <= head.count - bytes.count && head[offset] == bytes[0]
            && head[offset..<offset + bytes.count].elementsEqual(bytes)
    }
}

extension MagicPattern {
    enum Field: String, CaseIterable { case type, offset, bytes, within, and, xml, namespace, json }

    /// Takes a pattern, which may not reach beyond ``reach``.
    init(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        type = try fields.text(.type).lowercased()
        guard ManifestText.isMIMEType(type) else { throw fields.fault(.type, ManifestText.mimeTypeWanted(type)) }
        document = try DocumentMark(fields)
        guard document == nil else {
            try Self.checkAlone(fields)
            (part, within, and) = (Part.none, 0, [])
            return
        }
        part = try Part(fields.fields(Part.Field.self))
        within = try fields.wholeNumber(.within, default: 0)
        guard 0...Self.reach ~= within, part.offset + within + part.bytes.count <= Self.reach else {
            throw fields.fault(
                .within, "\(within) is out of range; the bytes must lie in the first \(Self.reach) of a file")
        }
        var and: [Part] = []
        for part in try fields.objects(.and, of: Part.Field.self) { and.append(try Part(part)) }
        guard and.count <= 8 else { throw fields.fault(.and, "there are \(and.count) parts; 8 are allowed") }
        self.and = and
    }

    /// What else a pattern has that looks for a document would be passed over in silence.
    private static func checkAlone(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        let allowed: Set<Field> = fields.has(.xml) ? [.type, .xml, .namespace] : [.type, .json]
        guard let other = Field.allCases.first(where: { fields.has($0) && !allowed.contains($0) }) else { return }
        throw fields.fault(
            other, "a pattern looks for bytes, for XML or for JSON: '\(other.rawValue)' does not go with the rest")
    }
}

extension MagicPattern.Part {
    enum Field: String, CaseIterable { case offset, bytes }

    /// No bytes.
    fileprivate static let none = Self(offset: 0, bytes: [])

    /// Takes bytes written in hexadecimal, and where they are.
    init(_ fields: ManifestObject<Field>) throws(ManifestFault) {
        offset = try fields.wholeNumber(.offset)
        let text = try fields.text(.bytes)
        guard let bytes = ManifestText.bytes(hexadecimal: text), 1...64 ~= bytes.count else {
            throw fields.fault(.bytes, "1 to 64 bytes are wanted, each as two hexadecimal digits")
        }
        guard offset >= 0, offset <= MagicPattern.reach - bytes.count else {
            throw fields.fault(
                .offset, "\(offset) is out of range; the bytes must lie in the first \(MagicPattern.reach) of a file")
        }
        self.bytes = bytes
    }
}
