/// A drawing that makes librsvg load what most drawings need, and what cannot be loaded later: the list of fonts and the
/// commonest font, the table of picture decoders, and the decoders that are libraries of their own: of GIF, and of drawings
/// inside of drawings. Further fonts are found when a drawing needs them: their folders stay open to the worker, and to look
/// for letters of Asia takes half of a start.
enum WarmUpDocument {
    /// The document; SVG 1.1.
    static let bytes = Array(text.utf8)

    private static let text = """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
        <text x="2" y="10" font-family="sans-serif">Vitrine</text>
        <image width="8" height="8" xlink:href="data:image/png;base64,\(png)"/>
        <image width="8" height="8" xlink:href="data:image/gif;base64,\(gif)"/>
        <image width="8" height="8" xlink:href="data:image/svg+xml;base64,\(drawing)"/>
        <image width="8" height="8" xlink:href="data:;base64,\(png)"/>
        </svg>
        """

    /// One red pixel each (PNG, second edition; GIF89a).
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC"
    private static let gif = "R0lGODlhAQABAIAAAP8AAAAAACwAAAAAAQABAAACAkQBADs="
    /// `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`.
    private static let drawing =
        "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4="
}
