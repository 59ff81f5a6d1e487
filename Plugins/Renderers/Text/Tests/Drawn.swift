import TextRenderer
import VitrineKit

/// A text that was drawn, and a look at its pixels.
struct Drawn {
    let bitmap: Bitmap
    let facts: Facts

    init(_ bytes: some Sequence<UInt8>, type: String = "text/plain", box: Int = 256) throws {
        let renderer = try TextRenderer(RendererEnvironment(pluginFolder: "/"))
        let rendering = try renderer.render(BytesInput(Array(bytes)), RenderRequest(box: box, mimeType: type))
        bitmap = rendering.bitmap
        facts = rendering.facts
    }

    init(_ text: String, type: String = "text/plain", box: Int = 256) throws {
        try self.init(text.utf8, type: type, box: box)
    }

    /// All pixels of the page.
    var pixels: [UInt8] { bitmap.withUnsafeMutableBytes { Array($0) } }

    /// Whether a part of the page has anything but paper; columns and rows in parts of the page.
    func hasInk(columns: ClosedRange<Double> = 0...1, rows: ClosedRange<Double> = 0...1) -> Bool {
        ink(columns: columns, rows: rows) > 0
    }

    /// Pixels of a part of the page that are darker than grey.
    func ink(columns: ClosedRange<Double> = 0...1, rows: ClosedRange<Double> = 0...1) -> Int {
        func pixels(_ range: ClosedRange<Double>, _ count: Int) -> Range<Int> {
            Int(range.lowerBound * Double(count))..<Int(range.upperBound * Double(count))
        }
        return bitmap.withUnsafeMutableBytes { bytes in
            pixels(rows, bitmap.height).reduce(0) { sum, y in
                sum + pixels(columns, bitmap.width).count { bytes[y * bitmap.bytesPerRow + $0 * 4 + 1] < 160 }
            }
        }
    }
}

/// The error that drawing a text ends with.
func failure(_ bytes: some Sequence<UInt8>, type: String = "text/plain") -> PluginError? {
    do {
        _ = try Drawn(bytes, type: type)
        return nil
    } catch { return error as? PluginError }
}
