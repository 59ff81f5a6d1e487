internal import VitrineKit

/// What the entities of a building, in the text form of STEP (ISO 10303-21), say of one another: `#7=IFCAXIS2PLACEMENT3D(#6,$,$);`.
///
/// Assimp follows a reference to an entity that is not there through no address at all, and ends the process. What it does not take
/// for an entity is not there for it either: one that begins behind something else in a line, that has no kind, or no end before the
/// next one begins.
struct STEPReferences {
    /// A number in the text.
    private enum Mention {
        /// An entity is whole.
        case definition(Int)
        /// An entity is named in another one.
        case reference(Int, from: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    private var at = 0
    /// The entity that is read.
    private var entity: Int?
    /// Whether Assimp takes it for one.
    private var isTaken = false
    /// Whether it is one of those whose references are followed.
    private var isFollowed = true

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Refuses a file in which an entity that is drawn, or leads to one, refers to one that is not in the file. Takes one pass, a
    /// second one to the first such reference, and 32 MiB at most; of a file that is larger than half a GiB nothing is looked
    /// at, since Assimp does not read it in time anyway.
    /// - Throws: `corrupt`, with the first.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count <= mostBytes else { return }
        var defined = Bits(), wanted = Bits()
        var text = Self(bytes)
        while let mention = text.next() {
            switch mention {
            case .definition(let number): defined.insert(number)
            case .reference(let number, _): wanted.insert(number)
            }
        }
        guard !wanted.isSubset(of: defined) else { return }
        text = Self(bytes)
        while let mention = text.next() {
            guard case .reference(let number, let holder) = mention, wanted.has(number), !defined.has(number) else {
                continue
            }
            throw PluginError(
                .corrupt,
                "the model is damaged or cut off: its entity #\(holder) refers to the entity #\(number), which is not in "
                    + "the file, or damaged there")
        }
    }

    private static let mostBytes = 512 << 20

    // MARK: Reading

    private mutating func next() -> Mention? {
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "'"):
                if let number = skipText() { return .definition(number) }
            case UInt8(ascii: "/"): skipComment()
            case UInt8(ascii: ";"):
                if let number = end(at) { return .definition(number) }
            case UInt8(ascii: "#"):
                let start = at - 1
                guard let number = number() else { continue }
                if begins() {
                    begin(number, isFirst: isFirst(start))
                } else if let entity, isFollowed {
                    return .reference(number, from: entity)
                }
            default: continue
            }
        }
        return nil
    }

    /// Takes what begins for the entity that is read. In another one it is none, unless a line begins with it.
    private mutating func begin(_ number: Int, isFirst: Bool) {
        let place = at
        let (kind, isHead) = readHead()
        guard entity == nil || isFirst && isHead else {
            at = place
            return
        }
        (entity, isTaken) = (number, isFirst && isHead)
        isFollowed = isTaken && !Self.isAside(kind)
    }

    /// Ends the entity that is read.
    /// - Returns: its number, if it is whole.
    private mutating func end(_ place: Int) -> Int? {
        defer { (entity, isTaken, isFollowed) = (nil, false, true) }
        return isTaken && isEnded(place) ? entity : nil
    }

    /// Whether the bracket and the sign at the end of an entity lie before a place.
    private func isEnded(_ place: Int) -> Bool {
        let sign = bytes[..<place].lastIndex { $0 > 0x20 }
        guard let sign, bytes[sign] == UInt8(ascii: ";") else { return false }
        return bytes[..<sign].last { $0 > 0x20 } == UInt8(ascii: ")")
    }

    /// Whether nothing lies before a place in its line.
    private func isFirst(_ place: Int) -> Bool {
        guard let last = bytes[..<place].last(where: { $0 > 0x20 || $0 == 0x0A || $0 == 0x0D }) else { return true }
        return last <= 0x20
    }

    /// The number here; `nil` where there is none, or one of more digits than a number has.
    private mutating func number() -> Int? {
        let start = at
        var number = 0
        while at < bytes.count, case let digit = bytes[at] &- 0x30, digit <= 9 {
            if at - start < 18 { number = number * 10 + Int(digit) }
            at += 1
        }
        return 1...18 ~= at - start ? number : nil
    }

    /// Whether an equals sign follows in the same line, behind which this then is.
    private mutating func begins() -> Bool {
        let place = at
        skipBlanks()
        if !bytes[place..<at].contains(where: { $0 == 0x0A || $0 == 0x0D }), take(UInt8(ascii: "=")) { return true }
        at = place
        return false
    }

    /// Reads the kind of an entity, and passes over who made it, which is the second argument of all that have an identifier.
    /// - Returns: the kind, which is empty for an entity of several, and whether it is followed by values as a kind is.
    private mutating func readHead() -> (kind: UnsafeRawBufferPointer, isHead: Bool) {
        skipPlainBlanks()
        let start = at
        while at < bytes.count, isOfWord(bytes[at]) { at += 1 }
        let kind = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        skipPlainBlanks()
        guard take(UInt8(ascii: "(")), kind.isEmpty || Self.begins(kind, with: "IFC") else { return (kind, false) }
        skipBlanks()
        let end = at + 1 + Self.identifierLength
        guard end < bytes.count, bytes[at] == UInt8(ascii: "'"), bytes[end] == UInt8(ascii: "'"),
            !bytes[(at + 1)..<end].contains(UInt8(ascii: "'"))
        else { return (kind, true) }
        let place = at
        at = end + 1
        skipBlanks()
        if take(UInt8(ascii: ",")) {
            skipBlanks()
            if take(UInt8(ascii: "#")), number() != nil { return (kind, true) }
        }
        at = place
        return (kind, true)
    }

    /// Letters of an identifier (IfcGloballyUniqueId).
    private static let identifierLength = 22

    private func isOfWord(_ byte: UInt8) -> Bool {
        let letter = byte & 0xDF
        return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter || 0x30...0x39 ~= byte || byte == UInt8(ascii: "_")
    }

    /// Whether Assimp does not go where a kind of entity leads, even if what is drawn leads to the entity itself: who made the model,
    /// what things are made of, what they cost and when they are built, numbers of their size, loads, notes beside them, how lines
    /// and letters are drawn, and what belongs together but is not part of another. Ports, grids, and what carries loads are placed as
    /// things are, and sets of properties and styles of surfaces are read: these lead on.
    private static func isAside(_ kind: UnsafeRawBufferPointer) -> Bool {
        if begins(kind, with: "IFCREL") { return !followed.contains { begins(kind, with: $0) } }
        return aside.contains { begins(kind, with: $0) }
    }

    private static func begins(_ kind: UnsafeRawBufferPointer, with name: StaticString) -> Bool {
        let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return kind.count >= name.count && zip(kind, name).allSatisfy { $0 & 0xDF == $1 & 0xDF }
    }

    private static let followed: [StaticString] = [
        "IFCRELAGGREGATES", "IFCRELCONTAINEDINSPATIALSTRUCTURE", "IFCRELDEFINESBYPROPERTIES", "IFCRELFILLS",
        "IFCRELNESTS",
        "IFCRELVOIDS",
    ]
    private static let aside: [StaticString] = [
        "IFCACTOR", "IFCANNOTATION", "IFCAPPLICATION", "IFCCLASSIFICATION", "IFCCONSTRUCTION", "IFCCOST",
        "IFCCURVESTYLE", "IFCDOCUMENT", "IFCELEMENTQUANTITY", "IFCFILLAREASTYLE", "IFCLABORRESOURCE", "IFCMATERIAL",
        "IFCORGANIZATION", "IFCOWNERHISTORY", "IFCPERSON", "IFCPRESENTATIONLAYER", "IFCPROPERTYREFERENCEVALUE",
        "IFCQUANTITY", "IFCSTRUCTURALANALYSISMODEL", "IFCSTRUCTURALLOAD", "IFCTEXTSTYLE",
        "IFCWORK",
    ]

    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipBlanks() {
        while at < bytes.count {
            if bytes[at] <= 0x20 {
                at += 1
            } else if bytes[at] == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "*") {
                at += 1
                skipComment()
            } else {
                return
            }
        }
    }

    /// Goes behind the end of a comment, if one begins with the stroke that lies behind.
    private mutating func skipComment() {
        guard take(UInt8(ascii: "*")) else { return }
        while at < bytes.count {
            let isStar = bytes[at] == UInt8(ascii: "*")
            at += 1
            if isStar, take(UInt8(ascii: "/")) { return }
        }
    }

    /// Goes behind the end of a text whose quotation mark lies behind. Of one that is doubled, the second begins another text.
    ///
    /// Some programs write a mark within a text as it is. Where a text would go on over the beginning of an entity in the next
    /// line, it has ended: else what is text and what is not would be confused to the end of the file.
    /// - Returns: the entity that has ended with it, if that is whole.
    private mutating func skipText() -> Int? {
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: "'") { return nil }
            guard byte == 0x0A || byte == 0x0D else { continue }
            // Each blank once, and no comments, which are none in a text: there may be many lines in one.
            let line = at
            skipPlainBlanks()
            let place = at
            guard take(UInt8(ascii: "#")), number() != nil else { continue }
            skipPlainBlanks()
            if take(UInt8(ascii: "=")) {
                at = place
                return end(line)
            }
        }
        return nil
    }

    private mutating func skipPlainBlanks() { while at < bytes.count, bytes[at] <= 0x20 { at += 1 } }

    // MARK: Numbers

    /// Which numbers there are, of those below 2²⁷. Larger ones, which no program writes one after the other, are left out.
    private struct Bits {
        private var words: [UInt64] = []
        private static let limit = 1 << 27

        mutating func insert(_ number: Int) {
            guard number < Self.limit else { return }
            let word = number >> 6
            if word >= words.count {
                let count = min(Self.limit >> 6, max(word + 1, words.count * 2))
                words += repeatElement(0, count: count - words.count)
            }
            words[word] |= 1 << UInt64(number & 63)
        }

        func has(_ number: Int) -> Bool {
            let word = number >> 6
            return word < words.count && words[word] & 1 << UInt64(number & 63) != 0
        }

        func isSubset(of other: Bits) -> Bool {
            words.indices.allSatisfy { words[$0] & ~($0 < other.words.count ? other.words[$0] : 0) == 0 }
        }
    }
}
