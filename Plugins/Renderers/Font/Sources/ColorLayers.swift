internal import CFont

/// The colours of a font whose letters are made of other glyphs on one another, each in one colour (OpenType's tables COLR, version
/// 0, and CPAL). Such letters need no shape of their own, and cairo 1.16 knows nothing of their layers.
struct ColorLayers {
    /// A glyph, and its colour; `nil` for that of the text.
    typealias Layer = (glyph: CUnsignedLong, color: FT_Color?)

    private let face: FT_Face
    /// The first one of the font's.
    private let palette: [FT_Color]

    /// Layers of a letter that are drawn at most.
    private static let most = 64
    /// What stands in place of a colour where that of the text is meant.
    private static let textColor: FT_UInt = 0xFFFF

    /// - Returns: `nil` for a font without colours.
    init?(_ face: FT_Face) {
        var data = FT_Palette_Data()
        var colors: UnsafeMutablePointer<FT_Color>?
        guard FT_Palette_Data_Get(face, &data) == 0, data.num_palettes > 0, FT_Palette_Select(face, 0, &colors) == 0,
            let colors
        else { return nil }
        self.face = face
        palette = Array(UnsafeBufferPointer(start: colors, count: Int(data.num_palette_entries)))
    }

    /// What a letter is made of, from the lowest to the uppermost; nothing for one that has a shape of its own only.
    func layers(of glyph: CUnsignedLong) -> [Layer] {
        var iterator = FT_LayerIterator()
        var (layer, color): (FT_UInt, FT_UInt) = (0, 0)
        var layers: [Layer] = []
        while layers.count < Self.most,
            FT_Get_Color_Glyph_Layer(face, FT_UInt(truncatingIfNeeded: glyph), &layer, &color, &iterator) != 0
        {
            let index = Int(color)
            guard color == Self.textColor || palette.indices.contains(index) else { continue }
            layers.append((CUnsignedLong(layer), color == Self.textColor ? nil : palette[index]))
        }
        return layers
    }
}
