/// A drawing that makes librsvg load all that it loads at the first use of something: the generic fonts in several
/// styles, the table of picture decoders, and the one decoder that is a library of its own.
enum WarmUpDocument {
    /// The document; SVG 1.1.
    static let bytes = Array(text.utf8)

    private static let text = """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
        <text x="2" y="10" font-family="sans-serif">Vitrine é<tspan font-weight="bold">Ω</tspan></text>
        <text x="2" y="20" font-family="serif" font-style="italic">Vitrine Ж</text>
        <text x="2" y="30" font-family="monospace">漢字 あ 한 ع א ก</text>
        <image width="8" height="8" xlink:href="data:image/png;base64,\(png)"/>
        <image width="8" height="8" xlink:href="data:image/gif;base64,\(gif)"/>
        <image width="8" height="8" xlink:href="data:;base64,\(png)"/>
        </svg>
        """

    /// One red pixel each (PNG, second edition; GIF89a).
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
    private static let gif = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs="
}
