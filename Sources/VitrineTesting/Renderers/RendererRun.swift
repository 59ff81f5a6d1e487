internal import VitrineKit

/// One run of ``RendererConformance``: the renderer, what it reads, and what was found so far.
struct RendererRun {
    let suite: RendererConformance
    let renderer: any Renderer
    let folder: RendererScratch
    private(set) var violations: [Violation] = []

    /// Large enough for detail, small enough to be quick.
    static let referenceBox = 1024
    static let boxes = [1, 16, 128, 256]

    init(_ suite: RendererConformance) throws(PluginError) {
        self.suite = suite
        folder = try RendererScratch()
        let environment = RendererEnvironment(
            pluginFolder: suite.pluginFolder, privateFolder: try folder.makeFolder("private"),
            maximumPixels: 64_000_000)
        renderer = try suite.make(environment)
    }

    mutating func violated(_ rule: String, _ explanation: String) {
        violations.append(Violation(rule, explanation))
    }

    // MARK: Drawing

    /// What came of one call.
    typealias Outcome = Result<Picture, PluginError>

    /// A rendering without its padding and unused bytes, to be compared.
    struct Picture: Equatable {
        var size: PixelSize
        var format: Bitmap.PixelFormat
        var facts: Facts
        var pixels: [UInt8]

        init(_ rendering: Rendering) {
            let bitmap = rendering.bitmap
            size = PixelSize(width: bitmap.width, height: bitmap.height)
            format = bitmap.format
            facts = rendering.facts
            pixels = bitmap.withUnsafeMutableBytes { rows in
                var pixels: [UInt8] = []
                pixels.reserveCapacity(bitmap.width * bitmap.height * 4)
                for y in 0..<bitmap.height {
                    pixels += rows[y * bitmap.bytesPerRow..<y * bitmap.bytesPerRow + bitmap.width * 4]
                }
                if bitmap.isOpaque { for i in stride(from: 3, to: pixels.count, by: 4) { pixels[i] = 255 } }
                return pixels
            }
        }
    }

    func draw(_ input: any RandomAccessInput, _ request: RenderRequest) -> Outcome {
        do throws(PluginError) { return .success(Picture(try renderer.render(input, request))) } catch {
            return .failure(error)
        }
    }

    /// Draws bytes by way of a file, as most items come.
    func draw(_ bytes: [UInt8], _ request: RenderRequest) -> Outcome {
        do throws(PluginError) { return draw(try folder.input(bytes), request) } catch { return .failure(error) }
    }

    func request(_ sample: RendererSample, box: Int = 128, page: Int = 0, time: Double? = nil) -> RenderRequest {
        RenderRequest(box: box, mimeType: sample.mimeType, page: page, time: time)
    }

    // MARK: Judging

    /// Whether an error is one that a renderer may report of an item.
    mutating func judge(_ error: PluginError, _ rule: String, _ what: String, allowed: Set<PluginError.Code>) {
        if !allowed.contains(error.code) {
            violated(rule, "\(what) gave the error '\(error.code.rawValue)' (\(error)), which does not fit")
        }
        judgeSentence(error, rule, what)
    }

    mutating func judgeSentence(_ error: PluginError, _ rule: String, _ what: String) {
        let letters = error.message.unicodeScalars
        if letters.count < 8 || letters.contains(where: { $0.value < 32 }) || !error.message.contains(" ") {
            violated(rule, "\(what) gave an error whose message is no sentence on one line: '\(error.message)'")
        }
    }

    /// Codes that lie in the item.
    static let itemCodes: Set<PluginError.Code> = [.corrupt, .encrypted, .locked, .empty, .unsupported, .limitExceeded]
}
