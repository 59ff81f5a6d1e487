import Testing
import VitrineKit
import XML

/// All events of a document that comes in parts of some bytes.
private func events(_ text: String, parts: Int = 7, limits: XMLLimits = XMLLimits()) throws -> [XMLEvent] {
    let reader = XMLReader("the document", limits: limits)
    var rest = Array(text.utf8)[...]
    var events: [XMLEvent] = []
    while !rest.isEmpty {
        events += try reader.events(from: Array(rest.prefix(parts)), isLast: false)
        rest = rest.dropFirst(parts)
    }
    return events + (try reader.events(from: [], isLast: true))
}

@Test(arguments: [1, 7, 4096]) func readsElementsOfNamespaces(parts: Int) throws {
    let text = "<?xml version='1.0'?><a:x xmlns:a='DAV:'><y z='1 &lt; 2'>J&amp;R &#8364;</y></a:x>"
    let found = try events(text, parts: parts)
    #expect(
        found == [
            .start(XMLName("DAV:", "x"), attributes: [:]), .start(XMLName("", "y"), attributes: ["z": "1 < 2"]),
            .text("J&R €"), .end(XMLName("", "y")), .end(XMLName("DAV:", "x")),
        ])
}

@Test func refusesEntities() {
    let laughs = """
        <!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
        <l>&c;</l>
        """
    #expect { try events(laughs) } throws: { ($0 as? PluginError)?.message.contains("document type") == true }
    let file = "<!DOCTYPE l [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><l>&a;</l>"
    #expect { try events(file) } throws: { ($0 as? PluginError)?.code == .corrupt }
    #expect { try events("<l>&unknown;</l>") } throws: { ($0 as? PluginError)?.code == .corrupt }
}

@Test func refusesWhatIsTooLarge() {
    let limits = XMLLimits(bytes: 10_000, depth: 10, text: 100)
    let deep = String(repeating: "<a>", count: 11)
    let long = "<a>" + String(repeating: "x", count: 101)
    let wide = String(repeating: "<a>", count: 9) + String(repeating: "<b/>", count: 2500)
    let tag = "<a " + String(repeating: "b", count: 900)
    for text in [deep, long, wide, tag] {
        #expect { try events(text, limits: limits) } throws: {
            ($0 as? PluginError)?.message.contains("not read") == true
        }
    }
    #expect(throws: Never.self) { try events("<a>" + String(repeating: "x", count: 100) + "</a>", limits: limits) }
}

@Test(arguments: ["", "<a>", "<a></b>", "plain", "<a/><b/>", "<a>\u{0}</a>"])
func refusesWhatIsNoXML(text: String) {
    #expect { try events(text) } throws: { ($0 as? PluginError)?.code == .corrupt }
}

/// Makes events of what a listener is told.
private final class Scribe: XMLListener {
    private(set) var events: [XMLEvent] = []
    private var names: [XMLName] = []

    func meaning(of name: XMLName) -> Int {
        names.append(name)
        return names.count - 1
    }
    func start(_ meaning: Int, _ attributes: XMLAttributes) {
        events.append(.start(names[meaning], attributes: attributes.values))
    }
    func text(_ bytes: UnsafeBufferPointer<UInt8>) { events.append(.text(String(decoding: bytes, as: UTF8.self))) }
    func end(_ meaning: Int) { events.append(.end(names[meaning])) }
}

@Test(arguments: [1, 7, 4096]) func listenersAreToldTheSame(parts: Int) throws {
    // More names than are remembered, in records that are like one another and some that are not.
    let fields = (0..<40).map { "<f\($0) a='\($0)'>&lt;\($0)</f\($0)>" }
    let records = [fields, fields, fields.reversed(), Array(fields.prefix(3))].map { "<r>\($0.joined())</r>" }
    let text = "<x:l xmlns:x='DAV:' xmlns='urn:other'>\(records.joined(separator: "\n"))</x:l>"
    let scribe = Scribe()
    let reader = XMLReader("the document", listener: scribe)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        try reader.read(Array(rest.prefix(parts)), isLast: false)
        rest = rest.dropFirst(parts)
    }
    try reader.read([], isLast: true)
    let usual = try events(text, parts: parts)
    #expect(usual.count > 300 && scribe.events == usual)
}

@Test(arguments: ["", "<a><b></a></b>", "<!DOCTYPE a><a/>", "<a>\(String(repeating: "x", count: 101))</a>"])
func listenersAreToldNoTextOfWhatIsRefused(text: String) {
    let scribe = Scribe()
    let reader = XMLReader("the document", limits: XMLLimits(text: 100), listener: scribe)
    let error = #expect(throws: PluginError.self) { try reader.read(Array(text.utf8), isLast: true) }
    #expect(error?.code == .corrupt && !scribe.events.contains { if case .text = $0 { true } else { false } })
    #expect(throws: PluginError.self) { try reader.read(Array("<a/>".utf8), isLast: true) }
}
