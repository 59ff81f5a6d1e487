internal import ArchiveReading
internal import PictureDecoding
internal import VitrineKit

/// A book in EPUB format: a zip file with a description of what is in it (EPUB 3.3; OCF 3.3).
struct EPUBBook {
    private let archive: Archive
    private let byName: [String: ArchiveMember]

    /// Descriptions and pages are read up to this many bytes, and covers.
    private static let longestText = 4 << 20
    private static let longestCover = 32 << 20

    /// Lists the book's files.
    init(_ input: any RandomAccessInput) throws(PluginError) {
        archive = try Archive(input)
        byName = Dictionary(
            archive.members.map { (String(decoding: $0.name, as: UTF8.self), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Finds title, author and cover.
    /// - Throws: `corrupt` when it has no description, `limitExceeded` when that is too long to be read, or not among the files
    ///   that are listed, `locked` when its rights forbid to read it, `unsupported` for what is no EPUB.
    /// - Parameter wantsText: whether to read how its text begins.
    func book(wantsText: Bool) throws(PluginError) -> Book {
        let container = try required("META-INF/container.xml", "it has no META-INF/container.xml")
        let found = Found()
        try XMLEvents.read(container) { event in
            if case .start("rootfile", let attributes) = event { found.path = attributes["full-path"] }
            return found.path == nil
        }
        let path = found.path ?? ""
        let description = try required(path, "its description is not where it says")
        let package = try EPUBPackage(description)
        var book = Book(title: package.title, author: package.author)
        book.created = package.date.flatMap(FactDate.init)
        if wantsText { book.text = try text(of: package.parts.map { Self.resolved($0, beside: path) }) }
        for cover in package.covers {
            let place = Self.resolved(cover.path, beside: path)
            book.cover = try cover.isPage ? firstPicture(ofPage: place) : picture(place)
            if book.cover != nil { break }
        }
        if book.cover == nil, byName["META-INF/rights.xml"] != nil || byName["META-INF/encryption.xml"] != nil,
            book.title == nil
        {
            throw PluginError(.locked, "the book is locked by its seller")
        }
        return book
    }

    private final class Found {
        var path: String?
    }

    /// A file without which there is no book.
    /// - Parameter missing: what is wrong when it is not there.
    private func required(_ name: String, _ missing: String) throws(PluginError) -> [UInt8] {
        guard let member = byName[name], member.isFile else {
            throw archive.lacks(PluginError(.corrupt, "the book cannot be read: \(missing)"))
        }
        do throws(PluginError) { return try archive.contents(of: member, limit: Self.longestText) } catch {
            guard error.code == .corrupt || error.code == .limitExceeded else { throw error }
            throw PluginError(
                error.code,
                "the book cannot be read, for its part '\(DisplayText.of(name))' cannot be: \(error.message)")
        }
    }

    /// A file of the book; `nil` when it is not there or cannot be unpacked.
    private func contents(_ name: String, _ limit: Int) throws(PluginError) -> [UInt8]? {
        guard let member = byName[name], member.isFile else { return nil }
        do throws(PluginError) { return try archive.contents(of: member, limit: limit) } catch {
            guard [.corrupt, .limitExceeded].contains(error.code) else { throw error }
            return nil
        }
    }

    /// The text of the first parts, until it is enough.
    private func text(of parts: [String]) throws(PluginError) -> String? {
        let words = BookText()
        for part in parts where !words.isFull {
            guard let page = try contents(part, Self.longestText) else { continue }
            try XMLEvents.read(page) { words.take($0) }
            words.endPart()
        }
        return words.text
    }

    private func picture(_ name: String) throws(PluginError) -> [UInt8]? {
        guard let bytes = try contents(name, Self.longestCover), PictureDecoder.canDecode(bytes) else { return nil }
        return bytes
    }

    /// The first picture that a page shows, as `img` or inside of a drawing.
    private func firstPicture(ofPage name: String) throws(PluginError) -> [UInt8]? {
        guard let page = try contents(name, Self.longestText) else { return nil }
        let found = Found()
        try XMLEvents.read(page) { event in
            guard case .start(let element, let attributes) = event else { return true }
            switch element {
            case "img": found.path = attributes["src"]
            case "image": found.path = attributes["href"]
            default: break
            }
            return found.path == nil
        }
        guard let path = found.path else { return nil }
        return try picture(Self.resolved(path, beside: name))
    }

    /// The name that a relative reference means (RFC 3986, section 5.2); names outside of the book are never opened,
    /// since names are only looked up among its files.
    static func resolved(_ reference: String, beside name: String) -> String {
        let path = reference.prefix { $0 != "#" && $0 != "?" }
        var parts = path.hasPrefix("/") ? [] : name.split(separator: "/").dropLast().map(String.init)
        for part in decoded(path).split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }

    /// Without percent signs.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(hexadecimal: rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
