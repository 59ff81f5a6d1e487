internal import PictureDecoding
internal import VitrineKit

/// A format of program files that have an icon in them.
protocol ProgramFormat: SendableMetatype {
    /// Whether a file begins as one.
    /// - Parameter head: the first ``ProgramRenderer/headLength`` bytes.
    static func begins(_ head: [UInt8]) -> Bool

    /// Finds and decodes the icon: the smallest of its pictures that is large enough, else the largest.
    /// - Parameters:
    ///   - input: the file, of which no more is read than the way to the icon needs.
    ///   - box: the longest side wanted, in pixels.
    ///   - decoder: decodes pictures of other formats.
    /// - Returns: the icon with what the program calls itself; `nil` when there is none.
    /// - Throws: `corrupt`, `unsupported` or `limitExceeded` when there is one that cannot be shown, or what the input throws.
    static func icon(
        of input: any RandomAccessInput, box: Int, _ decoder: PictureDecoder
    ) throws(PluginError) -> Rendering?
}
