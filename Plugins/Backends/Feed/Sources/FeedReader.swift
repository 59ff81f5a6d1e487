import Transfer
import VitrineKit
import XML

/// Takes the entries out of RSS 2.0, RSS 1.0 (RDF) and Atom, with the extensions for media that are in use. What is not known
/// is passed over.
struct FeedReader {
    private enum Space {
        static let atom = "http://www.w3.org/2005/Atom"
        static let media = "http://search.yahoo.com/mrss/"
        static let itunes = "http://www.itunes.com/dtds/podcast-1.0.dtd"
        static let content = "http://purl.org/rss/1.0/modules/content/"
        static let dublin = "http://purl.org/dc/elements/1.1/"
    }

    /// More entries than anybody scrolls through.
    static let longest = 2000
    private static let mediaLimit = 50

    private let xml: XMLReader
    private var entries: [FeedEntry] = []
    private var entry: FeedEntry?
    private var path: [XMLName] = []
    private var text = ""
    private var isFeed = false
    /// The media of the current group: several sizes and formats of one thing, of which the first is taken.
    private var groupHasMedia = false

    init(_ subject: String) {
        xml = XMLReader(subject, limits: XMLLimits(bytes: FeedReader.longestFeed, text: 1 << 20))
    }

    static let longestFeed: Int64 = 32 << 20

    /// Reads a whole feed, of which the first ``longest`` entries are kept.
    /// - Throws: `corrupt` when it is no XML, `invalidArgument` when it is no feed.
    static func read(_ bytes: [UInt8], _ subject: String) throws(PluginError) -> [FeedEntry] {
        var reader = FeedReader(subject)
        for event in try reader.xml.events(from: bytes, isLast: true) { reader.take(event) }
        guard reader.isFeed else {
            throw PluginError(.invalidArgument, "\(subject) is XML, but no feed: neither RSS nor Atom")
        }
        return reader.entries
    }

    private mutating func take(_ event: XMLEvent) {
        switch event {
        case .start(let name, let attributes):
            if path.isEmpty { isFeed = ["rss", "RDF", "feed"].contains(name.local) }
            path.append(name)
            text = ""
            start(name, attributes)
        case .text(let part): text += part
        case .end(let name):
            end(name)
            path.removeLast()
            text = ""
        }
    }

    private mutating func start(_ name: XMLName, _ attributes: [String: String]) {
        switch (name.namespace, name.local) {
        case (_, "item"), (Space.atom, "entry"): entry = FeedEntry()
        case (Space.media, "group"): groupHasMedia = false
        case (Space.media, "content"):
            let isInGroup = path.dropLast().last?.local == "group"
            guard !isInGroup || !groupHasMedia else { return }
            if add(attributes["url"], attributes["type"], attributes["fileSize"]) { groupHasMedia = true }
        case (Space.media, "thumbnail"): add(attributes["url"], nil, nil)
        case (Space.itunes, "image"): add(attributes["href"], nil, nil)
        case (_, "enclosure"):
            add(attributes["url"] ?? attributes["resource"], attributes["type"], attributes["length"])
        case (Space.atom, "link") where attributes["rel"] == "enclosure":
            add(attributes["href"], attributes["type"], attributes["length"])
        case (Space.atom, "content") where attributes["src"] != nil: add(attributes["src"], attributes["type"], nil)
        default: return
        }
    }

    private mutating func end(_ name: XMLName) {
        guard entry != nil else { return }
        switch (name.namespace, name.local) {
        case (_, "item"), (Space.atom, "entry"): finish()
        case (Space.media, "title"): return
        case (_, "title"): if path.count >= 2, isOfEntry { entry?.title = text.trimmed }
        case (_, "guid"), (Space.atom, "id"): if isOfEntry { entry?.identifier = text.trimmed }
        case (_, "link") where entry?.identifier.isEmpty == true && !text.trimmed.isEmpty:
            if isOfEntry { entry?.identifier = text.trimmed }
        case (_, "pubDate"), (Space.dublin, "date"), (Space.atom, "updated"), (Space.atom, "published"):
            guard isOfEntry, let date = MailDate.parse(text) else { return }
            // A change is later than the first publication.
            let known = entry?.date ?? date
            entry?.date = max(known, date)
        case (_, "description"), (Space.content, "encoded"), (Space.atom, "content"), (Space.atom, "summary"):
            for address in HTMLImages.addresses(in: text) { add(address, nil, nil) }
        default: return
        }
    }

    private var isOfEntry: Bool { ["item", "entry"].contains(path.dropLast().last?.local) }

    private mutating func finish() {
        guard let entry else { return }
        self.entry = nil
        if entries.count < Self.longest { entries.append(entry) }
    }

    /// - Returns: whether it was new and is kept.
    @discardableResult
    private mutating func add(_ address: String?, _ type: String?, _ size: String?) -> Bool {
        guard let address = address?.trimmed, !address.isEmpty, address.utf8.count <= 4096, let known = entry?.media,
            known.count < Self.mediaLimit, !known.contains(where: { $0.address == address })
        else { return false }
        // Some write 0 for what they do not know, and sizes are often wrong: they are hints.
        let claimed = size.flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
        entry?.media.append(FeedMedia(address: address, contentType: type, size: claimed))
        return true
    }
}

/// Pictures in HTML, as it stands in entries: good enough to find addresses, and never more than that.
enum HTMLImages {
    /// The addresses of `<img src="…">`, in their order.
    static func addresses(in html: String) -> [String] {
        var found: [String] = []
        let bytes = Array(html.utf8)
        var next = 0
        while found.count < 50, let begin = bytes[next...].firstIndex(of: UInt8(ascii: "<")) {
            next = begin + 1
            guard bytes[next...].prefix(3).map({ $0 | 0x20 }) == Array("img".utf8) else { continue }
            let end = bytes[next...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            if let address = source(bytes[(next + 3)..<max(end, next + 3)]) { found.append(address) }
            next = min(end, bytes.endIndex)
        }
        return found
    }

    private static func source(_ tag: ArraySlice<UInt8>) -> String? {
        var rest = tag
        while let blank = rest.firstIndex(where: { [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            rest = rest[(blank + 1)...]
            guard rest.prefix(4).map({ $0 | 0x20 }) == Array("src".utf8) + [UInt8(ascii: "=") | 0x20] else { continue }
            rest = rest.dropFirst(4)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            let value = rest.dropFirst().prefix { $0 != quote }
            return String(decoding: value, as: UTF8.self).replacing("&amp;", with: "&")
        }
        return nil
    }
}
