extension Page {
    /// Draws one line in the usual type, which ends in an ellipsis where it is too long.
    /// - Parameters:
    ///   - text: without control characters; only its beginning counts, as no more of a name can be seen.
    ///   - size: of the type.
    ///   - x: the left edge.
    ///   - width: what it may fill.
    /// - Returns: the width of what was drawn.
    @discardableResult package func line(
        _ text: String, size: Double, isBold: Bool = false, ink: Ink = .text, x: Double, baseline: Double,
        width: Double
    ) -> Double {
        let font = TextLayout.Font(family: "Sans", size: size, isBold: isBold)
        let text = Self.bounded(text)
        guard !text.isEmpty, let layout = TextLayout(text, font, on: self, width: width, lines: 1) else { return 0 }
        use(ink)
        layout.draw(on: self, x: x, baseline: baseline, pitch: size)
        return layout.width
    }

    /// What may fit into a line of the widest page. Where it does not, laying out puts dots at its end.
    private static func bounded(_ text: String) -> String {
        let most = 1024
        let start = text.unicodeScalars.prefix(most)
        return start.endIndex == text.unicodeScalars.endIndex ? text : String(String.UnicodeScalarView(start)) + "…"
    }
}
