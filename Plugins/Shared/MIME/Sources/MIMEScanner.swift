import Glibc

/// Finds the parts of a message in its bytes, which come in pieces; keeps none of them.
///
/// Bounds: ``MIMEPart/most`` parts, ``MIMEPart/deepest`` levels, ``HeaderFields/longest`` bytes of a head. What lies beyond
/// belongs to the part that holds it.
public struct MIMEScanner: Sendable {
    /// The head of the message.
    public private(set) var head = HeaderFields()
    /// Its parts, in their order. Complete after ``finish()``.
    public private(set) var parts: [MIMEPart] = []

    /// Something that ends with a boundary of what holds it.
    private enum Open {
        case multipart(boundary: [UInt8], type: String, section: String, count: Int)
        /// A part by its index: it grows until it ends.
        case part(Int)
    }

    private var stack: [Open] = []
    /// The head that is being read; `nil` in a body.
    private var fields: HeaderFields? = HeaderFields()
    private var section = ""
    private var container: String?
    private var isMessageHead = true
    /// Bytes so far, up to the line at hand.
    private var offset: Int64 = 0
    private var lastEnd: Int64 = 0
    /// The beginning of a line whose end has not come.
    private var line: [UInt8] = []
    private var lineLength: Int64 = 0

    /// Longer lines are cut: boundaries have at most 70 letters, and fields may be long.
    private static let longestLine = 64 << 10

    /// Begins with the head of a message.
    public init() {}

    /// Takes the next bytes.
    public mutating func take(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let end = Self.lineEnd(rest)
                let piece = rest[..<(end.map { $0 + 1 } ?? rest.endIndex)]
                // Most lines are neither a field nor a boundary, and need no copy.
                let room = Self.longestLine - line.count
                if fields != nil || lineLength > 0 || piece.first == 0x2D || end == nil {
                    if room > 0 { line += piece.prefix(room) }
                }
                lineLength += Int64(piece.count)
                if let end {
                    let isCRLF = end > rest.startIndex ? rest[end - 1] == 0x0D : line.dropLast().last == 0x0D
                    endLine(isCRLF ? 2 : 1)
                }
                rest = rest[piece.endIndex...]
            }
        }
    }

    /// Ends the message.
    public mutating func finish() {
        if lineLength > 0 { endLine(0) }
        if fields != nil { endHead() }
        close(to: 0, at: offset)
    }

    private static func lineEnd(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let all = UnsafeBufferPointer(rebasing: bytes)
        guard let base = all.baseAddress, let found = memchr(base, 0x0A, all.count) else { return nil }
        return bytes.startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(base))
    }

    private mutating func endLine(_ end: Int) {
        let start = offset
        offset += lineLength
        let isWhole = lineLength <= Int64(Self.longestLine)
        let text = line.dropLast(isWhole ? min(end, line.count) : 0)
        if text.first == 0x2D, isWhole, let (depth, isLast) = boundary(text) {
            if fields != nil { endHead() }
            // The end of the line before belongs to the boundary (RFC 2046, section 5.1.1).
            close(to: depth + 1, at: max(0, start - lastEnd))
            if isLast { close(to: depth, at: start) } else { beginPart(depth) }
        } else if fields != nil {
            if text.isEmpty, lineLength <= 2 { endHead() } else { fields?.take(line: text) }
        }
        lastEnd = Int64(end)
        line.removeAll(keepingCapacity: true)
        lineLength = 0
    }

    /// Which of the open boundaries a line is, the innermost first.
    private func boundary(_ text: ArraySlice<UInt8>) -> (depth: Int, isLast: Bool)? {
        guard text.starts(with: [0x2D, 0x2D]) else { return nil }
        let rest = text.dropFirst(2)
        for (depth, open) in stack.enumerated().reversed() {
            guard case .multipart(let boundary, _, _, _) = open, rest.starts(with: boundary) else { continue }
            let after = rest.dropFirst(boundary.count)
            if after.allSatisfy(\.isSpace) { return (depth, false) }
            if after.starts(with: [0x2D, 0x2D]), after.dropFirst(2).allSatisfy(\.isSpace) { return (depth, true) }
        }
        return nil
    }

    private mutating func close(to depth: Int, at end: Int64) {
        while stack.count > depth {
            if case .part(let index) = stack.removeLast() {
                parts[index].encodedSize = max(0, end - parts[index].offset)
            }
        }
        fields = nil
    }

    private mutating func beginPart(_ depth: Int) {
        guard case .multipart(let boundary, let type, let inner, let count) = stack[depth], parts.count < MIMEPart.most
        else { return }
        stack[depth] = .multipart(boundary: boundary, type: type, section: inner, count: count + 1)
        section = inner.isEmpty ? "\(count + 1)" : "\(inner).\(count + 1)"
        container = type
        isMessageHead = false
        fields = HeaderFields()
    }

    /// Decides what the body is that follows a head.
    private mutating func endHead() {
        guard let fields else { return }
        self.fields = nil
        if parts.isEmpty, stack.isEmpty, head.isEmpty { head = fields }
        let type = fields.value("content-type").map { FieldValue($0) } ?? FieldValue(Self.usual(in: container))
        if type.value.hasPrefix("multipart/"), let boundary = type["boundary"], !boundary.isEmpty,
            stack.count < MIMEPart.deepest
        {
            stack.append(
                .multipart(boundary: Array(boundary.utf8.prefix(200)), type: type.value, section: section, count: 0))
            return
        }
        guard parts.count < MIMEPart.most else { return }
        var part = MIMEPart(
            type: type.value.isEmpty ? FieldValue("text/plain") : type,
            disposition: fields.value("content-disposition").map { FieldValue($0) },
            coding: TransferCoding(
                fields.value("content-transfer-encoding").map { String(decoding: $0, as: UTF8.self) } ?? ""),
            // The body of a message without parts is its part 1.
            section: section.isEmpty ? "1" : isMessageHead ? section + ".1" : section, offset: offset)
        part.location = fields.text("content-location")
        part.contentID = fields.text("content-id").map { String($0.drop { $0 == "<" }.prefix { $0 != ">" }) }
        stack.append(.part(parts.count))
        parts.append(part)
        // Only one that is written as it is can hold parts (RFC 2046, section 5.2.1).
        guard part.isMessage, part.coding == .identity, stack.count < MIMEPart.deepest else { return }
        section = part.section
        container = nil
        isMessageHead = true
        self.fields = HeaderFields()
    }

    /// What a part is that does not say it (RFC 2046, section 5.1.5).
    private static func usual(in container: String?) -> String {
        container == "multipart/digest" ? "message/rfc822" : "text/plain"
    }
}
