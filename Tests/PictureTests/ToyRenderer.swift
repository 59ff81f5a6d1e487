import Glibc
import VitrineKit

/// A renderer of a format made up for tests: "TOY", pages, width, height, then a grey byte for each pixel.
/// It keeps the contract unless it is told which part of it to break.
final class ToyRenderer: Renderer {
    /// Ways to break the contract, each named after the rule that must notice.
    enum Fault: String, CaseIterable {
        case starts, draws, fits, largeEnough = "large enough", shape, enlarging, sameTwice = "same twice"
        case sameAlone = "same alone"
        case sameWithoutDescriptor = "same without descriptor", facts, pages, pageOutOfRange = "page out of range"
        case moment, emptyInput = "empty input", damagedInput = "damaged input", encrypted
        case unreachableInput = "unreachable input", recovers, leavesNothing = "leaves nothing"
    }

    static let mimeType = "application/x-toy"
    static let locked = Array("LOCK".utf8)

    /// A file of two pages with a gradient.
    static let sample: [UInt8] = Array("TOY".utf8) + [2, 200, 100] + (0..<20_000).map { UInt8($0 % 200) }

    private let fault: Fault?
    private var calls = 0
    private var sawDamage = false

    convenience init(_ environment: RendererEnvironment) throws(PluginError) { try self.init(fault: nil) }

    init(fault: Fault?) throws(PluginError) {
        if fault == .starts { throw PluginError(.pluginUnavailable, "the toy box is closed") }
        self.fault = fault
    }

    func render(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        calls += 1
        do throws(PluginError) { return try draw(input, request) } catch {
            if error.code == .corrupt { sawDamage = true }
            if fault == .unreachableInput, error.code == .offline { throw PluginError(.corrupt, "the toy is broken") }
            throw error
        }
    }

    private func draw(_ input: any RandomAccessInput, _ request: RenderRequest) throws(PluginError) -> Rendering {
        if fault == .leavesNothing, let descriptor = input.fileDescriptor { _ = dup(descriptor) }
        let bytes = try input.bytes(at: 0, count: Int(input.size))
        guard !bytes.isEmpty else {
            throw PluginError(fault == .emptyInput ? .corrupt : .empty, "the toy has no bytes")
        }
        if bytes == Self.locked {
            throw PluginError(fault == .encrypted ? .corrupt : .encrypted, "the toy needs a key")
        }
        guard bytes.count > 6, bytes.starts(with: "TOY".utf8), bytes[3] > 0, bytes[4] > 0, bytes[5] > 0,
            bytes.count == 6 + Int(bytes[4]) * Int(bytes[5]), fault != .draws
        else { throw PluginError(fault == .damagedInput ? .io : .corrupt, "the toy is broken") }
        let pages = Int(bytes[3])
        let outside = !(0..<pages ~= request.page) && fault != .pageOutOfRange
        if outside || (fault == .pages && request.page == 1) {
            throw PluginError(.unsupported, "the toy has no page \(request.pageNumber)")
        }
        if fault == .moment, request.time?.isNaN == true { throw PluginError(.io, "the toy has no such moment") }

        let original = PixelSize(width: Int(bytes[4]), height: Int(bytes[5]))
        let pixels = bytes.dropFirst(6)
        let bitmap = try bitmap(pixels, original, box: request.box, shade: shade(input))
        var rendering = Rendering(bitmap, facts: Facts(pages: fault == .facts ? 0 : pages, size: original))
        rendering.drawSmaller = { (box) throws(PluginError) in
            try self.bitmap(pixels, original, box: box, shade: self.fault == .sameAlone ? 1 : self.shade(input))
        }
        return rendering
    }

    private func bitmap(
        _ pixels: ArraySlice<UInt8>, _ original: PixelSize, box: Int, shade: UInt8
    ) throws(PluginError) -> Bitmap {
        guard var size = fitting(original, box) else {
            throw PluginError(.invalidArgument, "the box is too small")
        }
        if fault == .shape, box == 128 { size.height = max(1, size.height / 2) }
        let bitmap = try Bitmap(width: size.width, height: size.height, format: .rgbx)
        bitmap.withUnsafeMutableBytes { rows in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let column = x * original.width / size.width
                    let row = y * original.height / size.height
                    rows[y * bitmap.bytesPerRow + x * 4] =
                        pixels[pixels.startIndex + row * original.width + column] &+ shade
                }
            }
        }
        return bitmap
    }

    private func fitting(_ original: PixelSize, _ box: Int) -> PixelSize? {
        let box =
            switch fault {
            case .fits: box * 2
            case .largeEnough: max(1, box / 2)
            default: box
            }
        return PixelSize.fitting(
            width: Double(original.width), height: Double(original.height), in: box, enlarging: fault == .enlarging)
    }

    private func shade(_ input: any RandomAccessInput) -> UInt8 {
        switch fault {
        case .sameTwice: UInt8(truncatingIfNeeded: calls)
        case .sameWithoutDescriptor: input.fileDescriptor == nil ? 1 : 0
        case .recovers: sawDamage ? 1 : 0
        default: 0
        }
    }
}
