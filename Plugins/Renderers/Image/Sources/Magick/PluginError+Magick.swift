internal import CMagick
internal import VitrineKit

/// The one place where ImageMagick's kinds of exceptions become errors.
extension PluginError {
    /// What an exception means for a file.
    /// - Parameters:
    ///   - kind: the exception's kind, which includes how severe it is.
    ///   - text: ImageMagick's own words, of which the cause is added to the sentence.
    ///   - coder: the coder that was at work.
    init(magick kind: ExceptionType, _ text: String, coder: String) {
        let code: Code
        let summary: String
        switch kind {
        case ResourceLimitError, ResourceLimitFatalError, ResourceLimitWarning, CacheError, CacheFatalError:
            code = .limitExceeded
            summary = "the picture needs more memory than the renderer may use"
        case ImageError, ImageFatalError:
            // Raised for sides beyond the limits.
            code = .limitExceeded
            summary = "the picture's size is not possible or beyond the limits"
        case CoderError where Self.passesOn.contains(coder) && !Self.refusals.contains(where: text.contains):
            code = .corrupt
            summary = Self.damageSentence
        case CoderError, CoderFatalError, MissingDelegateError, MissingDelegateFatalError, MissingDelegateWarning,
            DelegateError, DelegateFatalError, PolicyError, PolicyFatalError, ModuleError, ModuleFatalError:
            code = .unsupported
            summary = Self.varietySentence
        case _ where Self.varieties.contains(where: text.contains):
            code = .unsupported
            summary = Self.varietySentence
        default:
            code = .corrupt
            summary = Self.damageSentence
        }
        let cause = Self.cause(in: text)
        self.init(code, cause.isEmpty ? summary : "\(summary) (ImageMagick: \(DisplayText.of(cause)))")
    }

    /// What happened, without what follows it in ImageMagick's messages: the file's name in quotes and the line of its
    /// source, as in "improper image header `a' @ error/sgi.c/ReadSGIImage/396".
    private static func cause(in text: String) -> String {
        let end = [" `", " @ "].compactMap { text.firstRange(of: $0)?.lowerBound }.min() ?? text.endIndex
        var cause = text[..<end]
        // What libtiff tells of each tag that it does not know, which is nothing wrong.
        if cause.hasPrefix("Defined set_field_type") { return "" }
        // Where libtiff's error has no function, a colon is first.
        while let first = cause.first, first.isWhitespace || first == ":" { cause.removeFirst() }
        while let last = cause.last, last.isWhitespace || ".:".contains(last) { cause.removeLast() }
        return String(cause)
    }

    /// The coders that pass on whatever libtiff and OpenJPEG say as if a coder were missing, and the words in it that mean so.
    private static let passesOn: Set = ["TIFF", "TIFF64", "JP2", "J2K"]
    private static let refusals = ["support", "not configured", "not implemented", "irregular channel geometry"]

    static let damageSentence = "the picture is damaged"
    static let varietySentence = "the picture uses a variety of its format that is not supported"

    /// What ImageMagick's readers say, with the kind for damage, of pictures that are whole: block compressions of DDS,
    /// JPEG and PNG inside of BMP, documents of Photoshop with very many channels.
    private static let varieties = [
        "image type not supported", "unrecognized compression", "unsupported bits per pixel",
        "maximum channels exceeded",
    ]
}
