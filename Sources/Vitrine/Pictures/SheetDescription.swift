import VitrineKit

/// What a contact sheet shows, from top to bottom, in the form that the plugin `sheet` draws; its `SheetDescription`
/// describes it.
public struct SheetDescription: Sendable {
    private var lines = "vitrine-sheet 1\n"
    private var pictures: [[UInt8]] = []
    /// Bytes of all pictures.
    public private(set) var pictureBytes = 0

    /// The type that the plugin has it under.
    static let mimeType = "application/vnd.vitrine.sheet"

    /// Nothing so far.
    public init() {}

    /// The name of the whole.
    public mutating func addTitle(_ text: String) { add("title", [text]) }

    /// A sentence below it.
    public mutating func addNote(_ text: String) { add("note", [text]) }

    /// Begins a folder.
    public mutating func addFolder(_ name: String, detail: String) { add("folder", [name, detail]) }

    /// Begins a kind of files in a folder.
    public mutating func addKind(_ name: String) { add("kind", [name]) }

    /// A file that has a preview.
    /// - Parameters:
    ///   - name: what people call it.
    ///   - detail: its size and the like.
    ///   - picture: a PNG.
    public mutating func addFile(_ name: String, detail: String, picture: [UInt8]) {
        add("file", [name, detail, String(picture.count)])
        pictures.append(picture)
        pictureBytes += picture.count
    }

    /// A file that has none.
    public mutating func addFailure(_ name: String, detail: String, reason: String) {
        add("failure", [name, detail, reason])
    }

    /// A sentence at the end.
    public mutating func addEnd(_ text: String) { add("end", [text]) }

    /// The parts of the whole, one after the other.
    var parts: [[UInt8]] { [Array(lines.utf8) + [UInt8(ascii: "\n")]] + pictures }

    private mutating func add(_ word: String, _ values: [String]) {
        // Nothing in a name can end a word or a line.
        lines += ([word] + values.map { DisplayText.of($0) }).joined(separator: "\t") + "\n"
    }
}
