import CExpat
import Glibc
import VitrineKit

/// What expat told, until it is taken; keeps the limits.
final class XMLGathering {
    let subject: String
    private let limits: XMLLimits
    private var events: [XMLEvent] = []
    /// Names as expat spells them: a document has few, thousands of times each.
    private var names: [(spelling: [CChar], name: XMLName)] = []
    private static let mostNames = 32
    private var pending: [UInt8] = []
    private var depth = 0
    private var bytes: Int64 = 0
    /// Why nothing more is taken. Expat goes on to the end of the part that it has.
    private(set) var refusal: PluginError?

    init(_ subject: String, _ limits: XMLLimits) {
        self.subject = subject
        self.limits = limits
    }

    func count(_ more: Int) throws(PluginError) {
        if let refusal { throw refusal }
        bytes += Int64(more)
        if bytes > limits.bytes { refuse("is longer than \(limits.bytes) bytes") }
        if let refusal { throw refusal }
    }

    /// Checks what is waiting for the rest of a tag.
    func waiting(behind index: Int64) {
        if bytes - index > Int64(limits.text) * 8 { refuse("has a tag of more than \(limits.text * 8) bytes") }
    }

    func start(_ name: XMLName, _ attributes: [String: String]) {
        guard refusal == nil else { return }
        depth += 1
        guard depth <= limits.depth else { return refuse("has more than \(limits.depth) elements in one another") }
        guard attributes.allSatisfy({ $0.key.utf8.count + $0.value.utf8.count <= limits.text }) else {
            return refuse("has an attribute of more than \(limits.text) bytes")
        }
        flush()
        events.append(.start(name, attributes: attributes))
    }

    func end(_ name: XMLName) {
        guard refusal == nil else { return }
        depth -= 1
        flush()
        events.append(.end(name))
    }

    func text(_ part: UnsafeBufferPointer<UInt8>) {
        guard refusal == nil else { return }
        guard pending.count + part.count <= limits.text else {
            return refuse("has a text of more than \(limits.text) bytes")
        }
        pending += part
    }

    func refuse(_ why: String) {
        if refusal == nil { refusal = PluginError(.corrupt, "\(subject) \(why): it is not read") }
        events = []
        pending = []
    }

    /// A text that may go on in the next part stays.
    func take(isLast: Bool) -> [XMLEvent] {
        if isLast { flush() }
        defer { events = [] }
        return events
    }

    private func flush() {
        guard !pending.isEmpty else { return }
        events.append(.text(String(decoding: pending, as: UTF8.self)))
        pending.removeAll(keepingCapacity: true)
    }

    /// The name that expat spells so.
    func known(_ text: UnsafePointer<CChar>) -> XMLName {
        for known in names {
            let isSame = known.spelling.withUnsafeBufferPointer { spelling in
                spelling.baseAddress.map { strcmp($0, text) == 0 } ?? false
            }
            if isSame { return known.name }
        }
        let name = Self.name(text)
        if names.count < Self.mostNames {
            names.append((Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1)), name))
        }
        return name
    }

    /// Takes `namespace name` apart.
    static func name(_ text: UnsafePointer<CChar>) -> XMLName {
        let whole = String(cString: text)
        guard let blank = whole.utf8.lastIndex(of: 0x20) else { return XMLName("", whole) }
        return XMLName(String(whole[..<blank]), String(whole[whole.utf8.index(after: blank)...]))
    }
}
