/// Drawings and documents whose bytes are letters. Their own renderer comes first; when it fails, a page full of their
/// commands would pass for the document.
enum ForeignMarkup {
    /// What a text is, when it is one of these.
    /// - Parameters:
    ///   - text: its beginning.
    ///   - mimeType: the type that it was found to have. What is plain text or Markdown by that only begins with a drawing.
    static func name(of text: String, _ mimeType: String) -> String? {
        let start = text.drop { $0.isWhitespace }
        // Not notes that begin with the word.
        if start.prefixMatch(of: /\{\\rtf[0-9\\]/) != nil { return "a document in Rich Text Format" }
        if start.hasPrefix("%!PS") { return "a PostScript document" }
        if start.prefixMatch(of: /%PDF-[0-9.]+[ \t]*(\n|$)/) != nil { return "a PDF document" }
        if start.hasPrefix("{"), isMap(start.prefix(256)) { return "a map in GeoJSON" }
        guard start.hasPrefix("<"), let root = rootElement(start) else { return nil }
        let mayBeDrawing = mimeType != "text/plain" && mimeType != "text/markdown"
        if mayBeDrawing, root == "svg" || root.hasSuffix(":svg") { return "an SVG drawing" }
        if let document = documents[String(root)] { return document }
        // The parts of a package (OpenDocument 1.3, part 3, 3.1.3) are nothing else than XML when they lie by themselves.
        return root == "office:document" ? "an OpenDocument file" : nil
    }

    /// Whether the beginning of an object says that its type is a collection of features.
    private static func isMap(_ start: Substring) -> Bool {
        start.contains(/"type"\s*:\s*"FeatureCollection"/)
    }

    /// Maps and diagrams, by the names of their first elements.
    private static let documents = [
        "gpx": "a track in GPX", "kml": "a map in KML", "TrainingCenterDatabase": "a track in TCX",
        "dia:diagram": "a diagram of Dia",
    ]

    /// The name of the first element, behind the declaration, comments and the document type.
    private static func rootElement(_ text: Substring) -> Substring? {
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if !rest.hasPrefix("!"), !rest.hasPrefix("?") {
                return rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
            }
        }
        return nil
    }
}
