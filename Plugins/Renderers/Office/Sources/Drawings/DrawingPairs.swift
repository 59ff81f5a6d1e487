/// The pairs of a number and a value of which a drawing in AutoCAD's exchange format consists, each on a line.
struct DrawingPairs: IteratorProtocol {
    /// A pair.
    struct Pair {
        var code: Int
        /// Its bytes as letters of Latin-1, in whatever encoding they are.
        var value: String
        /// Where it begins.
        var start: Int
    }

    private let bytes: [UInt8]
    private var at = 0

    /// Bytes of a value that are looked at. Texts are in pieces of 250.
    private static let longest = 4096

    /// - Parameter bytes: the drawing.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next pair; `nil` at the end, and where there is none.
    mutating func next() -> Pair? {
        let start = at
        guard let first = line(), let second = line(),
            let code = Int(String(decoding: first.drop { $0 == 0x20 }, as: UTF8.self))
        else { return nil }
        let value = second.prefix(Self.longest).map { Unicode.Scalar($0) }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value)
        // Texts have their blanks, kinds and names none.
        let line = String(text)
        return Pair(code: code, value: code == 0 || code == 2 ? line.filter { $0 != " " } : line, start: start)
    }

    private mutating func line() -> ArraySlice<UInt8>? {
        guard at < bytes.count else { return nil }
        let end = bytes[at...].firstIndex(of: 0x0A) ?? bytes.count
        defer { at = min(end + 1, bytes.count) }
        let line = bytes[at..<end]
        return line.last == 0x0D ? line.dropLast() : line
    }
}
