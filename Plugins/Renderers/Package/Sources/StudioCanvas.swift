internal import CPackage
internal import PictureDecoding
internal import VitrineKit

/// A painting of Clip Studio Paint: chunks one after the other, of which one is a database of SQLite. It holds a PNG of the
/// whole canvas.
enum StudioCanvas {
    /// What files begin with; their length and the place of the first chunk follow, most significant byte first.
    private static let signature = Array("CSFCHUNK".utf8)
    /// Chunks before the database, and bytes of it, at most.
    private static let mostChunks = 1 << 16, largestDatabase: Int64 = 256 << 20
    /// The largest picture. Widths alone are sorted: what is sorted is copied.
    private static let query = """
        SELECT ImageData FROM CanvasPreview WHERE rowid =
        (SELECT rowid FROM CanvasPreview ORDER BY ImageWidth DESC LIMIT 1)
        """

    /// Whether a file begins as one.
    static func begins(_ head: [UInt8]) -> Bool { head.starts(with: signature) }

    /// Decodes the picture of the canvas.
    /// - Throws: `unsupported` when there is none, `corrupt` or `limitExceeded` when it cannot be read, or what the input
    ///   throws.
    static func preview(
        _ input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Bitmap {
        var at = try number(input, at: 16)
        for _ in 0..<mostChunks {
            let head = try input.bytes(at: at, count: 8)
            let length = try number(input, at: at + 8)
            guard head.count == 8, head.starts(with: "CHNK".utf8), length <= input.size - at - 16 else { break }
            guard head.elementsEqual("CHNKSQLi".utf8) else {
                at += 16 + length
                continue
            }
            guard length <= largestDatabase else {
                throw PluginError(
                    .limitExceeded,
                    "the painting's database has \(length) bytes; at most \(largestDatabase) are looked at")
            }
            return try decoder.picture(try picture(try input.bytes(at: at + 16, count: Int(length))), box: box).bitmap
        }
        throw PluginError(.corrupt, "the painting is cut off: its database is not there")
    }

    /// A number of eight bytes.
    private static func number(_ input: any RandomAccessInput, at offset: Int64) throws(PluginError) -> Int64 {
        let bytes = try input.bytes(at: offset, count: 8)
        let number = UInt64(bigEndianBytes: bytes)
        guard bytes.count == 8, number <= UInt64(input.size) else {
            throw PluginError(.corrupt, "the painting is cut off, or its chunks are damaged")
        }
        return Int64(number)
    }

    /// Asks the database for the picture. It stays in memory, and nothing is written to it.
    private static func picture(_ bytes: [UInt8]) throws(PluginError) -> [UInt8] {
        let answer = bytes.withUnsafeBytes { content -> Result<[UInt8], PluginError> in
            var database: OpaquePointer?
            defer { sqlite3_close(database) }
            guard sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil) == SQLITE_OK,
                let database
            else { return .failure(PluginError(.limitExceeded, "there is no memory to read the painting's database")) }
            cpackage_distrust(database)
            // A worker has no files to put aside in what is too large for the cache of pages.
            sqlite3_exec(database, "PRAGMA temp_store = MEMORY", nil, nil, nil)
            // Read only: nothing is written to these bytes, whatever the type says.
            let start = UnsafeMutableRawBufferPointer(mutating: content).baseAddress
            guard
                sqlite3_deserialize(
                    database, "main", start?.assumingMemoryBound(to: UInt8.self), Int64(content.count),
                    Int64(content.count), UInt32(SQLITE_DESERIALIZE_READONLY)) == SQLITE_OK
            else { return .failure(Self.broken) }
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK else {
                let isSound = sqlite3_errcode(database) == SQLITE_ERROR
                return .failure(isSound ? Self.none : Self.broken)
            }
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                let count = Int(sqlite3_column_bytes(statement, 0))
                guard count > 0, let blob = sqlite3_column_blob(statement, 0) else { return .failure(Self.none) }
                return .success(Array(UnsafeRawBufferPointer(start: blob, count: count)))
            case SQLITE_DONE: return .failure(Self.none)
            default: return .failure(Self.broken)
            }
        }
        return try answer.get()
    }

    private static let none = PluginError(
        .unsupported, "the painting has no picture of its canvas in it, and nothing else of it can be drawn")
    private static let broken = PluginError(.corrupt, "the painting's database is damaged")
}
