import Transfer
import VitrineKit

/// The folders and files that a feed is shown as: one folder for each entry that points to something.
struct FeedIndex: Sendable {
    struct File: Sendable {
        let entry: Entry
        let url: TransferURL
    }

    struct Folder: Sendable {
        let entry: Entry
        var files: [File] = []
    }

    /// In the feed's order.
    private(set) var folders: [Folder] = []
    private var places: [[UInt8]: Int] = [:]

    /// Names what a feed points to. Addresses that may not be asked are left out.
    init(_ entries: [FeedEntry], base: TransferURL, guardian: FeedGuard) {
        for entry in entries {
            let media = entry.media.compactMap { media -> (FeedMedia, TransferURL)? in
                guard let url = try? TransferURL(media.address, relativeTo: base), guardian.allows(url) else {
                    return nil
                }
                return (media, url)
            }
            guard !media.isEmpty else { continue }
            add(entry, media)
        }
    }

    /// What a path stands for, if it is a folder.
    func folder(_ path: ItemPath) -> Folder? { places[path.bytes].map { folders[$0] } }

    /// What a path stands for, if it is a file.
    func file(_ path: ItemPath) -> File? {
        path.parent.flatMap(folder)?.files.first { $0.entry.name == path.name }
    }

    private mutating func add(_ entry: FeedEntry, _ media: [(FeedMedia, TransferURL)]) {
        // A title may come twice, and may change: what tells entries apart is the identifier.
        let mark = StableMark.of(entry.identifier.isEmpty ? media[0].0.address : entry.identifier)
        let title = Self.name(entry.title, longest: 120)
        let name = Array((title.isEmpty ? mark : "\(title) (\(mark))").utf8)
        guard places[name] == nil else { return }
        var folder = Folder(entry: Entry(name: name, kind: .folder, modified: entry.date))
        for (number, (media, url)) in media.enumerated() {
            let stem = title.isEmpty ? "item" : title
            let text = "\(stem) \(number + 1)" + Self.ending(media, url)
            var file = Entry(name: Array(text.utf8), kind: .file, modified: entry.date)
            file.contentType = media.contentType
            // What stands there is another thing when its address is.
            file.etag = StableMark.of(url.text)
            folder.files.append(File(entry: file, url: url))
        }
        places[name] = folders.count
        folders.append(folder)
    }

    /// A title as part of a name: without what names cannot hold, and not longer than they may be.
    static func name(_ title: String, longest: Int) -> String {
        var out = String.UnicodeScalarView()
        var bytes = 0
        for scalar in title.unicodeScalars {
            let isBad = scalar.value < 0x20 || scalar.value == 0x7F || scalar == "/"
            let kept = isBad ? " " : scalar
            // No blanks in a row, and none at the beginning.
            if kept == " ", out.last == nil || out.last == " " { continue }
            bytes += String(kept).utf8.count
            guard bytes <= longest else { break }
            out.append(kept)
        }
        while out.last == " " { out.removeLast() }
        // Hidden files would wait for nobody.
        return String(out).hasPrefix(".") ? "_" + String(out) : String(out)
    }

    private static let endings = [
        "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
        "image/avif": ".avif", "audio/mpeg": ".mp3", "audio/mp4": ".m4a", "audio/x-m4a": ".m4a", "audio/ogg": ".ogg",
        "audio/opus": ".opus", "audio/flac": ".flac", "audio/wav": ".wav", "video/mp4": ".mp4", "video/webm": ".webm",
        "video/quicktime": ".mov", "video/x-m4v": ".m4v", "application/pdf": ".pdf", "application/epub+zip": ".epub",
    ]

    /// By the type that the feed claims, else by the address.
    private static func ending(_ media: FeedMedia, _ url: TransferURL) -> String {
        if let type = media.contentType?.split(separator: ";").first.map({ String($0).trimmed.lowercased() }),
            let known = endings[type]
        {
            return known
        }
        guard let last = url.path.split(separator: "/").last, let dot = last.lastIndex(of: ".") else { return "" }
        let ending = last[dot...]
        let isPlain = ending.utf8.dropFirst().allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        return 2...6 ~= ending.utf8.count && isPlain ? ending.lowercased() : ""
    }
}
