internal import PictureDecoding
internal import VitrineKit

/// A book in Mobipocket format (mobi, azw, azw3): a Palm database whose first record describes it, with records of its
/// kind in EXTH (as the MobileRead wiki documents the format).
enum MobipocketBook {
    private static let longestCover = 16 << 20
    /// Kinds of EXTH records.
    private enum Kind {
        static let author = 100
        static let title = 503
        static let cover = 201
        static let thumbnail = 202
    }

    /// Reads title, author and cover.
    /// - Throws: `corrupt` for what is no such book, or what the input throws.
    static func book(_ input: any RandomAccessInput) throws(PluginError) -> Book {
        let head = try input.head(78)
        guard head.count == 78, head[60..<68].elementsEqual("BOOKMOBI".utf8), let count = big(head, 76, 2), count > 0
        else { throw PluginError(.corrupt, "the file is no book in Mobipocket format") }
        // One more than there are: where the last one ends.
        let table = try input.bytes(at: 78, count: count * 8)
        func place(_ number: Int) -> Range<Int64>? {
            guard 0..<count ~= number, let start = big(table, number * 8, 4) else { return nil }
            let end = number + 1 < count ? big(table, number * 8 + 8, 4) ?? 0 : Int(clamping: input.size)
            return start < end ? Int64(start)..<Int64(end) : nil
        }
        guard let first = place(0) else { throw PluginError(.corrupt, "the book's first record is missing") }
        let record = try input.bytes(at: first.lowerBound, count: min(first.count, 1 << 20))
        guard record.dropFirst(16).starts(with: "MOBI".utf8), let length = big(record, 20, 4) else {
            throw PluginError(.corrupt, "the book's first record is damaged")
        }
        let isUnicode = big(record, 28, 4) != 1252
        func text(_ bytes: ArraySlice<UInt8>) -> String? {
            if isUnicode { return Book.line(String(decoding: bytes, as: UTF8.self)) }
            return Book.line(String(bytes.map { Character(Unicode.Scalar($0)) }))
        }
        let records = extra(record, at: 16 + length)
        var book = Book()
        if let at = big(record, 84, 4), let size = big(record, 88, 4), size <= 4096, at + size <= record.count {
            book.title = text(record[at..<(at + size)])
        }
        book.title = records[Kind.title].flatMap { text($0) } ?? book.title
        book.author = records[Kind.author].flatMap { text($0) }
        guard let images = big(record, 108, 4) else { return book }
        for kind in [Kind.cover, Kind.thumbnail] {
            guard let offset = records[kind].flatMap({ big(Array($0), 0, 4) }), offset < count,
                let place = place(images + offset), place.count <= longestCover
            else { continue }
            let bytes = try input.bytes(at: place.lowerBound, count: place.count)
            if PictureDecoder.canDecode(bytes) {
                book.cover = bytes
                break
            }
        }
        return book
    }

    /// The EXTH records by their kind; the first one of each.
    private static func extra(_ record: [UInt8], at start: Int) -> [Int: ArraySlice<UInt8>] {
        guard start <= record.count, record[start...].starts(with: "EXTH".utf8), let count = big(record, start + 8, 4)
        else { return [:] }
        var found: [Int: ArraySlice<UInt8>] = [:]
        var at = start + 12
        for _ in 0..<min(count, 1000) {
            guard let kind = big(record, at, 4), let size = big(record, at + 4, 4), size >= 8, at + size <= record.count
            else { break }
            if found[kind] == nil { found[kind] = record[(at + 8)..<(at + size)] }
            at += size
        }
        return found
    }

    /// A number, most significant byte first; `nil` past the end.
    private static func big(_ bytes: [UInt8], _ at: Int, _ size: Int) -> Int? {
        guard at >= 0, at <= bytes.count - size else { return nil }
        return Int(bigEndianBytes: bytes[at..<(at + size)])
    }
}
