internal import BinaryNumbers
internal import ModelDrawing
internal import VitrineKit

/// Stanford's polygon file format, which scanners write: a head of text that says what follows, then points and faces as
/// text or as numbers.
struct PLYFile {
    /// How a number is written.
    private enum Kind {
        case int8, uint8, int16, uint16, int32, uint32, float, double

        init?(_ name: Substring) {
            switch name {
            case "char", "int8": self = .int8
            case "uchar", "uint8": self = .uint8
            case "short", "int16": self = .int16
            case "ushort", "uint16": self = .uint16
            case "int", "int32": self = .int32
            case "uint", "uint32": self = .uint32
            case "float", "float32": self = .float
            case "double", "float64": self = .double
            default: return nil
            }
        }

        var size: Int {
            switch self {
            case .int8, .uint8: 1
            case .int16, .uint16: 2
            case .int32, .uint32, .float: 4
            case .double: 8
            }
        }
    }

    /// What every one of a number of things says of itself.
    private struct Property {
        var name: Substring
        var kind: Kind
        /// Of a list, how its length is written.
        var count: Kind?
    }
    private struct Element {
        var name: Substring
        var count: Int
        var properties: [Property] = []
    }

    private let bytes: UnsafeRawBufferPointer
    private var elements: [Element] = []
    private var isText = false, isBigEndian = false
    private var scanner: TextScanner
    /// Where the next number lies.
    private var at = 0
    /// Whether the file ended before what it promises.
    private var isCutOff = false

    /// Bytes of the head, and what it may list.
    private static let longestHead = 64 << 10, mostElements = 16, mostProperties = 128, mostCorners = 1000

    /// - Throws: `corrupt`, `limitExceeded`.
    static func mesh(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> Mesh {
        var file = try Self(bytes)
        return try file.mesh()
    }

    private static let damaged = PluginError(.corrupt, "the file is no model in PLY, or its head is damaged")

    /// Reads the head.
    private init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        self.bytes = bytes
        scanner = TextScanner(bytes)
        let head = String(decoding: bytes.prefix(Self.longestHead), as: UTF8.self)
        guard head.hasPrefix("ply"), bytes.count > 3 else { throw Self.damaged }
        while true {
            scanner.nextLine()
            guard !scanner.isAtEnd, scanner.at < Self.longestHead else { throw Self.damaged }
            var line = scanner
            var words: [Substring] = []
            while words.count < 6 {
                let word = line.word()
                if word.isEmpty { break }
                words.append(Substring(decoding: word, as: UTF8.self))
            }
            if words.first == "end_header" { break }
            try take(words)
        }
        scanner.nextLine()
        at = scanner.at
    }

    private mutating func take(_ words: [Substring]) throws(PluginError) {
        switch (words.first, words.count) {
        case ("format", 3):
            (isText, isBigEndian) = (words[1] == "ascii", words[1] == "binary_big_endian")
            guard isText || isBigEndian || words[1] == "binary_little_endian" else { throw Self.damaged }
        case ("element", 3):
            guard let count = Int(words[2]), count >= 0, elements.count < Self.mostElements else { throw Self.damaged }
            elements.append(Element(name: words[1], count: count))
        case ("property", 3), ("property", 5):
            let isList = words.count == 5
            guard let last = elements.indices.last, elements[last].properties.count < Self.mostProperties,
                let kind = Kind(words[isList ? 3 : 1]), !isList || words[1] == "list"
            else { throw Self.damaged }
            let count = isList ? Kind(words[2]) : nil
            guard !isList || count != nil else { throw Self.damaged }
            elements[last].properties.append(Property(name: words[isList ? 4 : 2], kind: kind, count: count))
        default: break
        }
    }

    /// What the file holds, as far as it goes.
    private mutating func mesh() throws(PluginError) -> Mesh {
        var mesh = Mesh()
        for element in elements where !element.properties.isEmpty {
            switch element.name {
            case "vertex": try takePoints(element, &mesh)
            case "face": try takeFaces(element, &mesh)
            default: passAll(of: element)
            }
        }
        if mesh.corners.isEmpty { mesh.kind = .cloud }
        return mesh
    }

    private mutating func takePoints(_ element: Element, _ mesh: inout Mesh) throws(PluginError) {
        let vertex = PLYVertex(element.properties.map { (String($0.name), $0.kind.size == 1) })
        var values = PLYVertex.Values.zero
        for _ in 0..<element.count {
            if isAtEnd { break }
            for (property, slot) in zip(element.properties, vertex.slots) {
                guard property.count == nil, let slot else {
                    pass(property)
                    continue
                }
                values[slot] = next(property.kind)
            }
            if isCutOff { break }
            guard vertex.isSeen(values) else { continue }
            try mesh.add(place: vertex.place(values), vertex.traits(values))
        }
    }

    private mutating func takeFaces(_ element: Element, _ mesh: inout Mesh) throws(PluginError) {
        for _ in 0..<element.count {
            if isAtEnd { break }
            for property in element.properties {
                guard let count = property.count, property.name == "vertex_indices" || property.name == "vertex_index"
                else {
                    pass(property)
                    continue
                }
                try takeFace(length(count), property.kind, &mesh)
            }
        }
    }

    private mutating func takeFace(_ count: Int, _ kind: Kind, _ mesh: inout Mesh) throws(PluginError) {
        var first = 0, last = 0
        for corner in 0..<count {
            let index = next(kind, as: Int.self)
            if isCutOff { break }
            if corner >= 2, corner < Self.mostCorners { try mesh.add(corners: first, last, index) }
            if corner == 0 { first = index } else { last = index }
        }
    }

    // MARK: Numbers

    private var isAtEnd: Bool { isText ? scanner.isAtEnd : at >= bytes.count }

    /// Goes behind what says nothing here.
    private mutating func passAll(of element: Element) {
        for _ in 0..<element.count {
            if isAtEnd { break }
            for property in element.properties { pass(property) }
        }
    }

    private mutating func pass(_ property: Property) {
        guard let count = property.count else {
            _ = next(property.kind)
            return
        }
        let length = length(count)
        guard isText else {
            at = min(bytes.count, at + min(bytes.count, length) * property.kind.size)
            return
        }
        var rest = length
        while rest > 0, !isAtEnd {
            _ = next(property.kind)
            rest -= 1
        }
    }

    private mutating func length(_ kind: Kind) -> Int { max(0, next(kind, as: Int.self)) }

    private mutating func next(_ kind: Kind, as: Int.Type) -> Int {
        switch kind {
        case .int32 where !isText: Int(Int32(truncatingIfNeeded: bits(4)))
        case .uint32 where !isText: Int(bits(4))
        default: Int(exactly: next(kind)) ?? -1
        }
    }

    @inline(__always) private mutating func next(_ kind: Kind) -> Double {
        if isText {
            scanner.skipSpace()
            if scanner.isAtEnd { isCutOff = true }
            return scanner.number()
        }
        switch kind {
        case .int8: return Double(Int8(truncatingIfNeeded: bits(1)))
        case .uint8: return Double(bits(1))
        case .int16: return Double(Int16(truncatingIfNeeded: bits(2)))
        case .uint16: return Double(bits(2))
        case .int32: return Double(Int32(truncatingIfNeeded: bits(4)))
        case .uint32: return Double(bits(4))
        case .float: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(4))))
        case .double: return Double(bitPattern: bits(8))
        }
    }

    /// So many bytes as a number; nothing beyond the end.
    @inline(__always) private mutating func bits(_ count: Int) -> UInt64 {
        guard bytes.count - at >= count else {
            at = bytes.count
            isCutOff = true
            return 0
        }
        defer { at += count }
        switch count {
        case 1: return UInt64(bytes[at])
        case 2: return UInt64(bytes.number(UInt16.self, at: at, isBigEndian: isBigEndian))
        case 4: return UInt64(bytes.number(UInt32.self, at: at, isBigEndian: isBigEndian))
        default: return bytes.number(UInt64.self, at: at, isBigEndian: isBigEndian)
        }
    }
}
