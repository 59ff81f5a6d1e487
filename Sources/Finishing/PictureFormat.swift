/// A format in which a finished picture is written.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
    /// Lossless, with alpha.
    case png
    /// Without alpha.
    case jpeg
    /// Lossy, with alpha; also for loops.
    case webp
    /// Lossy, with alpha.
    case avif

    /// How its files' names end, after the dot.
    public var suffix: String { self == .jpeg ? "jpg" : rawValue }

    /// Whether its pixels can be transparent.
    public var hasAlpha: Bool { self != .jpeg }

    /// The quality that is taken when nobody asks for one, from 1 to 100; `nil` for PNG, which has none. Chosen so that
    /// no difference is seen at arm's length.
    public var defaultQuality: Int? {
        switch self {
        case .png: nil
        case .jpeg: 85
        case .webp: 80
        case .avif: 65
        }
    }

    /// The format that the end of a file's name stands for, in any case; `nil` for another one.
    public init?(suffix: String) {
        switch suffix.lowercased() {
        case "png": self = .png
        case "jpg", "jpeg", "jpe": self = .jpeg
        case "webp": self = .webp
        case "avif": self = .avif
        default: return nil
        }
    }
}
