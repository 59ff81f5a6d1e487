internal import MIME
internal import VitrineKit
internal import XML

/// Gathers what one of the formats in XML holds.
protocol FeatureListener: XMLListener {
    /// What elements are to it.
    associatedtype Element: FeatureElement
    /// By local name; the rest are none of its business.
    static var names: [String: Element] { get }
    /// Where it is gathered.
    var features: FeatureGathering { get }
    /// Those that have begun and not ended, the outermost one first.
    var open: [Element] { get set }
    /// Whether the document is of the format, by the name of its first element.
    var isKnown: Bool { get set }
    /// Ends what is begun, at the end of the document or where it is damaged.
    func finish()
}

extension FeatureListener {
    func meaning(of name: XMLName) -> Int { (Self.names[name.local] ?? .other).rawValue }

    /// Notes that an element begins.
    func begin(_ meaning: Int) -> Element {
        let element = Element(rawValue: meaning) ?? .other
        if open.isEmpty { isKnown = element == .document }
        open.append(element)
        return element
    }

    /// What the last one that began stands in.
    var parent: Element { open.count > 1 ? open[open.count - 2] : .other }

    func finish() { features.end() }
}

/// Reads documents piece by piece, with memory for one piece.
enum FeatureDocument {
    /// Bytes of a piece; and of one text, which in KML is all of a line.
    private static let piece = 1 << 20, longestText = 128 << 20

    /// Reads a document. Of one that is damaged, or was never ended, the lines before that place are as good as any.
    /// - Parameters:
    ///   - name: what it is, such as `GPX`.
    ///   - pieces: the next bytes; empty at the end.
    /// - Throws: `corrupt` for what is no such document, or holds no line before it is damaged, or what `pieces` throws.
    static func read(
        _ name: String, _ listener: some FeatureListener, _ pieces: () throws(PluginError) -> [UInt8]
    ) throws(PluginError) {
        let reader = XMLReader(
            "the \(name) document", limits: XMLLimits(bytes: .max, text: longestText), listener: listener,
            knowsNamespaces: false)
        var charset: String?
        var isFirst = true
        while true {
            var bytes = try pieces()
            if isFirst {
                bytes = Array(bytes.drop { $0 <= 0x20 })
                charset = Self.charset(&bytes)
            }
            isFirst = false
            if let charset { bytes = Array(Charset.text(bytes, charset: charset).utf8) }
            do throws(PluginError) { try reader.read(bytes, isLast: bytes.isEmpty) } catch {
                listener.finish()
                guard error.code == .corrupt, listener.isKnown, listener.features.hasLine else { throw error }
                return
            }
            guard !bytes.isEmpty else { break }
        }
        guard listener.isKnown else {
            throw PluginError(
                .corrupt, "the file is XML, but no \(name) document: its first element is not one of \(name)")
        }
        listener.finish()
    }

    /// The encoding that a document names, when each of its letters is one byte and the XML parser knows none such: it is taken
    /// out of the declaration.
    private static func charset(_ bytes: inout [UInt8]) -> String? {
        let head = bytes.prefix(200).prefix { $0 != UInt8(ascii: ">") }
        let text = String(decoding: head, as: UTF8.self)
        guard text.hasPrefix("<?xml"), let mark = text.firstRange(of: "encoding=") else { return nil }
        let name = text[mark.upperBound...].dropFirst().prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
        }
        let upper = name.uppercased()
        guard upper.hasPrefix("WINDOWS-125") || upper.hasPrefix("KOI8-") || upper.hasPrefix("ISO-8859-"),
            upper != "ISO-8859-1"
        else { return nil }
        bytes.replaceSubrange(0..<head.count, with: Array("<?xml version=\"1.0\"?".utf8))
        return String(name)
    }

    /// Reads a file.
    static func read(
        _ name: String, _ listener: some FeatureListener, _ input: any RandomAccessInput
    ) throws(PluginError) {
        var offset: Int64 = 0
        try read(name, listener) { () throws(PluginError) in
            let bytes = try input.bytes(at: offset, count: piece)
            offset += Int64(bytes.count)
            return bytes
        }
    }

    /// Reads what was unpacked.
    static func read(_ name: String, _ listener: some FeatureListener, _ bytes: [UInt8]) throws(PluginError) {
        var rest = bytes[...]
        try read(name, listener) { () throws(PluginError) in
            let next = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            return next
        }
    }
}
