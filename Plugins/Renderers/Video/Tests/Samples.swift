import MediaSamples
import VitrineKit
import VitrineTesting

@testable import VideoRenderer

extension MediaSamples {
    /// Makes a video of one picture source of ffmpeg's, with x264.
    func video(_ name: String, _ source: String, seconds: Int = 2, _ options: String...) throws -> String {
        let source = ["-f", "lavfi", "-i", source, "-t", "\(seconds)", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        return try make(name, source + options)
    }
}

/// Draws a file.
func render(_ path: String, box: Int = 256, time: Double? = nil) throws -> Rendering {
    try render(FileInput(path: path), box: box, time: time)
}

func render(_ input: any RandomAccessInput, box: Int = 256, time: Double? = nil) throws -> Rendering {
    let renderer = try VideoRenderer(RendererEnvironment(pluginFolder: "/"))
    return try renderer.render(input, RenderRequest(box: box, mimeType: "video/mp4", time: time))
}

/// The code of the error that drawing a file ends with, and its message.
func failure(_ path: String) throws -> PluginError? {
    do {
        _ = try render(path)
        return nil
    } catch let error as PluginError { return error }
}

extension Bitmap {
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Red, green and blue of a pixel; the place in parts of width and height.
    func color(_ x: Double, _ y: Double) -> SIMD3<Int> {
        let at = Int(y * Double(height)) * bytesPerRow + Int(x * Double(width)) * 4
        return withUnsafeMutableBytes { SIMD3(Int($0[at]), Int($0[at + 1]), Int($0[at + 2])) }
    }
}

/// Whether two colours differ by at most `tolerance` in every channel.
func alike(_ a: SIMD3<Int>, _ b: SIMD3<Int>, tolerance: Int = 24) -> Bool {
    (0..<3).allSatisfy { abs(a[$0] - b[$0]) <= tolerance }
}

let red = SIMD3(255, 0, 0)
let green = SIMD3(0, 255, 0)
let blue = SIMD3(0, 0, 255)
