import RendererFixtures

/// A help file whose files lie in it as they are, without being packed.
struct WrittenHelpFile {
    /// By their paths, with the slash that they begin with.
    var files: [(path: String, content: [UInt8])] = []
    /// What it says of itself, in the encoding that it is to have.
    var topic: [UInt8]?, title: [UInt8]?
    /// The number of its language.
    var language = 0x409

    init(_ files: [(path: String, content: String)], topic: String? = nil, language: Int = 0x409) {
        self.files = files.map { ($0.path, Array($0.content.utf8)) }
        self.topic = topic.map { Array($0.utf8) }
        self.language = language
    }

    private static let chunkLength = 4096

    /// The whole file.
    var bytes: [UInt8] {
        var entries: [[UInt8]] = [], contents: [UInt8] = []
        for (path, content) in files + [("/#SYSTEM", system)] {
            let name = Array(path.utf8)
            entries.append(
                Self.number(name.count) + name + [0] + Self.number(contents.count) + Self.number(content.count))
            contents += content
        }
        let chunks = Self.chunks(of: entries)
        let list = Self.head(of: chunks.count) + chunks.joined()
        let start = 0x78 + list.count
        var out = Array("ITSF".utf8) + little(3, 4) + little(0x60, 4) + little(1, 4) + little(0, 4)
        out += little(language, 4) + Self.firstNumber + Self.secondNumber
        for value in [0x60, 0x18, 0x78, list.count, start] { out += little(value, 8) }
        out += little(0x1FE, 4) + little(0, 4) + little(start + contents.count, 8) + little(0, 8)
        return out + list + contents
    }

    /// The file `#SYSTEM`.
    private var system: [UInt8] {
        func said(_ code: Int, _ content: [UInt8]) -> [UInt8] {
            little(code, 2) + little(content.count, 2) + content
        }
        var out = little(3, 4)
        if let topic { out += said(2, topic + [0]) }
        if let title { out += said(3, title + [0]) }
        return out + said(4, little(language, 4) + [UInt8](repeating: 0, count: 32))
    }

    private static let firstNumber: [UInt8] = [
        0x10, 0xFD, 0x01, 0x7C, 0xAA, 0x7B, 0xD0, 0x11, 0x9E, 0x0C, 0x00, 0xA0, 0xC9, 0x22, 0xE6, 0xEC,
    ]
    private static let secondNumber: [UInt8] = [0x11] + firstNumber.dropFirst()

    /// What stands before the pieces of the list.
    private static func head(of count: Int) -> [UInt8] {
        var out = Array("ITSP".utf8)
        for value in [1, 0x54, 10, chunkLength, 2, 1, -1, 0, count - 1, -1, count, 0x409] { out += little(value, 4) }
        return out + [UInt8](repeating: 0, count: 0x54 - out.count)
    }

    /// The list, in pieces of one length.
    private static func chunks(of entries: [[UInt8]]) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var next = 0
        while next < entries.count {
            var (rows, count): ([UInt8], Int) = ([], 0)
            while next < entries.count, 20 + rows.count + entries[next].count + 2 <= chunkLength {
                rows += entries[next]
                (next, count) = (next + 1, count + 1)
            }
            let free = chunkLength - 20 - rows.count
            let head = Array("PMGL".utf8) + little(free, 4) + little(0, 4) + little(-1, 4) + little(-1, 4)
            chunks.append(head + rows + [UInt8](repeating: 0, count: free - 2) + little(count, 2))
        }
        return chunks
    }

    /// A number of seven bits a byte, the highest first.
    private static func number(_ value: Int) -> [UInt8] {
        var (out, rest) = ([UInt8(value & 0x7F)], value >> 7)
        while rest > 0 {
            out.insert(UInt8(0x80 | rest & 0x7F), at: 0)
            rest >>= 7
        }
        return out
    }
}
