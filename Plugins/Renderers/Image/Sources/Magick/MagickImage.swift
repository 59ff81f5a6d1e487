internal import CMagick
internal import EXIF
internal import PictureTraits
internal import VitrineKit

/// A picture in ImageMagick's hands; the one owner of a wand.
struct MagickImage: ~Copyable {
    private(set) var wand: OpaquePointer?
    /// What is wrong with a picture of which a part could be read.
    private(set) var damage: PluginError?
    /// What it is read as.
    let format: ImageFormat
    private let selection: String

    /// Where the picture's bytes are.
    enum Source {
        case memory(UnsafeRawBufferPointer)
        /// The same bytes behind a path as well.
        case path(String, UnsafeRawBufferPointer)
    }

    /// Creates a wand that reads one format, and of it one page, or those up to another one.
    init(_ format: ImageFormat, page: Int, through last: Int? = nil) {
        wand = NewMagickWand()
        self.format = format
        // The index stops reading after one picture. Of a Photo CD it would be the resolution, the lowest at 0.
        selection =
            format.hasSizes || format == .jpeg || format == .photoCD
            ? "" : last.map { "[\(page)-\($0)]" } ?? "[\(page)]"
    }

    deinit { DestroyMagickWand(wand) }

    private var coder: String { format.coder }

    // MARK: Reading

    /// Reads sizes only.
    mutating func ping(_ source: Source) throws(PluginError) {
        switch source {
        case .memory(let bytes):
            MagickSetFilename(wand, name(""))
            try check(MagickPingImageBlob(wand, bytes.baseAddress, bytes.count))
        case .path(let path, let bytes): try readNamed(path, bytes, sizesOnly: true)
        }
    }

    /// Asks the JPEG decoder for a smaller picture, no smaller than this.
    mutating func hint(_ size: PixelSize) {
        MagickSetOption(wand, "jpeg:size", "\(size.width)x\(size.height)")
    }

    /// Asks the JPEG 2000 decoder for a picture that is halved several times.
    /// - Parameter corner: of the area that it lies in. Of none ImageMagick asks for one of the halved size, and gets a piece.
    mutating func hint(halvings: Int, corner: PixelSize) {
        MagickSetOption(wand, "jp2:reduce-factor", "\(halvings)")
        MagickSetSize(wand, corner.width, corner.height)
    }

    /// Reads the picture.
    mutating func read(_ source: Source) throws(PluginError) {
        switch source {
        case .memory(let bytes):
            MagickSetFilename(wand, name(""))
            try check(MagickReadImageBlob(wand, bytes.baseAddress, bytes.count))
        case .path(let path, let bytes): try readNamed(path, bytes, sizesOnly: false)
        }
    }

    private mutating func readNamed(
        _ path: String, _ bytes: UnsafeRawBufferPointer, sizesOnly: Bool
    ) throws(PluginError) {
        guard let exception = AcquireExceptionInfo() else {
            throw PluginError(.limitExceeded, "no memory is left to read the picture")
        }
        defer { DestroyExceptionInfo(exception) }
        let read = cmagick_read_named(name(path), bytes.baseAddress, bytes.count, sizesOnly ? 1 : 0, exception)
        guard let read else {
            let reason = exception.pointee.reason.map { String(cString: $0) } ?? ""
            throw PluginError(magick: exception.pointee.severity, reason, coder: coder)
        }
        DestroyMagickWand(wand)
        wand = read
        MagickSetFirstIterator(wand)
        try check(MagickTrue)
    }

    /// A name whose prefix is the coder, so that nothing is guessed.
    private func name(_ path: String) -> String { "\(coder):\(path)\(selection)" }

    /// Warnings are let pass, such as a missing last row: viewers show such pictures too. So is damage behind which there is
    /// a picture all the same; see ``damage``.
    private mutating func check(_ done: MagickBooleanType) throws(PluginError) {
        var kind = UndefinedException
        let text = MagickGetException(wand, &kind)
        defer { MagickRelinquishMemory(text) }
        if kind.rawValue >= ErrorException.rawValue || done == MagickFalse {
            let error = PluginError(magick: kind, text.map { String(cString: $0) } ?? "", coder: coder)
            guard done == MagickTrue, kind == CorruptImageError else { throw error }
            damage = error
        } else if format == .jpeg, let exception = GetImageFromMagickWand(wand)?.pointee.exception,
            exception.severity.rawValue >= ErrorException.rawValue
        {
            // The coder of JPEG hands over what it has, and says only with the picture that it came to no end.
            let reason = exception.reason.map { String(cString: $0) } ?? ""
            damage = PluginError(magick: exception.severity, reason, coder: coder)
        }
        guard MagickGetNumberImages(wand) > 0, size.width > 0, size.height > 0 else {
            throw PluginError(.empty, "the file has no picture in it")
        }
    }

    // MARK: Sizes

    /// The picture's size as it is stored.
    var size: PixelSize {
        PixelSize(width: Int(MagickGetImageWidth(wand)), height: Int(MagickGetImageHeight(wand)))
    }

    /// How the picture lies.
    var orientation: Orientation { Orientation(exif: Int(MagickGetImageOrientation(wand).rawValue)) }

    /// What a camera wrote beside it.
    var exif: EXIFBlock? {
        var length = 0
        guard let bytes = MagickGetImageProfile(wand, "exif", &length) else { return nil }
        defer { MagickRelinquishMemory(bytes) }
        return EXIFBlock(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// The size of the whole canvas, of which an animation's frame may be a part.
    var canvas: PixelSize {
        var width = 0
        var height = 0
        var x = 0
        var y = 0
        MagickGetImagePage(wand, &width, &height, &x, &y)
        return PixelSize(width: max(size.width, width), height: max(size.height, height))
    }

    // MARK: Changing

    /// Of several pictures, makes the smallest that fills the box the current one, else the largest.
    mutating func select(sizeFor box: Int) {
        var best: (index: Int, side: Int)?
        for index in 0..<Int(MagickGetNumberImages(wand)) {
            MagickSetIteratorIndex(wand, index)
            let side = max(size.width, size.height)
            if let best, best.side >= box ? side >= best.side || side < box : side <= best.side { continue }
            best = (index, side)
        }
        MagickSetIteratorIndex(wand, best?.index ?? 0)
    }

    /// Lays an animation's frame on its canvas, or all that were read.
    mutating func compose() throws(PluginError) {
        guard MagickGetNumberImages(wand) > 1 || canvas != size else { return }
        guard let composed = MagickCoalesceImages(wand) else {
            throw PluginError(.corrupt, "the animation's first frame cannot be laid on its canvas")
        }
        DestroyMagickWand(wand)
        wand = composed
        MagickSetFirstIterator(wand)
    }

    /// Of an animation's frames, the first that shows something; see ``FrameChoice``. To be asked when its first one is empty.
    /// - Parameters:
    ///   - source: a GIF.
    ///   - canvas: its size, which was found to be within the limits.
    ///   - box: the longest side wanted.
    /// - Returns: `nil` when there are no others, or all are empty.
    static func firstShown(
        _ source: Source, canvas: PixelSize, box: Int, _ profiles: ColorProfileCache
    ) throws(PluginError) -> Bitmap? {
        // Of each there is one that was read and one on the canvas, with 8 bytes for a pixel.
        let count = FrameChoice.frames(of: canvas, share: 4)
        guard count > 1 else { return nil }
        var frames = MagickImage(.gif, page: 0, through: count - 1)
        try frames.read(source)
        guard MagickGetNumberImages(frames.wand) > 1 else { return nil }
        try frames.compose()
        var choice = FrameChoice()
        for index in 1..<Int(MagickGetNumberImages(frames.wand)) {
            MagickSetIteratorIndex(frames.wand, index)
            let bitmap = try frames.bitmap(box: box, profiles)
            if try choice.isFound(bitmap.variety, { bitmap }) { break }
        }
        return choice.best
    }
}
