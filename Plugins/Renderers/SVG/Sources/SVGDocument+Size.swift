internal import CRSVG
internal import VitrineKit

extension SVGDocument {
    /// The size as a viewer would show it: what the drawing says about itself, else what is drawn.
    func size() throws(PluginError) -> SVGSize {
        var exact = SVGSize(width: 0, height: 0)
        if rsvg_handle_get_intrinsic_size_in_pixels(handle, &exact.width, &exact.height) != 0 { return exact }
        // A side is in percent, which is also how one that is missing counts.
        var width = RsvgLength()
        var height = RsvgLength()
        var viewBox = RsvgRectangle()
        var hasViewBox: gboolean = 0
        rsvg_handle_get_intrinsic_dimensions(handle, nil, &width, nil, &height, &hasViewBox, &viewBox)
        if hasViewBox != 0 { return SVGSize(viewBox: viewBox, width: width.pixels, height: height.pixels) }
        return try farCorner(width: width.pixels, height: height.pixels)
    }

    /// From the origin to the far corner of all that is drawn; a viewer hides what lies before the origin.
    private func farCorner(width: Double?, height: Double?) throws(PluginError) -> SVGSize {
        let standard = SVGSize(width: width ?? SVGSize.standard.width, height: height ?? SVGSize.standard.height)
        var viewport = RsvgRectangle(x: 0, y: 0, width: standard.width, height: standard.height)
        var ink = RsvgRectangle()
        var failure: UnsafeMutablePointer<GError>?
        guard rsvg_handle_get_geometry_for_layer(handle, nil, &viewport, &ink, nil, &failure) != 0 else {
            throw PluginError(drawing: failure)
        }
        let corner = SVGSize(width: width ?? ink.x + ink.width, height: height ?? ink.y + ink.height)
        let usable = PixelSize.fitting(width: corner.width, height: corner.height, in: 1, enlarging: true) != nil
        return usable ? corner : standard
    }
}
