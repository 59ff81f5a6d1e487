internal import CLottie
internal import VitrineKit

/// An animation as rlottie reads it; the one owner of its object.
final class LottieAnimation {
    /// As its author chose it.
    let size: PixelSize
    /// In seconds; `nil` for one that stands still.
    let duration: Double?
    private let animation: OpaquePointer
    private let frames: Int
    private let rate: Double

    /// Sides of an animation and frames, far more than any has.
    private static let longestSide = 100_000, mostFrames = 1_000_000
    /// How deep lists and objects may be nested: rlottie goes down with them. Those of real animations are 30 deep.
    private static let deepest = 200

    /// Reads a document.
    /// - Throws: `corrupt`, `limitExceeded`.
    init(_ document: [UInt8]) throws(PluginError) {
        let text = document.starts(with: [0xEF, 0xBB, 0xBF]) ? document.dropFirst(3) : document[...]
        try Self.checkDepth(text)
        let opened = text.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { clottie_open($0.assumingMemoryBound(to: CChar.self), bytes.count) }
        }
        guard let opened else {
            throw PluginError(.corrupt, "the file is no animation of Lottie, or it is damaged")
        }
        animation = opened
        let facts = clottie_get_facts(opened)
        let (width, height) = (Int(clamping: facts.width), Int(clamping: facts.height))
        size = PixelSize(width: width, height: height)
        rate = facts.rate.isFinite && facts.rate > 0 ? facts.rate : 0
        let count = Int(clamping: facts.frames)
        frames = 1...Self.mostFrames ~= count ? count : 1
        duration = rate > 0 && frames > 1 ? Double(frames) / rate : nil
        guard 1...Self.longestSide ~= width, 1...Self.longestSide ~= height else {
            throw PluginError(.corrupt, "the animation has no area, or an impossible one")
        }
    }

    deinit { clottie_free(animation) }

    private static func checkDepth(_ text: ArraySlice<UInt8>) throws(PluginError) {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in text {
            if isText {
                // What is escaped is no end.
                (isText, isEscaped) = (isEscaped || byte != 0x22, !isEscaped && byte == 0x5C)
                continue
            }
            switch byte {
            case 0x22: isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
            guard depth <= deepest else {
                throw PluginError(.limitExceeded, "the animation is nested deeper than \(deepest)")
            }
        }
    }

    /// The frame that is seen at a moment; behind the end the last one.
    func frame(at seconds: Double) -> Int {
        let frame = seconds * rate
        return frame.isFinite ? Int(min(max(0, frame), Double(frames - 1))) : 0
    }

    /// A frame by how much of the animation lies before it, from 0 to 1.
    func frame(share: Double) -> Int { Int(Double(frames - 1) * share) }

    /// Draws a frame whose longest side fills a box.
    /// - Throws: `limitExceeded`.
    func bitmap(of frame: Int, box: Int) throws(PluginError) -> Bitmap {
        let scale = Double(box) / Double(max(size.width, size.height))
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        let bitmap = try Bitmap(width: side(size.width), height: side(size.height), format: .bgraPremultiplied)
        let isDrawn = bitmap.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map {
                clottie_draw(
                    animation, frame, $0.assumingMemoryBound(to: UInt32.self), bitmap.width, bitmap.height,
                    bitmap.bytesPerRow)
            } ?? false
        }
        guard isDrawn else {
            throw PluginError(.limitExceeded, "the frame needs more memory or threads than the renderer may use")
        }
        return bitmap
    }
}
