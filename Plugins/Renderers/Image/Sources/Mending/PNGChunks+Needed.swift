internal import CodedColors
internal import PictureTraits

/// Takes out of a PNG what a preview does not need.
///
/// Text, profiles of other programs and animations can be compressed a thousandfold and would be unpacked on the
/// way. Only what says how pixels look is kept (chunk names: PNG, Third Edition, 11.3).
extension PNGChunks {
    private static let kept: Set<Name> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "iCCP", "eXIf", "bKGD", "pHYs",
    ]
    /// What else says how colours look, and counts for nothing where they are said in numbers (4.3).
    private static let replaced: Set<Name> = ["gAMA", "cHRM", "sRGB", "iCCP"]

    /// Colours that are said in numbers.
    struct Coded {
        /// How they become those of sRGB; `nil` where they are these.
        var colors: CodedColors?
    }

    /// What the file says of its colours in numbers (11.3.2.6), which goes before a profile; it stands before the pixels.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: `nil` when it says nothing that is understood; without `colors` what needs no change.
    static func codedColors(_ bytes: UnsafeRawBufferPointer) -> Coded? {
        for chunk in PNGChunks(bytes).beforePixels where chunk.name == "cICP" && chunk.length == 4 {
            let at = chunk.content.lowerBound
            let (primaries, transfer) = (Int(bytes[at]), Int(bytes[at + 1]))
            if let colors = CodedColors(primaries: primaries, transfer: transfer) { return Coded(colors: colors) }
            return CodedColors.areUsual(primaries: primaries, transfer: transfer) ? Coded(colors: nil) : nil
        }
        return nil
    }

    /// The file without the chunks that are not needed.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: `nil` when nothing had to be taken out.
    static func needed(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        let isCoded = codedColors(bytes) != nil
        var out: [UInt8] = []
        // Everything before this was kept or copied.
        var copied = 0
        for chunk in PNGChunks(bytes) {
            let isProfile = chunk.name == "iCCP" || chunk.name == "eXIf"
            if !kept.contains(chunk.name) || (isCoded && replaced.contains(chunk.name))
                || (isProfile && chunk.length > ColorProfile.longest)
            {
                out += bytes[copied..<chunk.range.lowerBound]
                copied = chunk.range.upperBound
            }
            if chunk.name == "IEND" { break }
        }
        guard copied > 0 else { return nil }
        out += bytes[copied...]
        return out
    }
}
