internal import CMagick
internal import VitrineKit

/// The one place where ImageMagick's kinds of exceptions become errors.
extension PluginError {
    /// What an exception means for a file.
    /// - Parameters:
    ///   - kind: the exception's kind, which includes how severe it is.
    ///   - text: ImageMagick's own words, of which the cause is added to the sentence.
    init(magick kind: ExceptionType, _ text: String) {
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
        case CoderError, CoderFatalError, MissingDelegateError, MissingDelegateFatalError, MissingDelegateWarning,
            DelegateError, DelegateFatalError, PolicyError, PolicyFatalError, ModuleError, ModuleFatalError:
            code = .unsupported
            summary = Self.varietySentence
        case _ where Self.varieties.contains(where: text.contains):
            code = .unsupported
            summary = Self.varietySentence
        default:
            code = .corrupt
            summary = "the picture is damaged"
        }
        let cause = Self.cause(in: text)
        self.init(code, cause.isEmpty ? summary : "\(summary) (ImageMagick: \(DisplayText.of(cause)))")
    }

    /// What happened, without what follows it in ImageMagick's messages: the file's name in quotes and the line of its
    /// source, as in "improper image header `a' @ error/sgi.c/ReadSGIImage/396".
    private static func cause(in text: String) -> String {
        let end = [" `", " @ "].compactMap { text.firstRange(of: $0)?.lowerBound }.min() ?? text.endIndex
        var cause = text[..<end]
        while let last = cause.last, ". :".contains(last) { cause.removeLast() }
        return String(cause)
    }

    private static let varietySentence = "the picture uses a variety of its format that is not supported"

    /// What ImageMagick's readers say, with the kind for damage, of pictures that are whole: block compressions of DDS,
    /// JPEG and PNG inside of BMP, documents of Photoshop with very many channels.
    private static let varieties = [
        "image type not supported", "unrecognized compression", "unsupported bits per pixel",
        "maximum channels exceeded",
    ]
}
