/// The head of a request or an answer of HTTP/1.1, as bytes that can be sent on.
struct HTTPMessage {
    var start: String
    var fields: [(name: String, value: String)]

    /// Takes a head apart.
    /// - Parameter head: with the empty line at its end.
    init?(_ head: [UInt8]) {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        guard let first = lines.first else { return nil }
        start = String(first)
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
    }

    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    mutating func replace(_ lines: [String]) {
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = line[..<colon].lowercased()
            fields.removeAll { $0.name == name }
            fields.append((name, String(line[line.index(after: colon)...].drop { $0 == " " })))
        }
    }

    var bytes: [UInt8] {
        Array((start + "\r\n" + fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
    }
}

/// Reads messages from a connection.
struct HTTPReader {
    let socket: LoopbackSocket
    private var rest: [UInt8] = []

    init(_ socket: LoopbackSocket) { self.socket = socket }

    /// The next head.
    mutating func head() -> HTTPMessage? {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while rest.count < 1 << 20 {
            if let index = rest.indices.dropFirst(searched).dropLast(3).first(where: {
                rest[$0..<($0 + 4)].elementsEqual(end)
            }) {
                let head = Array(rest[..<(index + 4)])
                rest.removeFirst(index + 4)
                return HTTPMessage(head)
            }
            searched = max(0, rest.count - 3)
            let more = socket.receive()
            guard !more.isEmpty else { return nil }
            rest += more
        }
        return nil
    }

    /// Hands on a body part by part.
    /// - Parameter take: gets each part; answers whether it wants more.
    /// - Returns: whether the body came to its end, and was wanted.
    mutating func body(_ length: Length, _ take: ([UInt8]) -> Bool) -> Bool {
        switch length {
        case .none: return true
        case .bytes(var left):
            while left > 0 {
                guard let part = part(upTo: left), take(part) else { return false }
                left -= part.count
            }
            return true
        case .untilClose:
            while let part = part(upTo: .max) { guard take(part) else { return false } }
            return true
        case .chunked:
            while let line = line() {
                let size = Int(line.prefix { $0.isHexDigit }, radix: 16) ?? 0
                guard take(Array((line + "\r\n").utf8)) else { return false }
                // What follows is the chunk, or after the last one nothing, and the end of a line.
                guard body(.bytes(size + 2), take) else { return false }
                if size == 0 { return true }
            }
            return false
        }
    }

    /// How long a body is.
    enum Length {
        case none
        case bytes(Int)
        case chunked
        case untilClose
    }

    private mutating func part(upTo limit: Int) -> [UInt8]? {
        if rest.isEmpty { rest = socket.receive() }
        guard !rest.isEmpty else { return nil }
        let part = Array(rest.prefix(limit))
        rest.removeFirst(part.count)
        return part
    }

    private mutating func line() -> String? {
        var line: [UInt8] = []
        while line.count < 1024, let byte = part(upTo: 1)?.first {
            line.append(byte)
            if line.suffix(2).elementsEqual([13, 10]) { return String(decoding: line.dropLast(2), as: UTF8.self) }
        }
        return nil
    }
}
