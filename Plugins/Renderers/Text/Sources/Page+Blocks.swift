internal import TextDrawing

extension Page {
    /// How a style is set: lengths in parts of the usual distance between lines.
    private struct Setting {
        var size: Double
        var isBold = false
        var family = "Sans"
        var above = 0.0
        var below = 0.45
        var indent = 0.0
        var ink = Ink.text

        init(_ style: TextBlock.Style) {
            size = 1
            switch style {
            case .body: break
            case .heading(let level):
                size = [1.75, 1.4, 1.2][min(level, 3) - 1]
                isBold = true
                above = 0.35
            case .item(_, let depth):
                indent = 1.3 + 1.1 * Double(depth)
                below = 0.2
            case .quote:
                indent = 1
                ink = .pale
            case .code, .output:
                family = "Monospace"
                size = 0.88
                indent = 0.4
            case .rule, .table, .picture: below = 0.6
            }
        }
    }

    /// The usual size of type, in millimetres.
    private static let bodySize = 8.1
    /// How much of a paragraph is laid out, in scalars: more than a page shows.
    private static let longestBlock = 4096

    /// Draws paragraphs from the top of the page until it is full.
    /// - Parameter pictures: what decodes the pictures among them; without it they are left out.
    func draw(_ blocks: [TextBlock], _ pictures: BlockPictures? = nil) {
        var pictures = pictures
        let scale = Self.scale(blocks)
        let unit = Self.pitch * scale
        var y = Self.top
        for (index, block) in blocks.enumerated() {
            let setting = Setting(block.style)
            if index > 0 { y += setting.above * unit }
            let pitch = unit * setting.size
            guard y + pitch * 0.75 <= Self.bottom else { break }
            var x = Self.margin + setting.indent * unit
            if block.style == .rule {
                fill(x: x, y: y + unit * 0.2, width: Self.lineWidth, height: 0.7, .line)
                y += unit * setting.below
                continue
            }
            if block.style == .picture {
                if let high = pictures?.draw(block.picture, on: self, x: x, top: y) { y += high + setting.below * unit }
                continue
            }
            if case .table(let table) = block.style {
                y += draw(table, top: y, pitch: unit, size: Self.bodySize * scale * 0.9) + setting.below * unit
                continue
            }
            let font = TextLayout.Font(
                family: setting.family, size: Self.bodySize * scale * setting.size, isBold: setting.isBold)
            let text = String(String.UnicodeScalarView(block.text.unicodeScalars.prefix(Self.longestBlock)))
            let width = Self.width - Self.margin - x
            let layout = TextLayout(
                text, font, on: self, width: width, keepsLines: block.style == .code || block.style == .output,
                bold: block.bold,
                struck: block.struck)
            guard let layout else { continue }
            // What runs from right to left is indented at the right.
            if layout.isRightToLeft { x = Self.margin }
            let lines = decorate(block.style, layout, x: x, y: y, width: width, pitch: pitch, unit: unit)
            use(setting.ink)
            let drawn = layout.draw(
                on: self, x: x, baseline: y + pitch * 0.75, pitch: pitch, limit: Self.bottom)
            y += Double(max(lines, drawn)) * pitch + setting.below * unit
        }
    }

    /// Draws what stands around or before a block.
    private func decorate(
        _ style: TextBlock.Style, _ layout: borrowing TextLayout, x: Double, y: Double, width: Double, pitch: Double,
        unit: Double
    ) -> Int {
        let isMirrored = layout.isRightToLeft
        let lines = min(layout.lineCount, Int((Self.bottom - y) / pitch) + 1)
        let height = Double(lines) * pitch
        switch style {
        case .item(let marker, _):
            let font = TextLayout.Font(family: "Sans", size: Self.bodySize * unit / Self.pitch)
            use(.pale)
            if !marker.isEmpty, let mark = TextLayout(marker, font, on: self) {
                let place = isMirrored ? x + width + 0.35 * unit : x - 0.35 * unit - mark.width
                mark.draw(on: self, x: place, baseline: y + pitch * 0.75, pitch: pitch)
            }
        case .quote:
            let place = isMirrored ? x + width + 0.6 * unit - 1.4 : x - 0.6 * unit
            fill(x: place, y: y, width: 1.4, height: height, .line)
        case .code:
            fill(
                x: Self.margin - 0.15 * unit, y: y - 0.15 * unit, width: Self.lineWidth + 0.3 * unit,
                height: height + 0.3 * unit, .shade)
        default: break
        }
        return lines
    }

    /// Larger type for what would fill only the head of a page.
    private static func scale(_ blocks: [TextBlock]) -> Double {
        let lines = blocks.reduce(0.0) { sum, block in
            if block.style == .picture { return sum + 8 }
            let setting = Setting(block.style)
            let parts = block.text.split(separator: "\n", omittingEmptySubsequences: false)
            let own = parts.reduce(0.0) { $0 + (Double($1.unicodeScalars.count) / 38 * setting.size).rounded(.up) }
            return sum + max(1, own) * setting.size + setting.below
        }
        return max(1, min(1.45, (24 / max(1, lines)).squareRoot()))
    }
}
