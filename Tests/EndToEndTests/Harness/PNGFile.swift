import Foundation
import GoldenPictures
import VitrineTesting

/// A PNG as it lies on disk: its header, its chunks and what its text says.
struct PNGFile {
    /// It is no PNG, or cut short.
    struct Malformed: Error { var path: String }

    let bytes: [UInt8]
    /// The names of the chunks, in their order.
    let chunks: [String]
    /// Texts by key.
    let texts: [String: String]
    let width: Int
    let height: Int
    let bitDepth: UInt8
    let colorType: UInt8
    let interlace: UInt8

    init(_ path: String) throws {
        try self.init([UInt8](Data(contentsOf: URL(filePath: path))), path)
    }

    init(_ bytes: [UInt8], _ path: String = "output") throws {
        self.bytes = bytes
        var chunks: [String] = []
        var texts: [String: String] = [:]
        var header: [UInt8] = []
        var rest = bytes.dropFirst(8)
        func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
        while rest.count >= 12 {
            let length = number(rest)
            guard length <= rest.count - 12 else { throw Malformed(path: path) }
            let name = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let content = rest.dropFirst(8).prefix(length)
            if name == "IHDR" { header = Array(content) }
            if name == "tEXt", let end = content.firstIndex(of: 0) {
                let key = String(decoding: content[..<end], as: UTF8.self)
                texts[key] = String(decoding: content[(end + 1)...], as: UTF8.self)
            }
            chunks.append(name)
            rest = rest.dropFirst(length + 12)
        }
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), header.count == 13, chunks.last == "IEND", rest.isEmpty
        else { throw Malformed(path: path) }
        self.chunks = chunks
        self.texts = texts
        width = number(header)
        height = number(header.dropFirst(4))
        (bitDepth, colorType, interlace) = (header[8], header[9], header[12])
    }

    /// Its pixels.
    func picture() throws -> RGBAPicture { try RGBAPicture(png: bytes) }

    /// Pixels of the longer side.
    var longerSide: Int { max(width, height) }
}
