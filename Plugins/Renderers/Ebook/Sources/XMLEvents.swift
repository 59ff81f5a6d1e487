internal import CExpat
internal import VitrineKit

/// A walk through XML by expat, one event after the other. Entities that a file declares are never expanded, and
/// nothing outside of the file is asked for.
final class XMLEvents {
    /// What happens in a document.
    enum Event {
        /// An element begins: its name without prefix, and its attributes, named alike.
        case start(String, [String: String])
        /// An element ends.
        case end(String)
        /// Text between them, in parts.
        case text(String)
    }

    private let use: (Event) -> Bool
    private let parser: XML_Parser
    private var depth = 0
    private var stopped = false

    /// Elements within elements.
    private static let deepest = 256
    /// The longest attribute that is kept, in bytes.
    private static let longest = 8 << 10

    private init?(_ use: @escaping (Event) -> Bool) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        self.parser = parser
        self.use = use
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { owner, name, attributes in XMLEvents.from(owner)?.start(name, attributes) },
            { owner, name in XMLEvents.from(owner)?.end(name) })
        XML_SetCharacterDataHandler(parser) { owner, text, count in
            guard let text, count > 0 else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            XMLEvents.from(owner)?.happened(.text(String(decoding: bytes, as: UTF8.self)))
        }
        XML_SetUnknownEncodingHandler(parser, letterTable, nil)
        // A declared entity ends the walk: books have none, and those that have are bombs.
        XML_SetEntityDeclHandler(parser) { owner, _, _, _, _, _, _, _, _ in XMLEvents.from(owner)?.stop() }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads a document in pieces.
    /// - Parameters:
    ///   - next: the next piece, empty at the end.
    ///   - use: gets each event; returns whether to go on.
    /// - Returns: whether the document was well-formed, as far as it was read.
    /// - Throws: what `next` throws.
    @discardableResult static func read(
        _ next: () throws(PluginError) -> [UInt8], _ use: @escaping (Event) -> Bool
    ) throws(PluginError) -> Bool {
        guard let events = XMLEvents(use) else {
            throw PluginError(.limitExceeded, "there is no memory to read the book's description")
        }
        while true {
            let bytes = try next()
            let piece = bytes.withUnsafeBytes { buffer in
                XML_Parse(
                    events.parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(buffer.count),
                    bytes.isEmpty ? 1 : 0)
            }
            if events.stopped { return true }
            guard piece == XML_STATUS_OK else { return false }
            if bytes.isEmpty { return true }
        }
    }

    /// Reads a document that is in memory.
    @discardableResult static func read(_ bytes: [UInt8], _ use: @escaping (Event) -> Bool) throws(PluginError) -> Bool
    {
        var rest = bytes[...]
        return try read(
            { () throws(PluginError) in
                defer { rest = rest.dropFirst(1 << 16) }
                return Array(rest.prefix(1 << 16))
            }, use)
    }

    private static func from(_ owner: UnsafeMutableRawPointer?) -> XMLEvents? {
        owner.map { Unmanaged<XMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop() {
        stopped = true
        XML_StopParser(parser, 0)
    }

    private func happened(_ event: Event) {
        if !stopped, !use(event) { stop() }
    }

    private func start(
        _ name: UnsafePointer<XML_Char>?, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        depth += 1
        guard let name, depth <= Self.deepest else { return stop() }
        var found: [String: String] = [:]
        var at = attributes
        while let pair = at, let key = pair[0], let value = pair[1] {
            let text = String(cString: value)
            if text.utf8.count <= Self.longest { found[Self.local(key)] = text }
            at = pair + 2
        }
        happened(.start(Self.local(name), found))
    }

    private func end(_ name: UnsafePointer<XML_Char>?) {
        depth -= 1
        if let name { happened(.end(Self.local(name))) }
    }

    /// A name without its prefix.
    private static func local(_ name: UnsafePointer<XML_Char>) -> String {
        let text = String(cString: name)
        return text.lastIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
    }
}

/// Called by expat for an encoding that it does not know by itself.
private let letterTable: XML_UnknownEncodingHandler = { _, name, encoding in
    guard let name, let encoding, let table = LetterTable(named: String(cString: name)) else {
        return CInt(XML_STATUS_ERROR.rawValue)
    }
    withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
        for (byte, letter) in table.letters.enumerated() {
            map.storeBytes(of: letter, toByteOffset: byte * MemoryLayout<CInt>.stride, as: CInt.self)
        }
    }
    return CInt(XML_STATUS_OK.rawValue)
}
