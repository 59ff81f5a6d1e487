internal import CPango
internal import TextDrawing
internal import VitrineKit

/// Draws the diagram of the CIE with all colours, and what of them a device has.
struct GamutSheet {
    private let page: Page
    private let colors: Bitmap

    /// Millimetres of the page, and where the diagram's corner and ends are on it.
    private static let width = 200.0, height = 228.0, left = 19.0, bottom = 217.0
    private static let widest = 0.8, highest = 0.9, scale = 205.0
    /// Pixels of the colours for each part of 1.
    private static let density = 300.0

    /// - Throws: `limitExceeded`.
    static func draw(_ gamut: ProfileGamut, box: Int) throws(PluginError) -> Bitmap {
        let page = try Page(box: box, width: width, height: height)
        let sheet = GamutSheet(page: page, colors: try allColors())
        page.line(gamut.name ?? "Colour profile", size: 10.5, isBold: true, x: 12, baseline: 17, width: width - 24)
        page.line(gamut.summary, size: 7.6, ink: .pale, x: 12, baseline: 28, width: width - 24)
        sheet.draw(gamut)
        return try page.finish("the diagram")
    }

    private func draw(_ gamut: ProfileGamut) {
        let context = page.context
        for part in 0...9 {
            let at = Double(part) / 10
            page.fill(
                x: Self.left, y: Self.bottom - at * Self.scale - 0.15, width: Self.widest * Self.scale, height: 0.3,
                .line)
            guard at <= Self.widest else { continue }
            let up = Self.highest * Self.scale
            page.fill(x: Self.left + at * Self.scale - 0.15, y: Self.bottom - up, width: 0.3, height: up, .line)
        }
        paint(inside: Chromaticity.spectrum)
        // All but the device's own colours are pale.
        trace(Chromaticity.spectrum)
        cairo_set_source_rgba(context, 1, 1, 1, gamut.outline.isEmpty ? 0.35 : 0.7)
        cairo_fill(context)
        if !gamut.outline.isEmpty { paint(inside: gamut.outline) }
        stroke(Chromaticity.spectrum, 0.5, .pale)
        stroke(Chromaticity.sRGB, 0.5, Ink(red: 1, green: 1, blue: 1))
        if !gamut.outline.isEmpty { stroke(gamut.outline, 1.4, .text) }
        if let white = gamut.white {
            cairo_new_path(context)
            cairo_arc(context, Self.left + white.x * Self.scale, Self.bottom - white.y * Self.scale, 2, 0, 2 * .pi)
            page.use(.text)
            cairo_set_line_width(context, 0.8)
            cairo_stroke(context)
        }
    }

    private func paint(inside points: [Chromaticity]) {
        cairo_save(page.context)
        trace(points)
        cairo_clip(page.context)
        page.draw(
            colors, x: Self.left, y: Self.bottom - Self.highest * Self.scale, width: Self.widest * Self.scale,
            height: Self.highest * Self.scale, stretches: true)
        cairo_restore(page.context)
    }

    private func stroke(_ points: [Chromaticity], _ width: Double, _ ink: Ink) {
        trace(points)
        page.use(ink)
        cairo_set_line_width(page.context, width)
        cairo_set_line_join(page.context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(page.context)
    }

    private func trace(_ points: [Chromaticity]) {
        cairo_new_path(page.context)
        for point in points {
            cairo_line_to(page.context, Self.left + point.x * Self.scale, Self.bottom - point.y * Self.scale)
        }
        cairo_close_path(page.context)
    }

    private static func allColors() throws(PluginError) -> Bitmap {
        let bitmap = try Bitmap(
            width: Int(widest * density), height: Int(highest * density), format: .bgrx)
        bitmap.withUnsafeMutableBytes { bytes in
            for row in 0..<bitmap.height {
                for column in 0..<bitmap.width {
                    let at = row * bitmap.bytesPerRow + column * 4
                    let color = Chromaticity.screenColor(
                        x: (Double(column) + 0.5) / density, y: highest - (Double(row) + 0.5) / density)
                    (bytes[at], bytes[at + 1], bytes[at + 2]) = color
                }
            }
        }
        return bitmap
    }
}
