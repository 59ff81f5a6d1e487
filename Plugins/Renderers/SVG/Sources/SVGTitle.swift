internal import VitrineKit

/// The title of a drawing: the text of the first `title` (SVG 1.1, 5.4) near its beginning, which is the drawing's own
/// wherever there is one. librsvg tells it no longer.
enum SVGTitle {
    /// Where it stands, whatever comments and name spaces come before.
    private static let reach = 16 << 10

    private static let entities = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]

    /// - Parameter drawing: one that librsvg has read.
    static func of(_ drawing: UnsafeRawBufferPointer) -> String? {
        let bytes = drawing.prefix(reach)
        guard let start = place(of: Array("<title".utf8), in: bytes, from: bytes.startIndex),
            let begin = bytes[start...].firstIndex(of: UInt8(ascii: ">")),
            // The one of a shape, a group or a gradient comes behind that shape's tag.
            place(of: Array("<g".utf8), in: bytes[..<start], from: bytes.startIndex) == nil,
            place(of: Array("<path".utf8), in: bytes[..<start], from: bytes.startIndex) == nil,
            let end = bytes[begin...].firstIndex(of: UInt8(ascii: "<"))
        else { return nil }
        var text = String(decoding: bytes[(begin + 1)..<end], as: UTF8.self)
        for (entity, letter) in entities {
            text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: letter)
        }
        return Facts.line(text)
    }

    private static func place(of word: [UInt8], in bytes: Slice<UnsafeRawBufferPointer>, from start: Int) -> Int? {
        guard bytes.count >= word.count else { return nil }
        return (start...(bytes.endIndex - word.count)).first { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
    }
}
