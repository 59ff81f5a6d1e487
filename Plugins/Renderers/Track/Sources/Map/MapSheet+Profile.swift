internal import CPango
internal import TextDrawing

extension MapSheet {
    /// Metres from the lowest to the highest point that fill the strip at least: what is flat looks flat.
    private static let leastRise = 50.0

    /// Draws the elevations along the way, in a strip below the map.
    func drawProfile(hasWords: Bool) {
        let profile = features.profile
        guard let lowest = profile.heights.min(), let highest = profile.heights.max() else { return }
        page.fill(x: 0, y: bottom, width: side, height: side - bottom, MapInk.strip)
        page.fill(x: 0, y: bottom, width: side, height: max(1, side / 512), MapInk.grid)
        let rise = max(highest - lowest, Self.leastRise)
        let base = (highest + lowest - rise) / 2
        let (upper, lower) = (bottom + side * (hasWords ? 0.06 : 0.035), side * 0.975)
        let context = page.context
        let columns = max(2, min(profile.heights.count, Int(side / 2)))
        func height(_ column: Int) -> Double {
            let from = column * profile.heights.count / columns
            let to = max(from + 1, (column + 1) * profile.heights.count / columns)
            let mean = profile.heights[from..<to].reduce(0, +) / Double(to - from)
            return lower - (mean - base) / rise * (lower - upper)
        }
        cairo_new_path(context)
        cairo_move_to(context, 0, height(0))
        for column in 0..<columns {
            cairo_line_to(context, side * Double(column) / Double(columns - 1), height(column))
        }
        let outline = cairo_copy_path(context)
        cairo_line_to(context, side, side)
        cairo_line_to(context, 0, side)
        cairo_close_path(context)
        let ink = MapInk.profile
        cairo_set_source_rgba(context, ink.red, ink.green, ink.blue, 0.28)
        cairo_fill(context)
        cairo_append_path(context, outline)
        cairo_path_destroy(outline)
        page.use(ink)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_width(context, max(1.2, side / 300))
        cairo_stroke(context)
        guard hasWords else { return }
        let (size, baseline) = (side * 0.021, bottom + side * 0.034)
        let words = "\(MapWords.metres(lowest)) – \(MapWords.metres(highest))"
        page.line(words, size: size, ink: .pale, x: side * 0.045, baseline: baseline, width: side * 0.6)
        let way = MapWords.length(profile.distance)
        // Set from the right edge, where the way ends.
        let font = TextLayout.Font(family: "Sans", size: size)
        guard let layout = TextLayout(way, font, on: page, width: side * 0.3, lines: 1) else { return }
        page.use(.pale)
        layout.draw(on: page, x: side * 0.955 - layout.width, baseline: baseline, pitch: size)
    }
}
