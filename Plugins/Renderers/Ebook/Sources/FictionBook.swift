internal import ArchiveReading
internal import MIME
internal import PictureDecoding
internal import VitrineKit

/// A book in FictionBook 2 format: XML, with its pictures in Base64 at its end; or that in a zip file.
enum FictionBook {
    /// Bytes that are read of a book.
    private static let longest = 64 << 20

    /// Reads title, author and cover.
    /// - Throws: `corrupt` for what is no such book, or what the input throws.
    /// - Parameter wantsText: whether to read how its text begins.
    static func book(_ input: any RandomAccessInput, wantsText: Bool) throws(PluginError) -> Book {
        if try Archive.beginsAsZip(input.head(4)) {
            let archive = try Archive(input)
            let member = archive.members.first { $0.isFile && $0.name.suffix(4).elementsEqual(".fb2".utf8) }
            guard let member else {
                throw archive.lacks(PluginError(.corrupt, "there is no book in FB2 format in the archive"))
            }
            return try book(BytesInput(try archive.contents(of: member, limit: longest)), wantsText: wantsText)
        }
        let reader = Reader(wantsText: wantsText)
        var offset: Int64 = 0
        try XMLEvents.read(
            { () throws(PluginError) in
                guard offset < Int64(longest) else { return [] }
                let bytes = try input.bytes(at: offset, count: 256 << 10)
                offset += Int64(bytes.count)
                return bytes
            }, reader.take)
        guard reader.isBook else { throw PluginError(.corrupt, "the file is no book in FB2 format") }
        var book = reader.book
        // Its description may have no end.
        book.title = book.title.flatMap(Book.line)
        book.text = reader.text?.text
        return book
    }

    private final class Reader {
        var book = Book()
        private(set) var isBook = false
        private var path: [String] = []
        private var coverID: String?
        private var names: [String] = []
        /// Of the cover, while it is read.
        private var coded: TransferDecoder?
        private var cover: [UInt8] = []
        /// Gathers the text, where that is wanted.
        let text: BookText?

        init(wantsText: Bool) { text = wantsText ? BookText() : nil }

        private static let longestCover = 32 << 20

        func take(_ event: XMLEvents.Event) -> Bool {
            // What stands in a body; notes and the like come in further ones.
            if let text, !text.isFull, path.contains("body") { _ = text.take(event) }
            switch event {
            case .start(let name, let attributes):
                path.append(name)
                if path.count == 1 {
                    isBook = name == "FictionBook"
                    return isBook
                }
                start(name, attributes)
            case .end(let name):
                _ = path.popLast()
                return end(name)
            case .text(let text):
                if cover.count < Self.longestCover, let bytes = coded?.decode(text.utf8) { cover += bytes }
                if path.suffix(2) == ["title-info", "book-title"], (book.title ?? "").utf8.count < 4096 {
                    book.title = (book.title ?? "") + text
                }
                if path.dropLast().suffix(2) == ["title-info", "author"], names.count < 8, let last = path.last,
                    ["first-name", "middle-name", "last-name"].contains(last)
                {
                    names.append(String(text.prefix(200)))
                }
            }
            return true
        }

        private func start(_ name: String, _ attributes: [String: String]) {
            if name == "image", path.contains("coverpage"), coverID == nil {
                coverID = attributes["href"].map { String($0.drop { $0 == "#" }) }
            }
            if name == "binary", let id = attributes["id"], id == coverID {
                (coded, cover) = (TransferDecoder(.base64), [])
            }
        }

        /// - Returns: whether there is more to be learned.
        private func end(_ name: String) -> Bool {
            switch name {
            case "author" where book.author == nil: book.author = Book.line(names.joined(separator: " "))
            case "description":
                book.title = book.title.flatMap(Book.line)
                // Without a cover the rest of the book is of no interest.
                return coverID != nil || text != nil
            case "body":
                text?.endPart()
                return coverID != nil
            case "binary":
                guard let rest = coded?.finish(), PictureDecoder.canDecode(cover + rest) else { break }
                book.cover = cover + rest
                return false
            default: break
            }
            coded = nil
            return true
        }
    }
}
