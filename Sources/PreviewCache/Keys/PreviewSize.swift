public import VitrineKit

/// How large a preview may be: the side of the square that it fits into.
///
/// Four sizes are the thumbnail standard's and shared with file managers; every other one is Vitrine's own.
public struct PreviewSize: Hashable, Sendable {
    /// The longest side in pixels, 1 to 16,384.
    public let pixels: Int

    /// 128 pixels.
    public static let normal = PreviewSize(unchecked: 128)
    /// 256 pixels.
    public static let large = PreviewSize(unchecked: 256)
    /// 512 pixels.
    public static let xLarge = PreviewSize(unchecked: 512)
    /// 1,024 pixels.
    public static let xxLarge = PreviewSize(unchecked: 1024)

    /// The standard's sizes, smallest first.
    public static let standard = [normal, large, xLarge, xxLarge]

    /// The largest side that is made, in pixels.
    public static let maximumPixels = 16_384

    /// Takes a side in pixels.
    /// - Throws: `invalidArgument` when it is not 1 to 16,384.
    public init(pixels: Int) throws(PluginError) {
        guard 1...Self.maximumPixels ~= pixels else {
            throw PluginError(
                .invalidArgument, "a preview has 1 to \(Self.maximumPixels) pixels a side, not \(pixels)")
        }
        self.pixels = pixels
    }

    /// Reads what a user writes: `normal`, `large`, `x-large`, `xx-large` or a number of pixels. `256` is
    /// `large`.
    /// - Throws: `invalidArgument`.
    public init(_ text: String) throws(PluginError) {
        if let size = Self.standard.first(where: { $0.standardName == text }) {
            self = size
        } else if !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            try self.init(pixels: Int(text) ?? .max)
        } else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' is no size: write normal, large, x-large, xx-large or a number of pixels")
        }
    }

    /// The standard's name, which is also the folder's; `nil` for other sizes.
    public var standardName: String? {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .xLarge: "x-large"
        case .xxLarge: "xx-large"
        default: nil
        }
    }

    private init(unchecked pixels: Int) { self.pixels = pixels }
}

extension PreviewSize: Comparable {
    /// Smaller before larger.
    public static func < (a: PreviewSize, b: PreviewSize) -> Bool { a.pixels < b.pixels }
}

extension PreviewSize: CustomStringConvertible {
    /// The standard's name, or the number of pixels.
    public var description: String { standardName ?? String(pixels) }
}
