internal import VitrineKit
internal import XML

/// A formula in MathML, as LibreOffice draws it whole.
///
/// It refuses what is no XML, for which a picture of an object that is missing would stand in the text, and takes what `math` holds
/// beside one element for lines, where MathML has it in a row (MathML 3, 3.1.3.1).
enum FormulaMarkup {
    /// Bytes in which each piece of a prolog ends.
    private static let headLength = 4096
    /// Elements within one another.
    private static let depth = 512

    /// Whether a text is a formula: what is something else, LibreOffice might take for a document of another kind.
    static func begins(_ content: [UInt8]) -> Bool { content.withUnsafeBytes { mathTag(in: $0) != nil } }

    /// The same formula, without the declaration of its document type, and with a row around what it holds.
    /// - Throws: `corrupt` where it is no formula, or no XML. What has names for letters is none by itself, as they stand in a
    ///   document type elsewhere.
    static func prepared(_ content: [UInt8]) throws(PluginError) -> [UInt8] {
        guard let formula = content.withUnsafeBytes({ withRow($0) }) else {
            throw PluginError(.corrupt, "the formula is damaged: it is no MathML")
        }
        let limits = XMLLimits(depth: depth, text: content.count)
        try XMLReader("the formula", limits: limits).read(formula, isLast: true)
        return formula
    }

    /// The tag `math`, if it is the first one.
    private static func mathTag(in bytes: UnsafeRawBufferPointer) -> MarkupTag? {
        guard let tag = firstTag(in: bytes, from: 0), !tag.isEnd, tag.isNamed("math", in: bytes) else { return nil }
        return tag
    }

    /// The next tag, past comments, and the declaration of a document type without one of its own.
    private static func firstTag(in bytes: UnsafeRawBufferPointer, from start: Int) -> MarkupTag? {
        var from = start
        for (opening, closing) in [("<!--", "-->"), ("<!DOCTYPE", ">"), ("<!--", "-->")]
            as [(StaticString, StaticString)]
        {
            // Comments behind it are not passed over.
            if let tag = MarkupTag(in: bytes, from: from) { return tag }
            let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(from + headLength))
            if let mark = head.offset(of: opening, from: from), let end = head.offset(of: closing, from: mark) {
                from = end + closing.utf8CodeUnitCount
            }
        }
        return MarkupTag(in: bytes, from: from)
    }

    private static func withRow(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let tag = mathTag(in: bytes) else { return nil }
        // What tells the encoding, if anything does.
        let declaration = bytes.starts(with: "<?xml".utf8) ? bytes.offset(of: "?>").map { $0 + 2 } ?? 0 : 0
        let start = tag.name.lowerBound - 1
        var formula = Array(bytes[..<min(declaration, start)])
        formula += bytes[start..<tag.end]
        let rest = bytes[tag.end...]
        let isMarked = firstTag(in: bytes, from: tag.end).map { $0.isNamed("semantics", in: bytes) } ?? true
        let name = Array(bytes[tag.name])
        guard !tag.isEmpty, !isMarked, let end = lastTag(name, in: rest) else { return formula + rest }
        let row = Array(name.dropLast(4)) + Array("mrow>".utf8)
        formula += Array("<".utf8) + row
        formula += rest[..<end]
        formula += Array("</".utf8) + row
        return formula + rest[end...]
    }

    /// Where the last tag begins that ends an element of this name.
    private static func lastTag(_ name: [UInt8], in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        let tag = Array("</".utf8) + name
        guard bytes.count >= tag.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - tag.count)).last { bytes[$0...].starts(with: tag) }
    }
}
