import SVGRenderer
import VitrineKit

/// A drawing that was drawn, and a look at its pixels.
struct Drawn {
    /// Colours that the samples use, and how a picture spells them: blue, green, red, alpha.
    enum Colour: Equatable { case red, blue, clear, other([UInt8]) }

    let bitmap: Bitmap
    let original: PixelSize?

    var size: PixelSize { PixelSize(width: bitmap.width, height: bitmap.height) }

    init(_ bytes: [UInt8], box: Int = 200) throws(PluginError) {
        let renderer = try SVGRenderer(RendererEnvironment(pluginFolder: "/nonexistent"))
        let rendering = try renderer.render(BytesInput(bytes), RenderRequest(box: box, mimeType: "image/svg+xml"))
        bitmap = rendering.bitmap
        original = rendering.facts.size
    }

    init(_ text: String, box: Int = 200) throws(PluginError) { try self.init(Array(text.utf8), box: box) }

    subscript(x: Int, y: Int) -> Colour {
        let pixel = bitmap.withUnsafeMutableBytes {
            Array($0[y * bitmap.bytesPerRow + x * 4..<y * bitmap.bytesPerRow + x * 4 + 4])
        }
        return switch pixel {
        case [0, 0, 255, 255]: .red
        case [255, 0, 0, 255]: .blue
        case [0, 0, 0, 0]: .clear
        default: .other(pixel)
        }
    }

    /// Whether nothing at all was drawn.
    var isBlank: Bool { bitmap.withUnsafeMutableBytes { $0.allSatisfy { $0 == 0 } } }
}
