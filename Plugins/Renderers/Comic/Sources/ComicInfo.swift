internal import ArchiveReading
internal import VitrineKit
internal import XML

/// What programs for comic books write about one beside its pages, in `ComicInfo.xml`: its names, and which page is its
/// cover (schema of the Anansi Project, version 2.1).
struct ComicInfo {
    /// The number of the page that is the front cover, from 0 on.
    private(set) var cover: Int?
    private var texts: [String: String] = [:]

    /// Bytes that are read.
    private static let longest = 1 << 20

    /// Reads it.
    /// - Returns: `nil` when there is none, when it is damaged, or when everything before it would have to be unpacked.
    /// - Throws: what the input throws.
    init?(in archive: Archive) throws(PluginError) {
        guard let member = archive.members.first(where: { $0.name.elementsEqual("ComicInfo.xml".utf8) }),
            member.isApart, member.size ?? 0 <= Self.longest
        else { return nil }
        let bytes: [UInt8]
        do throws(PluginError) {
            bytes = try archive.contents(of: member, limit: Self.longest)
        } catch {
            guard [.corrupt, .locked, .limitExceeded, .unsupported].contains(error.code) else { throw error }
            return nil
        }
        guard let events = try? XMLReader("what is said of the comic book").events(from: bytes, isLast: true) else {
            return nil
        }
        var element = ""
        for event in events {
            switch event {
            case .start(let name, let attributes):
                element = name.local
                if cover == nil, element == "Page", attributes["Type"] == "FrontCover" {
                    cover = attributes["Image"].flatMap { Int($0) }
                }
            case .end: element = ""
            case .text(let text): if texts[element] == nil { texts[element] = text }
            }
        }
    }

    /// What the book is called: its own title, or its number in a series.
    var title: String? {
        let series = texts["Series"].map { name in texts["Number"].map { "\(name) #\($0)" } ?? name }
        guard let title = texts["Title"].flatMap({ Facts.line($0) }) else { return series.flatMap { Facts.line($0) } }
        return title
    }

    /// Who wrote it, else who drew it.
    var author: String? { texts["Writer"] ?? texts["Penciller"] }
}
