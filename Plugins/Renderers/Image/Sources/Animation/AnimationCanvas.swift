internal import VitrineKit

/// Where on an animation's canvas a frame lies, and what is done with it.
struct AnimationFrame {
    /// What becomes of a frame when the next one comes.
    enum Disposal { case keep, clear, restore }

    var x: Int
    var y: Int
    var size: PixelSize
    /// Whether frames before shine through what is transparent in it.
    var isBlended: Bool
    var disposal: Disposal
}

/// The canvas on which an animation's frames are laid one after the other; in the file's own pixels: R, G, B and alpha.
struct AnimationCanvas {
    private let bitmap: Bitmap

    private init(_ size: PixelSize) throws(PluginError) {
        bitmap = try Bitmap(width: size.width, height: size.height, format: .rgba)
    }

    /// The first of an animation's frames that shows something.
    /// - Parameters:
    ///   - frames: as many as may be looked at; see `FrameChoice`.
    ///   - size: of the canvas.
    ///   - box: the longest side wanted.
    ///   - decode: gives a frame's pixels, as many as its size says, in a bitmap that begins with R, G, B and alpha; `nil`
    ///     where it is damaged, and the search ends.
    /// - Returns: `nil` when all frames are empty.
    static func firstShown(
        _ frames: [AnimationFrame], on size: PixelSize, box: Int, decode: (Int) throws(PluginError) -> Bitmap?
    ) throws(PluginError) -> Bitmap? {
        if frames.isEmpty { return nil }
        let canvas = try AnimationCanvas(size)
        var choice = FrameChoice()
        for (index, frame) in frames.enumerated() {
            guard frame.x + frame.size.width <= size.width, frame.y + frame.size.height <= size.height,
                let pixels = try decode(index), pixels.width == frame.size.width, pixels.height == frame.size.height
            else { break }
            let before = frame.disposal == .restore ? try canvas.copy(of: frame) : nil
            canvas.lay(pixels, frame)
            let isFound = try choice.isFound(canvas.bitmap.variety) { () throws(PluginError) in
                try canvas.bitmap.reduced(box: box)
            }
            if isFound { break }
            switch frame.disposal {
            case .keep: break
            case .clear: canvas.clear(frame)
            case .restore: if let before { canvas.put(before, frame) }
            }
        }
        return choice.best
    }

    private func lay(_ pixels: Bitmap, _ frame: AnimationFrame) {
        guard frame.isBlended else { return put(pixels, frame) }
        pixels.withUnsafeMutableBytes { from in
            bitmap.withUnsafeMutableBytes { to in
                for y in 0..<frame.size.height {
                    var source = y * pixels.bytesPerRow
                    var target = (frame.y + y) * bitmap.bytesPerRow + 4 * frame.x
                    for _ in 0..<frame.size.width {
                        Self.blend(from, source, over: to, target)
                        source += 4
                        target += 4
                    }
                }
            }
        }
    }

    private static func blend(
        _ from: UnsafeMutableRawBufferPointer, _ source: Int, over to: UnsafeMutableRawBufferPointer, _ target: Int
    ) {
        let alpha = UInt32(from[source + 3])
        guard alpha > 0 else { return }
        let below = UInt32(to[target + 3]) * (255 - alpha) / 255
        let total = alpha + below
        for channel in 0..<3 {
            let mixed = UInt32(from[source + channel]) * alpha + UInt32(to[target + channel]) * below
            to[target + channel] = UInt8(mixed / total)
        }
        to[target + 3] = UInt8(total)
    }

    private func put(_ pixels: Bitmap, _ frame: AnimationFrame) {
        pixels.withUnsafeMutableBytes { from in
            bitmap.withUnsafeMutableBytes { to in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                for y in 0..<frame.size.height {
                    (target + (frame.y + y) * bitmap.bytesPerRow + 4 * frame.x)
                        .copyMemory(from: source + y * pixels.bytesPerRow, byteCount: 4 * frame.size.width)
                }
            }
        }
    }

    private func clear(_ frame: AnimationFrame) {
        bitmap.withUnsafeMutableBytes { rows in
            for y in frame.y..<frame.y + frame.size.height {
                let start = y * bitmap.bytesPerRow + 4 * frame.x
                for at in start..<start + 4 * frame.size.width { rows[at] = 0 }
            }
        }
    }

    private func copy(of frame: AnimationFrame) throws(PluginError) -> Bitmap {
        let copy = try Bitmap(width: frame.size.width, height: frame.size.height, format: .rgba)
        bitmap.withUnsafeMutableBytes { from in
            copy.withUnsafeMutableBytes { to in
                guard let source = from.baseAddress, let target = to.baseAddress else { return }
                for y in 0..<frame.size.height {
                    (target + y * copy.bytesPerRow).copyMemory(
                        from: source + (frame.y + y) * bitmap.bytesPerRow + 4 * frame.x,
                        byteCount: 4 * frame.size.width)
                }
            }
        }
        return copy
    }
}
