/// Finds the blocks of a Markdown text, as CommonMark has them, with what GitHub and generators of web sites add: near enough
/// for a picture, and never at a loss.
enum Markdown {
    /// More than a page has.
    private static let limit = 60

    static func blocks(_ text: String) -> [TextBlock] {
        let (settings, rest) = FrontMatter.split(text)
        let lines = rest.split(separator: "\n", omittingEmptySubsequences: false)
        var parser = MarkdownParser(MarkdownNotes(text), ends: lines.count(where: MarkdownParser.endsAside))
        for line in lines {
            if parser.blocks.count >= limit { break }
            parser.take(line)
        }
        let blocks = parser.finish()
        guard let title = settings?.title, !blocks.contains(where: { $0.style == .heading(1) }) else { return blocks }
        return [TextBlock(title, .heading(1))] + blocks
    }
}
