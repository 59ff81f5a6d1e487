internal import VitrineKit

/// Reads scenes in VRML 97 (ISO/IEC 14772-1, 5.4 and annex A), VRML 1.0, and the classic way to write X3D (ISO/IEC 19776-2): nodes
/// with fields. Prototypes, scripts and what moves are passed over; what a scene only names, such as other files, is not looked for.
struct VRMLReader {
    private var text: TextScanner
    private var named: [String: VRMLNode] = [:]
    private var count = 0

    /// Nodes in one another, also those that are used by name, and nodes in all.
    private static let deepest = 64, mostNodes = 1_000_000

    /// How files begin, the first of them those of version 1.
    private static let beginnings = ["#VRML V1.0", "#VRML V2.0", "#X3D V3", "#X3D V4"]

    /// - Returns: the topmost nodes, and whether they are of version 1, in which some have another meaning.
    /// - Throws: `corrupt`, `limitExceeded`.
    static func nodes(_ bytes: UnsafeRawBufferPointer) throws(PluginError) -> (nodes: [VRMLNode], isFirst: Bool) {
        // A mark of UTF-8 may stand before it.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes
        guard let beginning = beginnings.firstIndex(where: { bytes.starts(with: $0.utf8) }) else {
            throw PluginError(
                .corrupt, "the file is no VRML scene: it does not begin with #VRML and a version that is known")
        }
        var reader = Self(text: TextScanner(ofAnySystem: bytes))
        var nodes: [VRMLNode] = []
        while true {
            reader.skipSpace()
            guard let next = reader.text.next else { return (nodes, beginning == 0) }
            if isLetter(next) {
                if let node = try reader.statement(depth: 0) { nodes.append(node) }
            } else {
                reader.skipOther()
            }
        }
    }

    private init(text: TextScanner) { self.text = text }

    /// What begins with a word: a node, or what is passed over.
    private mutating func statement(depth: Int) throws(PluginError) -> VRMLNode? {
        let word = word()
        switch word {
        case "PROTO":
            _ = self.word()
            try skipBlock(UInt8(ascii: "["), UInt8(ascii: "]"))
            try skipBlock(UInt8(ascii: "{"), UInt8(ascii: "}"))
            return nil
        case "EXTERNPROTO":
            _ = self.word()
            try skipBlock(UInt8(ascii: "["), UInt8(ascii: "]"))
            return nil
        case "ROUTE":
            for _ in 0..<3 { _ = self.word() }
            return nil
        default: return try node(beginningWith: word, depth: depth)
        }
    }

    /// A node of which a word was read.
    /// - Returns: `nil` when it is none: a word of another kind, or the name of a node that is not known.
    private mutating func node(beginningWith word: String, depth: Int) throws(PluginError) -> VRMLNode? {
        var word = word
        var names: [String] = []
        while word == "DEF" {
            names.append(self.word())
            word = self.word()
        }
        guard let node = word == "USE" ? named[self.word()] : try node(of: word, depth: depth) else { return nil }
        for name in names { named[name] = node }
        return node
    }

    /// A node of which its type was read.
    private mutating func node(of type: String, depth: Int) throws(PluginError) -> VRMLNode? {
        skipSpace()
        guard text.take(UInt8(ascii: "{")) else { return nil }
        count += 1
        guard depth < Self.deepest, count <= Self.mostNodes else { throw Self.tooLarge }
        let node = VRMLNode(type)
        while true {
            skipSpace()
            guard let next = text.next else { throw Self.cutOff }
            if text.take(UInt8(ascii: "}")) {
                guard node.height <= Self.deepest else { throw Self.tooLarge }
                return node
            }
            if Self.isLetter(next) { try takeField(of: node, depth: depth + 1) } else { skipOther() }
        }
    }

    /// A field with its value, or a node without a field.
    private mutating func takeField(of node: VRMLNode, depth: Int) throws(PluginError) {
        let start = text
        let name = word()
        skipSpace()
        if Self.statements.contains(name) || text.next == UInt8(ascii: "{") {
            text = start
            if let child = try statement(depth: depth) { node.add(child) }
        } else if let value = try value(depth: depth) {
            node.set(name, value)
        }
    }

    private static let statements: Set = ["DEF", "USE", "PROTO", "EXTERNPROTO", "ROUTE"]

    private mutating func value(depth: Int) throws(PluginError) -> VRMLNode.Value? {
        guard let next = text.next else { throw Self.cutOff }
        if text.take(UInt8(ascii: "[")) { return try list(depth: depth) }
        if Self.isNumber(next) {
            var numbers: [Float] = []
            while let next = text.next, Self.isNumber(next) {
                numbers.append(number())
                skipSpace()
            }
            return .numbers(numbers)
        }
        guard Self.isLetter(next) else {
            // The end of the node, or a text.
            if next != UInt8(ascii: "}") { skipOther() }
            return nil
        }
        let word = word()
        return try node(beginningWith: word, depth: depth).map { .nodes([$0]) } ?? .word(word)
    }

    private mutating func list(depth: Int) throws(PluginError) -> VRMLNode.Value {
        var numbers: [Float] = []
        var nodes: [VRMLNode] = []
        while true {
            skipSpace()
            guard let next = text.next else { throw Self.cutOff }
            if text.take(UInt8(ascii: "]")) { return nodes.isEmpty ? .numbers(numbers) : .nodes(nodes) }
            if Self.isNumber(next) {
                numbers.append(number())
            } else if Self.isLetter(next) {
                // What C writes for numbers that are none keeps its place.
                let start = text
                let word = word().lowercased()
                if nodes.isEmpty, word.hasPrefix("nan") || word.hasPrefix("inf") {
                    numbers.append(.nan)
                    continue
                }
                text = start
                if let node = try statement(depth: depth) { nodes.append(node) }
            } else {
                skipOther()
            }
        }
    }

    // MARK: Letters

    /// Blanks, commas and comments.
    private mutating func skipSpace() {
        while let next = text.next {
            if next <= 0x20 || next == UInt8(ascii: ",") {
                _ = text.take(next)
            } else if next == UInt8(ascii: "#") {
                text.skipLine()
            } else {
                return
            }
        }
    }

    /// A number; what is joined to it makes it none, such as `-1.#IND`, and is passed over as the colours of pixels in `0x` are.
    private mutating func number() -> Float {
        let number = Float(text.number())
        let rest = text.take { $0 > 0x20 && ![UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}")].contains($0) }
        return rest.isEmpty ? number : .nan
    }

    private mutating func word() -> String {
        skipSpace()
        return String(decoding: text.take { $0 > 0x20 && !Self.isSign($0) }, as: UTF8.self)
    }

    /// A text as a whole, or one sign.
    private mutating func skipOther() {
        guard let next = text.next else { return }
        _ = text.take(next)
        guard next == UInt8(ascii: "\"") else { return }
        while let next = text.next {
            _ = text.take(next)
            if next == UInt8(ascii: "\"") { return }
            if next == UInt8(ascii: "\\"), let escaped = text.next { _ = text.take(escaped) }
        }
    }

    /// What stands between two brackets, with all that is in it.
    private mutating func skipBlock(_ begin: UInt8, _ end: UInt8) throws(PluginError) {
        skipSpace()
        guard text.take(begin) else { return }
        var depth = 1
        while depth > 0 {
            skipSpace()
            guard let next = text.next else { throw Self.cutOff }
            if next == begin { depth += 1 }
            if next == end { depth -= 1 }
            skipOther()
        }
    }

    private static func isSign(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "'"):
            true
        default: false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte > 0x20 && !isNumber(byte) && !isSign(byte) }

    private static func isNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static let tooLarge = PluginError(
        .limitExceeded, "the scene has more than \(mostNodes) nodes, or more than \(deepest) in one another")

    private static let cutOff = PluginError(.corrupt, "the VRML scene is cut off: a node in it does not end")
}
