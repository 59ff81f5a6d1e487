internal import TextDrawing

extension Page {
    /// Columns and lines of a page in type of the usual size.
    private static let columns = 33.5
    private static let lines = 24.0
    /// How much smaller or larger the type may be, so that more is seen of wide text, and short text is no stamp.
    private static let factors = 0.8...1.5

    /// Draws lines that stay lines. What does not fit is cut off.
    func draw(_ listing: CodeListing) {
        let lengths = listing.lines.prefix(30).map(\.text.unicodeScalars.count).sorted()
        // One line in ten may be cut.
        let wide = lengths.isEmpty ? 0 : lengths[lengths.count * 9 / 10]
        let fitting = min(Self.columns / Double(max(1, wide)), Self.lines / Double(max(1, listing.lines.count)))
        let factor = max(Self.factors.lowerBound, min(Self.factors.upperBound, fitting))
        let font = TextLayout.Font(family: "Monospace", size: 8.6 * factor)
        let pitch = Self.pitch * factor
        clipToMargins()
        var baseline = Self.top + pitch * 0.75
        for line in listing.lines {
            if baseline > Self.bottom { break }
            defer { baseline += pitch }
            guard !line.text.isEmpty, let layout = TextLayout(line.text, font, on: self) else { continue }
            use(line.isComment ? .pale : .text)
            let x = layout.isRightToLeft ? Self.margin + Self.lineWidth - layout.width : Self.margin
            layout.draw(on: self, x: x, baseline: baseline, pitch: pitch)
        }
    }
}
