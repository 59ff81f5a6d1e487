/// Writes style sheets anew where litehtml would misread them: rules of kinds that it does not know, what is meant for other media,
/// addresses with semicolons, and declarations (see ``StyleDeclaration``).
struct StyleRewriter {
    /// Whether the page is laid out as its own reflection.
    let isMirrored: Bool
    let addresses: Addresses
    /// The address that those in the style sheet count from.
    let base: String

    /// Writes a style sheet anew.
    func sheet(_ style: ArraySlice<UInt8>) -> [UInt8] { written(style, in: .rules(hasBraces: false)) }

    /// Writes declarations anew that have no rule around them, as in an attribute.
    func declarations(_ style: ArraySlice<UInt8>) -> [UInt8] { written(style, in: .declarations) }

    /// What a pair of braces holds.
    private enum Block: Equatable {
        case rules(hasBraces: Bool), declarations, dropped
        /// Declarations for what is put before or behind an element.
        case generated

        /// Whether its braces are written.
        var hasBraces: Bool { self != .rules(hasBraces: false) && self != .dropped }
    }

    /// Media in media.
    private static let deepest = 8

    private func written(_ style: ArraySlice<UInt8>, in outermost: Block) -> [UInt8] {
        var (out, piece, blocks): ([UInt8], [UInt8], [Block]) = ([], [], [outermost])
        out.reserveCapacity(style.count)
        var at = style.startIndex
        var depth = 0
        func take(_ piece: [UInt8], into out: inout [UInt8]) {
            if blocks.last == .declarations || blocks.last == .generated && !piece.starts(with: "--".utf8) {
                StyleDeclaration(piece)?.write(into: &out, isMirrored: isMirrored)
            } else if case .rules = blocks.last, let address = Self.imported(piece) {
                let name = address.isEmpty ? "" : addresses.name(address, on: base)
                out += (name.isEmpty ? piece : Array("@import url(\(name))".utf8)) + [UInt8(ascii: ";")]
            }
        }
        while at < style.endIndex {
            let byte = style[at]
            at += 1
            switch byte {
            case UInt8(ascii: "/") where at < style.endIndex && style[at] == UInt8(ascii: "*"):
                at = Self.end(of: "*/", style, from: at + 1)
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let end = Self.endOfString(style, from: at, quote: byte)
                piece += style[(at - 1)..<end]
                at = end
            case UInt8(ascii: "("):
                piece.append(byte)
                if piece.count > 3, piece.suffix(4).elementsEqual("url(".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
                    let (address, end) = Self.address(style, from: at)
                    piece += addresses.name(address, on: base).utf8
                    at = end
                } else {
                    depth += 1
                }
            case UInt8(ascii: ")"):
                piece.append(byte)
                depth = max(0, depth - 1)
            case UInt8(ascii: ";") where depth == 0:
                take(Array(Self.trimmed(piece[...])), into: &out)
                piece = []
            case UInt8(ascii: "{"):
                depth = 0
                let block =
                    blocks.count > Self.deepest ? .dropped : Self.block(in: blocks.last ?? .dropped, behind: &piece)
                blocks.append(block)
                if block.hasBraces { out += piece + [byte] }
                piece = []
            case UInt8(ascii: "}"):
                depth = 0
                take(Array(Self.trimmed(piece[...])), into: &out)
                piece = []
                guard blocks.count > 1, let block = blocks.popLast() else { continue }
                if block.hasBraces { out.append(byte) }
            default: if !piece.isEmpty || !Self.isSpace(byte) { piece.append(byte) }
            }
        }
        take(Array(Self.trimmed(piece[...])), into: &out)
        for block in blocks.dropFirst() where block.hasBraces { out.append(UInt8(ascii: "}")) }
        return out
    }

    /// What braces hold, by what stands before them, which is written anew.
    private static func block(in outer: Block, behind prelude: inout [UInt8]) -> Block {
        // Rules in rules begin with the outer one's selector, which litehtml cannot take apart.
        guard case .rules = outer else { return .dropped }
        guard prelude.first == UInt8(ascii: "@") else {
            if prelude.contains(UInt8(ascii: ":")) { prelude = StyleSelector.written(prelude) }
            // Variables are bounded by elements of our own, which these are not.
            return [":before", ":after"].contains { String(decoding: prelude, as: UTF8.self).contains($0) }
                ? .generated : .declarations
        }
        let text = String(decoding: prelude, as: UTF8.self).lowercased()
        if text.hasPrefix("@media") {
            guard let query = MediaQuery.written(text.dropFirst(6)) else { return .dropped }
            prelude = Array("@media \(query)".utf8)
            return .rules(hasBraces: true)
        }
        // What is asked for here is there as far as it will be seen.
        if text.hasPrefix("@layer") || text.hasPrefix("@supports") && !text.contains("not ") && !text.contains("not(") {
            return .rules(hasBraces: false)
        }
        return .dropped
    }

    /// The address of a style sheet that is asked for.
    /// - Returns: nothing where it was written anew already; `nil` for any other statement.
    private static func imported(_ statement: [UInt8]) -> ArraySlice<UInt8>? {
        let word = "@import"
        guard String(decoding: statement.prefix(word.utf8.count), as: UTF8.self).lowercased() == word else {
            return nil
        }
        let rest = statement.dropFirst(word.utf8.count).drop(while: isSpace)
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return [] }
        return rest.dropFirst().prefix { $0 != quote }
    }

    /// An address without the quotes around it, in which there may be parentheses, and where the one is that closes behind it.
    private static func address(_ style: ArraySlice<UInt8>, from start: Int) -> (ArraySlice<UInt8>, Int) {
        let rest = style[start...]
        let first = rest.firstIndex { !isSpace($0) } ?? rest.endIndex
        func closing(from place: Int) -> Int { style[place...].firstIndex(of: UInt8(ascii: ")")) ?? style.endIndex }
        guard first < rest.endIndex, rest[first] == UInt8(ascii: "\"") || rest[first] == UInt8(ascii: "'") else {
            let end = closing(from: first)
            return (trimmed(rest[first..<end]), end)
        }
        let end = endOfString(style, from: first + 1, quote: rest[first])
        let isClosed = end > first + 1 && style[end - 1] == rest[first]
        return (trimmed(style[(first + 1)..<(isClosed ? end - 1 : end)]), closing(from: end))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }

    private static func end(of mark: String, _ style: ArraySlice<UInt8>, from start: Int) -> Int {
        var place = start
        while place < style.endIndex {
            if style[place...].starts(with: mark.utf8) { return place + mark.utf8.count }
            place += 1
        }
        return style.endIndex
    }

    /// Behind the quote that ends a string; a line ends it, too (CSS Syntax 3, 4.3.5).
    private static func endOfString(_ style: ArraySlice<UInt8>, from start: Int, quote: UInt8) -> Int {
        var place = start
        while place < style.endIndex, style[place] != quote, style[place] != 0x0A {
            place += style[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, style.endIndex)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
