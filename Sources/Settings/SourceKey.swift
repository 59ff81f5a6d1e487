public import VitrineKit

/// What a `[source NAME-OR-URI]` group is about: a source by its URI, or by the name that it was given.
public enum SourceKey: Hashable, Sendable {
    /// A URI, written as the engine writes it.
    case uri(String)
    /// A name: 1 to 64 characters.
    case name(String)

    /// Reads what a group says. What holds a colon is a URI.
    /// - Returns: `nil` when it is neither: a name holds no `/`, no control characters and no blanks at its ends.
    public init?(_ text: String) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            // Only an absolute path of this machine is a file.
            guard let uri = try? SourceURI(text),
                uri.scheme != "file" || (uri.path.first == UInt8(ascii: "/") && (uri.authority ?? "").isEmpty)
            else { return nil }
            self.init(uri)
            return
        }
        guard 1...64 ~= text.count, text.utf8.count <= 1024, !text.utf8.contains(UInt8(ascii: "/")),
            DisplayText.of(text) == text, text.first?.isWhitespace == false, text.last?.isWhitespace == false
        else { return nil }
        self = .name(text)
    }

    /// The key of a source without a name.
    public init(_ source: SourceURI) {
        // A path can be escaped in several ways; the engine has one.
        self = .uri(source.scheme == "file" ? SourceURI(file: source.path).text : source.text)
    }

    /// As it stands behind `source` in the file.
    public var text: String {
        switch self {
        case .uri(let text), .name(let text): text
        }
    }
}
