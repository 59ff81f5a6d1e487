internal import CRSVG
internal import VitrineKit

/// The size of a drawing in CSS pixels, any size that its author wrote.
struct SVGSize {
    var width: Double
    var height: Double

    /// Pixels of an inch (CSS Values and Units 3, section 6.2).
    static let pixelsPerInch = 96.0

    /// The size of what says nothing about its own (CSS Images 3, section 5.1).
    static let standard = SVGSize(width: 300, height: 150)

    /// In whole pixels; `nil` where that says nothing, as for a width of a light year.
    var inPixels: PixelSize? {
        let largest = Double(Int32.max)
        guard width <= largest, height <= largest else { return nil }
        return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
    }
}

extension SVGSize {
    /// The size of a drawing with a view box that has at most one length of its own: the box gives the shape.
    /// - Parameters:
    ///   - viewBox: as the drawing says.
    ///   - width: in pixels, if it is known.
    ///   - height: the same.
    init(viewBox: RsvgRectangle, width: Double?, height: Double?) {
        self.init(width: viewBox.width, height: viewBox.height)
        guard viewBox.width > 0, viewBox.height > 0 else { return }
        if let width {
            self = SVGSize(width: width, height: width / viewBox.width * viewBox.height)
        } else if let height {
            self = SVGSize(width: height / viewBox.height * viewBox.width, height: height)
        }
    }
}

extension RsvgLength {
    /// In CSS pixels (CSS Values and Units 3, section 6.2); `nil` for what depends on the surroundings.
    var pixels: Double? {
        switch unit {
        case RSVG_UNIT_PX: length
        case RSVG_UNIT_IN: length * SVGSize.pixelsPerInch
        case RSVG_UNIT_CM: length * SVGSize.pixelsPerInch / 2.54
        case RSVG_UNIT_MM: length * SVGSize.pixelsPerInch / 25.4
        case RSVG_UNIT_PT: length * SVGSize.pixelsPerInch / 72
        case RSVG_UNIT_PC: length * SVGSize.pixelsPerInch / 6
        default: nil
        }
    }
}
