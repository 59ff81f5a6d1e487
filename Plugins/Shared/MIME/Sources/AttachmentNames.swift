/// Names of attachments as names of files: each once, without what a name of a file cannot hold.
public struct AttachmentNames: Sendable {
    /// As bytes: two spellings of one letter are two names.
    private var taken: Set<[UInt8]> = []
    /// What was numbered last, so that many equal names do not cost their square.
    private var numbers: [[UInt8]: Int] = [:]

    /// The most bytes of a name on Linux.
    public static let longest = 255
    private static let endings = [
        "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
        "application/pdf": ".pdf", "text/plain": ".txt", "text/html": ".html", "text/calendar": ".ics",
        "text/csv": ".csv", "audio/mpeg": ".mp3", "video/mp4": ".mp4", "application/zip": ".zip",
        "message/rfc822": ".eml", "message/global": ".eml",
    ]

    /// No name is taken yet.
    public init() {}

    /// The name for a part; a second `a.pdf` is `a (2).pdf`.
    public mutating func name(for part: MIMEPart) -> String {
        let ending = Self.endings[part.type.value] ?? ""
        var name = Self.safe(part.fileName ?? "")
        if name.isEmpty {
            name =
                (part.isMessage ? "message" : part.type.value.hasPrefix("image/") ? "picture" : "attachment") + ending
        } else if part.isMessage, !name.lowercased().hasSuffix(".eml") {
            name += ending
        }
        return unique(name)
    }

    /// A name that was not given yet.
    public mutating func unique(_ name: String) -> String {
        let (stem, ending) = Self.split(name)
        var next = Self.fitted(stem, ending)
        var number = numbers[Array(name.utf8)] ?? 1
        while !taken.insert(Array(next.utf8)).inserted {
            number += 1
            next = Self.fitted(stem, " (\(number))" + ending)
        }
        numbers[Array(name.utf8)] = number
        return next
    }

    /// A text as part of a name: without slashes, control characters and those that turn text around; not hidden, not
    /// `.` or `..`.
    public static func safe(_ text: String, longest: Int = longest) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * longest) {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x200E...0x200F, 0x2066...0x2069, 0xFFFD: out.append("_")
            case 0x2F: out.append("_")
            default: out.append(scalar)
            }
        }
        while let first = out.first, first.properties.isWhitespace { out.removeFirst() }
        while let last = out.last, last.properties.isWhitespace { out.removeLast() }
        // Hidden files would wait for nobody; and these two mean folders.
        if out.first == "." { out.replaceSubrange(out.startIndex..<out.index(after: out.startIndex), with: ["_"]) }
        let (stem, ending) = split(String(out))
        return fitted(stem, ending, longest)
    }

    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 16 else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The whole, with the end of the stem left out if it is too long.
    private static func fitted(_ stem: String, _ ending: String, _ longest: Int = longest) -> String {
        var room = max(0, longest - ending.utf8.count)
        var head = String.UnicodeScalarView()
        for scalar in stem.unicodeScalars {
            room -= String(scalar).utf8.count
            guard room >= 0 else { break }
            head.append(scalar)
        }
        return String(head) + ending
    }
}
