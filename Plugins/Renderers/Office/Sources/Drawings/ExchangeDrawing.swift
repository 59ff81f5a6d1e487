internal import VitrineKit

/// A drawing of AutoCAD's exchange format for LibreOffice, which draws no texts of several lines, and of drawings that do not say how
/// large they are sees neither what is put together of blocks nor all that is written: the texts become one for each line, and
/// the size is said.
struct ExchangeDrawing {
    /// The drawing as LibreOffice gets it.
    private(set) var text: [UInt8] = []

    private var section = ""
    private var isSized = false
    private var blocks: [String: DrawingBounds] = [:]
    private var block: (name: String, base: (x: Double, y: Double), bounds: DrawingBounds)?
    private var bounds = DrawingBounds()
    private var hasTexts = false
    /// Whether letters have two bytes, so that what looks like a code may be none: such texts are left as they are.
    private var hasPairs = false
    private var needsSize = false
    /// Where the elements begin in ``text``.
    private var elements: Int?

    /// Bytes of a drawing at most. A larger one is left as it is.
    static let limit = 8 << 20

    /// What LibreOffice is given of a drawing.
    /// - Returns: `nil` for the drawing as it is.
    /// - Throws: as ``BinaryDrawing/text(of:)``.
    static func text(of input: any RandomAccessInput) throws(PluginError) -> [UInt8]? {
        if let text = try BinaryDrawing.text(of: input) { return ExchangeDrawing(text)?.text ?? text }
        guard input.size <= limit else { return nil }
        return try ExchangeDrawing(input.head(limit))?.text
    }

    /// Reads a drawing.
    /// - Returns: `nil` where LibreOffice draws it as it is, and where it is no such drawing.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit else { return nil }
        let mayHaveTexts = bytes.withUnsafeBytes { $0.offset(of: "MTEXT") } != nil
        var reader = DrawingPairs(bytes)
        var kind = ""
        var pairs: [(code: Int, value: String)] = []
        var start = 0
        while let pair = reader.next() {
            guard pair.code == 0 else {
                pairs.append((pair.code, pair.value))
                continue
            }
            take(DrawingEntity(kind, pairs), bytes[start..<pair.start])
            if isSized, !mayHaveTexts { return nil }
            (kind, start) = (pair.value, pair.start)
            pairs.removeAll(keepingCapacity: true)
        }
        text += bytes[start...]
        guard let elements, hasTexts || needsSize && !isSized, !bounds.isEmpty else { return nil }
        if !isSized { text.insert(contentsOf: size, at: elements) }
    }

    /// Takes what comes next.
    /// - Parameter lines: what it is in the file.
    private mutating func take(_ entity: DrawingEntity, _ lines: ArraySlice<UInt8>) {
        switch entity.kind {
        case "SECTION":
            section = entity.text(2) ?? ""
            if section == "HEADER" {
                isSized = entity.saysSize
                hasPairs = entity.saysPairs
                text += isSized ? Array(lines) : Self.withoutSize(lines)
                return
            }
            if section == "ENTITIES" { elements = elements ?? text.count }
        case "BLOCK": block = (entity.text(2) ?? "", entity.points(10...10).first ?? (0, 0), DrawingBounds())
        case "ENDBLK":
            if let block { blocks[block.name] = block.bounds.relative(to: block.base) }
            block = nil
        case "MTEXT" where !hasPairs && (section == "ENTITIES" || section == "BLOCKS"):
            hasTexts = true
            // Rather than to grow for ever, a drawing has fewer texts.
            for line in entity.textLines where text.count < 4 * Self.limit {
                add(line)
                text += line.bytes
            }
            return
        case "INSERT", "TEXT":
            if section == "ENTITIES" { needsSize = true }
            add(entity)
        default: add(entity)
        }
        text += lines
    }

    private mutating func add(_ entity: DrawingEntity) {
        guard !entity.isOnPaper else { return }
        if section == "ENTITIES" {
            bounds.add(entity, blocks)
        } else if section == "BLOCKS" {
            block?.bounds.add(entity, blocks)
        }
    }

    /// A header in which the corners that are none have names that nobody knows: LibreOffice would not take others after them.
    private static func withoutSize(_ lines: ArraySlice<UInt8>) -> [UInt8] {
        var lines = Array(lines)
        let (name, other) = (Array("$EXT".utf8), Array("$OLD".utf8))
        var from = 0
        while let range = lines[from...].firstRange(of: name) {
            lines.replaceSubrange(range, with: other)
            from = range.upperBound
        }
        return lines
    }

    /// A header that says the size.
    private var size: [UInt8] {
        let (low, high) = (bounds.low, bounds.high)
        let corners = "9\n$EXTMIN\n10\n\(low.x)\n20\n\(low.y)\n30\n0\n9\n$EXTMAX\n10\n\(high.x)\n20\n\(high.y)\n30\n0\n"
        return Array("0\nSECTION\n2\nHEADER\n\(corners)0\nENDSEC\n".utf8)
    }
}
