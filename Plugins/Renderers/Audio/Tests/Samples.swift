import AudioRenderer
import MediaSamples
import VitrineKit
import VitrineTesting

extension MediaSamples {
    /// Makes a sound that grows louder from nothing to all.
    func swell(_ name: String, seconds: Int, _ options: String...) throws -> String {
        let source = "aevalsrc=sin(2000*t)*t/\(seconds):s=44100:d=\(seconds)"
        return try make(name, ["-f", "lavfi", "-i", source] + options)
    }

    /// Makes a sound with a cover, red on the left and blue on the right.
    func covered(_ name: String, picture: String = "png", _ options: String...) throws -> String {
        let cover = try make("cover.\(picture)", ["-f", "lavfi", "-i", Self.cover, "-frames:v", "1"])
        let sources = ["-f", "lavfi", "-i", "sine=d=1", "-i", cover, "-map", "0", "-map", "1"]
        return try make(name, sources + ["-c:v", "copy", "-disposition:v", "attached_pic"] + options)
    }

    private static let cover = "color=red:s=100x200,pad=200:200:0:0:blue"
}

/// Draws a file.
func render(_ path: String, box: Int = 256, type: String = "audio/x-wav") throws -> Rendering {
    let renderer = try AudioRenderer(RendererEnvironment(pluginFolder: "/"))
    return try renderer.render(FileInput(path: path), RenderRequest(box: box, mimeType: type))
}

/// The error that drawing a file ends with.
func failure(_ path: String, type: String = "audio/x-wav") throws -> PluginError? {
    do {
        _ = try render(path, type: type)
        return nil
    } catch let error as PluginError { return error }
}

extension Bitmap {
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The four bytes of a pixel; the place in parts of width and height.
    func pixel(_ x: Double, _ y: Double) -> [UInt8] {
        let at = Int(y * Double(height)) * bytesPerRow + Int(x * Double(width)) * 4
        return withUnsafeMutableBytes { Array($0[at..<at + 4]) }
    }

    /// How high the bar is that stands at a place of the tile's width, in parts of its height.
    func barHeight(at x: Double) -> Double {
        let bright = (0..<height).count { y in pixel(x, (Double(y) + 0.5) / Double(height)).prefix(3).min() ?? 0 > 140 }
        return Double(bright) / Double(height)
    }

    /// The heights of all bars of a waveform.
    var barHeights: [Double] {
        let (margin, bars) = (0.12, 28)
        return (0..<bars).map { barHeight(at: margin + (Double($0) + 0.5) * (1 - 2 * margin) / Double(bars)) }
    }
}
