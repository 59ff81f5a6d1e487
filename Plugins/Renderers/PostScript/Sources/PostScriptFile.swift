internal import VitrineKit

/// A file with a PostScript program in it, and what its comments say (Adobe's Document Structuring Conventions 3.0).
struct PostScriptFile {
    /// A part of a page in points, from the lower left corner.
    struct Box {
        var left: Double
        var bottom: Double
        var width: Double
        var height: Double
    }

    /// The program.
    private(set) var program: UnsafeRawBufferPointer
    /// Whether it is a drawing for other documents: one that lies on no paper of its own, and need not show it.
    let isDrawing: Bool
    /// What is to be seen of a drawing, where that is said.
    private(set) var crop: Box?
    /// Pages, by what the document claims: how many it shows is known only once all of it has run.
    private(set) var pages: Int?
    /// The title that it gives itself.
    private(set) var title: String?

    /// Bytes at the start and at the end in which comments are looked for.
    private static let commentBytes = 32 << 10
    /// Bytes before the program: printers' own commands.
    private static let longestPreamble = 4096
    /// The longest side of a drawing, in points: 70 metres.
    private static let longestSide = 200_000.0

    /// Looks at a file.
    /// - Parameters:
    ///   - bytes: all of it.
    ///   - mimeType: what the engine found: drawings are often called so by their names alone.
    /// - Throws: `corrupt`; `empty` when it is a part of other documents, as fonts' encodings are.
    init(_ bytes: UnsafeRawBufferPointer, mimeType: String) throws(PluginError) {
        var part = bytes
        if bytes.starts(with: [0xC5, 0xD0, 0xD3, 0xC6]) {
            // With a preview before or behind it: four bytes each for where the program begins, and its length.
            guard bytes.count >= 30, case let start = Self.little(bytes, 4), case let count = Self.little(bytes, 8),
                start >= 30, start < bytes.count, count > 0
            else { throw PluginError(.corrupt, "the EPS drawing's header names no place of its program") }
            part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + count)])
        }
        guard let start = Self.start(part.prefix(Self.longestPreamble)) else {
            throw PluginError(.corrupt, "the file is no PostScript program: it has no line that begins with %!")
        }
        program = UnsafeRawBufferPointer(rebasing: part[start...])
        let head = Self.lines(program.prefix(80)).first ?? ""
        isDrawing = mimeType == "image/x-eps" || head.contains("EPSF-")
        // Adobe's Document Structuring Conventions 3.0, section 5.1: what a file is that is no document.
        if head.hasPrefix("%!PS-Adobe-"), head.contains(" Resource-") {
            throw PluginError(.empty, "the PostScript file has no page: it is a resource that documents use")
        }
        readComments()
    }

    /// Where the program begins: `%!` at the start of a line, or behind the Control-D with which drivers end a job before.
    private static func start(_ head: Slice<UnsafeRawBufferPointer>) -> Int? {
        head.indices.dropLast().first { at in
            head[at] == 0x25 && head[at + 1] == 0x21 && (at == 0 || [4, 10, 13].contains(head[at - 1]))
        }
    }

    private mutating func readComments() {
        let head = Self.lines(program.prefix(Self.commentBytes))
        let tail = Self.lines(program.suffix(Self.commentBytes)).reversed()
        /// The first in the head, unless that puts it off to the end.
        func value(_ name: String) -> String? {
            let found = head.first { $0.hasPrefix(name) }.map { Self.trimmed($0.dropFirst(name.count)) }
            guard let found, found.hasPrefix("(atend)") else { return found }
            return tail.first { $0.hasPrefix(name) }.map { Self.trimmed($0.dropFirst(name.count)) }
        }
        pages = value("%%Pages:").flatMap { Int($0.prefix { $0 != " " }) }.flatMap { 1...1_000_000 ~= $0 ? $0 : nil }
        title = value("%%Title:").flatMap { text in
            let isWrapped = text.hasPrefix("(") && text.hasSuffix(")")
            return Facts.line(isWrapped ? String(text.dropFirst().dropLast()) : text)
        }
        guard isDrawing else { return }
        pages = 1
        crop = value("%%HiResBoundingBox:").flatMap(Self.box) ?? value("%%BoundingBox:").flatMap(Self.box)
    }

    /// Four numbers: left, bottom, right, top.
    private static func box(_ text: String) -> Box? {
        let numbers = text.split(separator: " ").prefix(4).compactMap { Double($0) }
        guard numbers.count == 4, numbers.allSatisfy({ abs($0) <= longestSide }) else { return nil }
        let box = Box(
            left: numbers[0], bottom: numbers[1], width: numbers[2] - numbers[0], height: numbers[3] - numbers[1])
        return box.width >= 1 && box.height >= 1 ? box : nil
    }

    private static func lines(_ bytes: Slice<UnsafeRawBufferPointer>) -> [String] {
        bytes.split { $0 == 10 || $0 == 13 }.filter { $0.first == 0x25 }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " || $0 == "\t" })
    }

    private static func little(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
        Int(littleEndianBytes: bytes[at..<at + 4])
    }
}
