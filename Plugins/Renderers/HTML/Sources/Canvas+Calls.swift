internal import CLitehtml
internal import Glibc
internal import VitrineKit

extension Canvas {
    /// The functions that litehtml calls. They are valid as long as the canvas.
    var calls: clitehtml_canvas {
        var calls = clitehtml_canvas()
        calls.context = Unmanaged.passUnretained(self).toOpaque()
        calls.font = { context, wanted, metrics in
            guard let (number, found) = Canvas.of(context)?.font(wanted) else { return 0 }
            metrics?.pointee = found
            return number
        }
        calls.text_width = { Canvas.of($0)?.width(Canvas.text($1), $2) ?? 0 }
        calls.text = { Canvas.of($0)?.take(CanvasWord(text: Canvas.text($1), font: $2, colour: $3, line: $4)) }
        calls.end_line = { Canvas.of($0)?.drawWaiting() }
        calls.transform = { _, text, letters in
            let text = Canvas.text(text)
            switch letters {
            case clitehtml_upper: return strdup(text.uppercased())
            case clitehtml_lower: return strdup(text.lowercased())
            default: return strdup(text.prefix(1).uppercased() + text.dropFirst())
            }
        }
        calls.style = { strdup(Canvas.of($0)?.style(Canvas.text($1)) ?? "") }
        calls.picture_size = { context, address, width, height in
            guard let size = Canvas.of(context)?.size(of: Canvas.text(address)) else { return false }
            width?.pointee = CInt(size.width)
            height?.pointee = CInt(size.height)
            return true
        }
        calls.picture = { context, address, clip, place, across, down in
            Canvas.of(context)?.draw(Canvas.text(address), clip, place, across: across, down: down)
        }
        calls.fill = { Canvas.of($0)?.fill($1, $2, $3, $4) }
        calls.disc = { Canvas.of($0)?.disc($1, $2, isFilled: $3) }
        calls.border = { context, box, corners, edges in
            Canvas.of(context)?.border(box, corners, Array(UnsafeBufferPointer(start: edges, count: 4)))
        }
        calls.clip = { Canvas.of($0)?.clip($1, $2) }
        calls.unclip = { Canvas.of($0)?.unclip() }
        calls.title = { Canvas.of($0)?.title = Canvas.text($1) }
        return calls
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Canvas? {
        context.map { Unmanaged<Canvas>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func text(_ bytes: UnsafePointer<CChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }
}
