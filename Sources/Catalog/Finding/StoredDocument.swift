import CZlib
import SQLite
import VitrineKit

/// Title and text of a document, as the catalog keeps them: on one line, the text compressed.
struct StoredDocument: Hashable, Sendable {
    var title: String
    var text: String

    /// Takes what a renderer found. Blanks and control characters in a row become one blank.
    init(title: String, text: String) {
        self.title = Self.onOneLine(Facts.bounded(title))
        self.text = Facts.bounded(Self.onOneLine(text))
    }

    /// Reads a row: title, text, length. `nil` when the text is damaged.
    init?(title: String, compressed: [UInt8], length: Int64) {
        guard 0...Int64(Facts.textLimit) ~= length else { return nil }
        self.title = title
        var room = uLongf(length)
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            let status = uncompress(buffer.baseAddress, &room, compressed, uLong(compressed.count))
            count = status == Z_OK ? Int(room) : 0
        }
        guard bytes.count == Int(length) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The text compressed, as fast as zlib can: there are many, and most are short.
    var compressed: [UInt8] {
        var bytes = Array(text.utf8)
        var stream = z_stream()
        // A window of what the text has, at least 512 bytes, and a table as large: to clear those of zlib's defaults, 256 KiB,
        // takes longer than to compress a page.
        let window = CInt(max(9, min(15, Int.bitWidth - bytes.count.leadingZeroBitCount)))
        let status = deflateInit2_(
            &stream, 1, Z_DEFLATED, window, window - 7, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, uLong(bytes.count)))
        return bytes.withUnsafeMutableBufferPointer { text in
            [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                (stream.next_in, stream.avail_in) = (text.baseAddress, UInt32(text.count))
                (stream.next_out, stream.avail_out) = (buffer.baseAddress, UInt32(room))
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? room - Int(stream.avail_out) : 0
            }
        }
    }

    var isEmpty: Bool { title.isEmpty && text.isEmpty }

    private static func onOneLine(_ text: String) -> String {
        var text = text
        return text.withUTF8 { text in
            String(unsafeUninitializedCapacity: text.count) { line in
                var (end, isPending) = (0, false)
                for byte in text {
                    if byte <= 0x20 || byte == 0x7F {
                        isPending = end > 0
                        continue
                    }
                    if isPending {
                        line[end] = 0x20
                        end += 1
                    }
                    isPending = false
                    line[end] = byte
                    end += 1
                }
                return end
            }
        }
    }
}

extension CatalogLedger {
    /// Title and text of an item; `nil` when there is none, or it is damaged.
    func document(of item: Int64) throws(PluginError) -> StoredDocument? {
        try database.first("SELECT title, text, length FROM document WHERE item = ?", .integer(item)) {
            StoredDocument(title: $0.text(0), compressed: $0.bytes(1), length: $0.integer(2))
        } ?? nil
    }

    /// Keeps title and text of an item, to be indexed later.
    func keep(_ document: StoredDocument, of item: Int64) throws(PluginError) {
        let isKnown = try database.first("SELECT 1 FROM document WHERE item = ?", .integer(item)) { _ in true } ?? false
        if isKnown {
            if try self.document(of: item) == document { return }
            try forgetDocument(of: item)
        }
        guard !document.isEmpty else { return }
        try database.run(
            "INSERT INTO document(item, title, text, length) VALUES (?, ?, ?, ?)", .integer(item),
            .text(document.title), .bytes(document.text.isEmpty ? [] : document.compressed),
            .count(document.text.utf8.count))
    }

    /// Gives title and text of an item to another one.
    func moveDocument(from old: Int64, to new: Int64) throws(PluginError) {
        guard let document = try document(of: old) else { return }
        try forgetDocument(of: old)
        try keep(document, of: new)
    }

    /// Forgets title and text of an item.
    func forgetDocument(of item: Int64) throws(PluginError) {
        let indexed = try database.first("SELECT indexed FROM document WHERE item = ?", .integer(item)) {
            $0.integer(0)
        }
        guard let indexed else { return }
        if indexed != 0, let document = try document(of: item) { try index(document, of: item, isRemoval: true) }
        try database.run("DELETE FROM document WHERE item = ?", .integer(item))
    }
}
