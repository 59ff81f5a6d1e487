internal import MIME
internal import VitrineKit

/// Goes through the markup of a page once, and keeps what the upper part of it needs: no scripts and no comments, so many elements
/// and letters. How they are nested is seen when they are parsed.
struct MarkupScanner {
    /// Elements, letters between tags, and bytes and rules of style sheets that are kept. The window has room for some hundred
    /// elements, and each rule is tried on each of them.
    private static let mostElements = 2000, mostLetters = 96 << 10
    static let mostStyle = 512 << 10, mostRules = 6000

    /// Elements whose content is letters, whatever is in it.
    private static let raw: Set = ["style", "textarea", "title", "xmp"]
    /// Elements that are left out with their content: letters that nobody reads, and languages of their own.
    private static let dropped: Set = ["iframe", "math", "noembed", "noframes", "script", "svg"]

    private let input: [UInt8]
    private var at = 0
    private(set) var out: [UInt8] = []
    private(set) var namesStyle = false
    /// The address that the page says those in it count from.
    private(set) var base: String?
    /// The pages that it leads to, where they are looked for.
    private(set) var leads: PageLeads?
    /// How the page says it runs, and its letters.
    private var saysRightToLeft: Bool?
    private var direction = WritingDirection()
    private var isInName = false
    private var (elements, letters, style, rules) = (0, 0, 0, 0)
    private let isXML: Bool
    private let rewriter: StyleRewriter

    /// Whether the page runs from right to left: as it says, or as most of what is shown does.
    var isRightToLeft: Bool { saysRightToLeft ?? direction.isRightToLeft }

    /// - Parameters:
    ///   - isXML: whether a slash at the end of a tag closes it.
    ///   - leads: what looks for the pages that it leads to.
    ///   - rewriter: what writes style sheets anew.
    init(_ input: [UInt8], isXML: Bool, leads: PageLeads? = nil, _ rewriter: StyleRewriter) {
        self.input = input
        self.isXML = isXML
        self.leads = leads
        self.rewriter = rewriter
        out.reserveCapacity(min(self.input.count, 1 << 20))
    }

    mutating func run() {
        while at < input.count, elements < Self.mostElements, letters < Self.mostLetters {
            guard input[at] == UInt8(ascii: "<"), at + 1 < input.count else {
                // A zero would end the text for the library.
                if input[at] != 0 { out.append(input[at]) }
                letters += 1
                countLetter()
                at += 1
                continue
            }
            switch input[at + 1] {
            case UInt8(ascii: "!") where input[at...].starts(with: "<!--".utf8): at = end(of: "-->", from: at + 2)
            case UInt8(ascii: "!"), UInt8(ascii: "?"): at = end(of: ">", from: at + 2)
            case let next where next == UInt8(ascii: "/") || Self.isLetter(next): tag()
            default:
                out.append(input[at])
                at += 1
            }
        }
    }

    /// Takes a tag, and behind it the content that is no markup.
    private mutating func tag() {
        let isEnd = input[at + 1] == UInt8(ascii: "/")
        let start = at
        let nameStart = at + (isEnd ? 2 : 1)
        let nameBytes = input[nameStart...].prefix(16).prefix { Self.isLetter($0) || 0x30...0x39 ~= $0 }
        let name = String(decoding: nameBytes, as: UTF8.self).lowercased()
        at = endOfTag(from: nameStart)
        // In HTML only drawings and formulas can be closed where they begin.
        let isClosed = input[at - 2] == UInt8(ascii: "/") && (isXML || name == "svg" || name == "math")
        if Self.dropped.contains(name) {
            if !isEnd, !isClosed { at = Self.endOfContent(name, input, from: at) }
            return
        }
        let content = at
        if !isEnd, !isClosed, Self.raw.contains(name) { at = Self.endOfContent(name, input, from: at) }
        guard !isEnd else {
            leads?.end(name)
            out += input[start..<at].lazy.filter { $0 != 0 }
            return
        }
        elements += 1
        leads?.take(name, input[(nameStart + name.utf8.count)..<content])
        var kept = input[content..<at].filter { $0 != 0 }
        if name == "style" {
            kept = rewriter.sheet(kept[...])
            // Without the comment in it, what was no end may be one.
            kept.removeSubrange(Self.endOfContent(name, kept, from: 0)...)
            style += kept.count
            rules += Self.selectors(in: kept)
            guard style <= Self.mostStyle, rules <= Self.mostRules else { return }
        }
        attributes(of: name, nameStart + name.utf8.count, content)
        out += kept
        if isXML, isClosed, !Self.void.contains(name) { out += "</\(name)>".utf8 }
    }

    /// Elements that have no end.
    private static let void: Set = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// Takes a tag with its attributes, of which style sheets and pictures are written anew.
    private mutating func attributes(of element: String, _ start: Int, _ end: Int) {
        var taken = start
        out += "<\(element)".utf8
        var attributes = TagAttributes(input[start..<end])
        while let attribute = attributes.next() {
            let value = input[attribute.value]
            var written: [UInt8]?
            switch attribute.name {
            case "style": written = Self.escaped(rewriter.declarations(Self.unescaped(value)[...]))
            case "src", "background":
                if Addresses.isPicture(value) { written = Array(rewriter.addresses.name(value, on: "").utf8) }
            case "rel" where element == "link":
                namesStyle = namesStyle || String(decoding: value, as: UTF8.self).lowercased().contains("stylesheet")
            case "href" where element == "base" && value.count <= WebAddress.longest:
                base = base ?? String(decoding: value, as: UTF8.self)
            case "dir" where element == "html" || element == "body":
                let direction = String(decoding: value, as: UTF8.self).lowercased()
                if direction == "rtl" || direction == "ltr" { saysRightToLeft = direction == "rtl" }
            default: break
            }
            guard let written else { continue }
            out += input[taken..<attribute.value.lowerBound].lazy.filter { $0 != 0 }
            // A value without quotes ends at the first blank, and may not be empty.
            out += attribute.isBare ? [UInt8(ascii: "'")] + written + [UInt8(ascii: "'")] : written
            taken = attribute.value.upperBound
        }
        out += input[taken..<attributes.end].lazy.filter { $0 != 0 }
        if attributes.isTooLong { out.append(UInt8(ascii: ">")) }
    }

    /// What the value of an attribute means.
    private static func unescaped(_ value: ArraySlice<UInt8>) -> [UInt8] {
        let meaning =
            value.contains(UInt8(ascii: "&"))
            ? Array(HTMLText.withoutReferences(String(decoding: value, as: UTF8.self)).utf8)[...] : value
        return meaning.filter { $0 != 0 }
    }

    /// Writes what the value of an attribute means, for quotes of either kind.
    private static func escaped(_ meaning: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for byte in meaning {
            switch byte {
            case UInt8(ascii: "&"): out += "&amp;".utf8
            case UInt8(ascii: "\""): out += "&quot;".utf8
            case UInt8(ascii: "'"): out += "&#39;".utf8
            default: out.append(byte)
            }
        }
        return out
    }

    /// How many selectors a style sheet has.
    private static func selectors(in style: [UInt8]) -> Int {
        var (depth, count) = (0, 0)
        for byte in style {
            switch byte {
            case UInt8(ascii: "{"): (depth, count) = (depth + 1, count + 1)
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: count += 1
            default: break
            }
        }
        return count
    }

    /// Counts the letter between tags that begins here, but for names of characters.
    private mutating func countLetter() {
        switch input[at] {
        case UInt8(ascii: "&"):
            let number = input[at...].prefix(10).prefix { $0 != UInt8(ascii: ";") }
            let text = String(decoding: number.dropFirst(), as: UTF8.self).lowercased()
            guard input[at...].dropFirst(number.count).first == UInt8(ascii: ";") else { break }
            isInName = true
            guard text.hasPrefix("#") else { break }
            let scalar = text.hasPrefix("#x") ? UInt32(hexadecimal: text.dropFirst(2).utf8) : UInt32(text.dropFirst())
            if let letter = scalar.flatMap(Unicode.Scalar.init) { direction.count(letter) }
        case UInt8(ascii: ";") where isInName: isInName = false
        default: if !isInName { direction.count(input, at: at) }
        }
    }

    /// Behind a tag, past the quoted values of its attributes (HTML, 13.2.5.32 to 13.2.5.39).
    private func endOfTag(from start: Int) -> Int {
        var place = start
        // Where what is not in quotes began.
        var bare = start
        var (quote, beginsValue): (UInt8?, Bool) = (nil, false)
        while place < input.count {
            let byte = input[place]
            place += 1
            if let open = quote {
                if byte == open { (quote, bare) = (nil, place) }
            } else if byte == UInt8(ascii: ">") {
                return place
            } else if beginsValue, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                (quote, beginsValue) = (byte, false)
            } else if byte == UInt8(ascii: "="), !isInValue(place - 1, from: bare) {
                beginsValue = true
            } else if !Self.isSpace(byte) {
                beginsValue = false
            }
        }
        return place
    }

    /// Whether a sign of equality belongs to a value without quotes, or begins a name.
    private func isInValue(_ place: Int, from start: Int) -> Bool {
        var before = place - 1
        while before >= start, !Self.isSpace(input[before]), input[before] != UInt8(ascii: "=") { before -= 1 }
        return before >= start && input[before] == UInt8(ascii: "=")
    }

    /// Before the tag that ends an element of letters.
    private static func endOfContent(_ name: String, _ bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "/") {
                let next = String(decoding: bytes[(place + 2)...].prefix(name.utf8.count), as: UTF8.self)
                if next.lowercased() == name { return place }
            }
            place += 1
        }
        return place
    }

    private func end(of mark: String, from start: Int) -> Int {
        var place = start
        while place < input.count {
            if input[place...].starts(with: mark.utf8) { return place + mark.utf8.count }
            place += 1
        }
        return place
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
    private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte & 0xDF }
}
