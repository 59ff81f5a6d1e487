import CExpat
import Glibc
import VitrineKit

/// What expat tells: keeps the limits, and hands it on to a listener, or gathers it until it is taken.
///
/// ``XMLReader`` keeps it where expat finds it. It is no object: those count who holds them and who changes them, which for
/// a few bytes at a time would be half of the work.
struct XMLGathering: ~Copyable {
    let subject: String
    private let limits: XMLLimits
    private let listener: (any XMLListener)?
    private var events: [XMLEvent] = []
    private var names = XMLNames()
    /// The elements that are open, the innermost last: for a listener their meanings, else their numbers in ``names``,
    /// or ``unknown``.
    private var open: [Int] = []
    private var pending: [UInt8] = []
    private var bytes: Int64 = 0
    /// Whether nothing more is taken. Expat goes on to the end of the part that it has.
    private var isRefused = false
    private var reason = ""

    /// Of a name that is one too many to be remembered.
    private static let unknown = -1

    init(_ subject: String, _ limits: XMLLimits, _ listener: (any XMLListener)?) {
        self.subject = subject
        self.limits = limits
        self.listener = listener
    }

    /// Throws why nothing more is taken, if that is so.
    func check() throws(PluginError) {
        if isRefused { throw PluginError(.corrupt, "\(subject) \(reason): it is not read") }
    }

    mutating func count(_ more: Int) throws(PluginError) {
        try check()
        bytes += Int64(more)
        if bytes > limits.bytes { refuse("is longer than \(limits.bytes) bytes") }
        try check()
    }

    /// Checks what is waiting for the rest of a tag.
    mutating func waiting(behind index: Int64) {
        if bytes - index > Int64(limits.text) * 8 { refuse("has a tag of more than \(limits.text * 8) bytes") }
    }

    /// - Parameters:
    ///   - spelling: the name as expat spells it.
    ///   - attributes: names and values in turn, up to a null.
    mutating func start(_ spelling: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard !isRefused else { return }
        guard open.count < limits.depth else {
            return refuse("has more than \(limits.depth) elements in one another")
        }
        var next = attributes
        while let pair = next, let key = pair[0], let value = pair[1] {
            guard strlen(key) + strlen(value) <= limits.text else {
                return refuse("has an attribute of more than \(limits.text) bytes")
            }
            next = pair + 2
        }
        flush()
        let number = names.number(of: spelling) { listener?.meaning(of: $0) ?? 0 }
        guard let listener else {
            open.append(number ?? Self.unknown)
            let name = number.map { names[$0].name } ?? XMLName(spelling: spelling)
            events.append(.start(name, attributes: XMLAttributes(attributes).values))
            return
        }
        let meaning = number.map { names[$0].meaning } ?? listener.meaning(of: XMLName(spelling: spelling))
        open.append(meaning)
        listener.start(meaning, XMLAttributes(attributes))
    }

    mutating func end(_ spelling: UnsafePointer<CChar>) {
        // Expat sees to it that the element which ends is the one that began last.
        guard !isRefused, let last = open.popLast() else { return }
        flush()
        guard let listener else {
            events.append(.end(last == Self.unknown ? XMLName(spelling: spelling) : names[last].name))
            return
        }
        listener.end(last)
    }

    mutating func text(_ part: UnsafeBufferPointer<UInt8>) {
        guard !isRefused else { return }
        guard pending.count + part.count <= limits.text else {
            return refuse("has a text of more than \(limits.text) bytes")
        }
        pending.append(contentsOf: part)
    }

    mutating func refuse(_ why: String) {
        if !isRefused { (isRefused, reason) = (true, why) }
        events = []
        pending = []
    }

    /// The events so far. A text that may go on in the next part stays.
    mutating func take() -> [XMLEvent] {
        defer { events = [] }
        return events
    }

    /// Hands on the text that has come, which is whole.
    mutating func flush() {
        guard !pending.isEmpty else { return }
        if let listener {
            pending.withUnsafeBufferPointer { listener.text($0) }
        } else {
            events.append(.text(String(decoding: pending, as: UTF8.self)))
        }
        pending.removeAll(keepingCapacity: true)
    }
}
