internal import CFont
internal import TextDrawing
internal import VitrineKit

/// The page that shows a face: large letters, some lines, its name.
enum SpecimenSheet {
    private static let margin = 16.0
    private static let room = 210 - 2 * margin

    /// Draws it.
    /// - Throws: `empty` when nothing would be seen, `limitExceeded` without memory.
    static func draw(_ face: FontFace, _ title: [String], on page: Page) throws(PluginError) {
        let em = setSize(face.face)
        guard let font = hb_ft_font_create_referenced(face.face) else {
            throw PluginError(.limitExceeded, "there is no memory to draw the font")
        }
        defer { hb_font_destroy(font) }
        cairo_save(page.context)
        let own = try face.forCairo()
        cairo_set_font_face(page.context, own)
        let letters = face.letters()
        let layers = ColorLayers(face.face)
        let specimen = Specimen(letters)
        var lines = ([specimen.main] + specimen.lines).map { ShapedLine($0, font: font, em: em, layers) }
        if lines.allSatisfy({ $0.box(page.context) == nil }) {
            // Letters that show nothing, or none: the first glyphs do.
            let count = min(9, Int(clamping: face.face.pointee.num_glyphs))
            let parts = [min(1, count)..<min(4, count), min(4, count)..<count]
            lines = parts.map { ShapedLine(glyphs: $0, layers) }
        }
        let seen = lines.filter { $0.box(page.context) != nil }
        let isEmpty = seen.isEmpty
        page.use(.text)
        draw(seen, on: page)
        cairo_restore(page.context)
        cairo_font_face_destroy(own)
        guard !isEmpty else { throw PluginError(.empty, "the font has no glyph that can be seen") }

        page.fill(x: margin, y: 181, width: room, height: 0.7, .line)
        var x = margin
        for (index, part) in title.enumerated() {
            let type = TextLayout.Font(family: "Sans", size: 9.5, isBold: index == 0)
            let width = max(1, 210 - margin - x)
            guard x < 200 - margin, let layout = TextLayout(part, type, on: page, width: width, lines: 1) else {
                break
            }
            page.use(index == 0 ? .text : .pale)
            layout.draw(on: page, x: x, baseline: 195, pitch: 12)
            x += layout.width + 4
        }
    }

    /// The first line as large as fits into the upper half, the others below it.
    private static func draw(_ lines: [ShapedLine], on page: Page) {
        var top = 20.0
        for (index, line) in lines.prefix(4).enumerated() {
            guard let box = line.box(page.context) else { continue }
            let height = index > 0 ? 13.0 : lines.count > 2 ? 88.0 : 100.0
            guard top + height < 180 else { return }
            let size = min(room / box.width, height / box.height, index > 0 ? 16 : 170)
            let x = margin - box.x_bearing * size
            // The large letters stand in the middle of their part, lines on their baseline.
            let y =
                index == 0
                ? top + (height - box.height * size) / 2 - box.y_bearing * size
                : top + height * 0.78
            line.draw(page.context, x: x, y: y, size: size)
            top += height + (index == 0 ? 9 : 7)
        }
    }

    /// Sets a size in which HarfBuzz measures.
    /// - Returns: how many of its units are as long as the type's size.
    private static func setSize(_ face: FT_Face) -> Double {
        if FT_Set_Char_Size(face, 0, 1000 * 64, 72, 72) == 0 { return 64_000 }
        // Pictures of one size only.
        FT_Select_Size(face, 0)
        return max(64, Double(face.pointee.size?.pointee.metrics.y_ppem ?? 1) * 64)
    }
}
