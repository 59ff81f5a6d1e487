@testable import PreviewCache

/// Builds and takes apart PNG files, good and bad, as foreign programs might write them.
struct PNGFile {
    var bytes = PNG.signature

    /// The head of a picture of 1 × 1 pixels.
    init() { add("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]) }

    /// An entry with these keys before its pixels.
    init(keys: [(String, String)]) {
        self.init()
        for (key, value) in keys { text(key, value) }
        finish()
    }

    mutating func add(_ type: String, _ data: [UInt8] = []) {
        let code = type.utf8.reduce(0) { $0 << 8 | UInt32($1) }
        PNG.append(PNG.ChunkType(code: code), data, to: &bytes)
    }

    mutating func text(_ key: String, _ value: String) { add("tEXt", Array(key.utf8) + [0] + Array(value.utf8)) }

    mutating func finish() {
        bytes += PNG.pixel[PNG.headLength...]
    }

    /// Type, first byte and data of each chunk.
    static func chunks(_ bytes: [UInt8]) -> [(type: String, range: Range<Int>, data: [UInt8])] {
        var chunks: [(String, Range<Int>, [UInt8])] = []
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard offset + 12 + length <= bytes.count else { break }
            let type = String(decoding: bytes[(offset + 4)..<(offset + 8)], as: UTF8.self)
            chunks.append((type, offset..<(offset + 12 + length), Array(bytes[(offset + 8)..<(offset + 8 + length)])))
            offset += 12 + length
        }
        return chunks
    }

    /// The tEXt keys of a file.
    static func keys(_ bytes: [UInt8]) -> [String: String] {
        var keys: [String: String] = [:]
        for chunk in chunks(bytes) where chunk.type == "tEXt" {
            let parts = chunk.data.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            keys[String(decoding: parts[0], as: UTF8.self)] = String(decoding: parts[1], as: UTF8.self)
        }
        return keys
    }
}
