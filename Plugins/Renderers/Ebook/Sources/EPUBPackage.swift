internal import VitrineKit

/// The package document of an EPUB book (EPUB 3.3, section 5; OPF 2.0.1): what it says of itself and of its cover.
struct EPUBPackage {
    private struct Item {
        var path: String
        var type: String
        var properties: Set<Substring>
    }

    private(set) var title: String?
    private(set) var author: String?
    private(set) var date: String?
    private var items: [String: Item] = [:]
    /// The first parts in the order in which they are read, by their ids.
    private var spine: [String] = []
    private var coverID: String?
    private var guide: String?

    /// Files of a book, more than any has.
    private static let mostItems = 20_000
    /// Parts of which one has text, after the cover, the title and the rights.
    private static let mostParts = 16

    /// Reads the document.
    init(_ bytes: [UInt8]) throws(PluginError) {
        let reader = Reader()
        try XMLEvents.read(bytes) { reader.take($0) }
        self = reader.package
    }

    private init() {}

    /// Where the cover may be, the surest first. Pages are to be searched for their first picture.
    var covers: [(path: String, isPage: Bool)] {
        var found: [(path: String, isPage: Bool)] = []
        func add(_ item: Item?) {
            guard let item else { return }
            found.append((item.path, item.type.hasSuffix("xml") || item.type == "text/html"))
        }
        // EPUB 3's property, EPUB 2's meta name=cover, its guide, then what programs name like it, then the first page.
        add(items.values.first { $0.properties.contains("cover-image") })
        // Some name the file rather than its item.
        if let coverID { add(items[coverID] ?? items.values.first { $0.path == coverID }) }
        if let guide { found.append((guide, !Self.isPicture(guide))) }
        let pictures = items.values.filter { $0.type.hasPrefix("image/") }
        add(pictures.filter { $0.path.lowercased().contains("cover") }.min { $0.path < $1.path })
        if let first = spine.first { add(items[first]) }
        return found
    }

    /// The first parts of the text, as they are read.
    var parts: [String] { spine.compactMap { items[$0]?.path } }

    /// Whether a path is a picture's by its ending.
    static func isPicture(_ path: String) -> Bool {
        [".jpg", ".jpeg", ".png", ".gif", ".webp"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Collects what the events say.
    private final class Reader {
        var package = EPUBPackage()
        private var text: String?
        private var count = 0

        func take(_ event: XMLEvents.Event) -> Bool {
            switch event {
            case .start(let name, let attributes): start(name, attributes)
            case .text(let part): if let text, text.utf8.count < 4096 { self.text = text + part }
            case .end("title"): keep(\.title)
            case .end("creator"): keep(\.author)
            case .end("date"): keep(\.date)
            case .end: text = nil
            }
            count += 1
            return count < EPUBPackage.mostItems * 8
        }

        private func keep(_ field: WritableKeyPath<EPUBPackage, String?>) {
            if package[keyPath: field] == nil, let text { package[keyPath: field] = Book.line(text) }
            text = nil
        }

        private func start(_ name: String, _ attributes: [String: String]) {
            switch name {
            case "title", "creator", "date": text = ""
            case "item":
                guard let id = attributes["id"], let path = attributes["href"], package.items.count < mostItems else {
                    return
                }
                let properties = attributes["properties", default: ""].split(separator: " ")
                package.items[id] = Item(
                    path: path, type: attributes["media-type", default: ""], properties: Set(properties))
            case "itemref":
                if package.spine.count < EPUBPackage.mostParts, let id = attributes["idref"] {
                    package.spine.append(id)
                }
            case "meta":
                if attributes["name"] == "cover" { package.coverID = attributes["content"] }
            case "reference":
                if attributes["type"]?.lowercased() == "cover" { package.guide = attributes["href"] }
            default: break
            }
        }
    }
}
