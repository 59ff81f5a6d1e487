internal import CodedColors
internal import PictureTraits

/// Takes out of a PNG what a preview does not need.
///
/// Text, profiles of other programs and animations can be compressed a thousandfold and would be unpacked on the
/// way. Only what says how pixels look is kept (chunk names: PNG, Third Edition, 11.3).
enum PNGChunks {
    private static let kept: Set<[UInt8]> = Set(
        ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "iCCP", "eXIf", "bKGD", "pHYs"].map {
            Array($0.utf8)
        })
    /// What else says how colours look, and counts for nothing where they are said in numbers (4.3).
    private static let replaced: Set<[UInt8]> = Set(["gAMA", "cHRM", "sRGB", "iCCP"].map { Array($0.utf8) })

    /// Colours that are said in numbers.
    struct Coded {
        /// How they become those of sRGB; `nil` where they are these.
        var colors: CodedColors?
    }

    /// A camera's block (11.3.4.5), which may stand behind the pixels.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: where it lies in `bytes`; `nil` when there is none.
    static func camera(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[at + 4..<at + 8].elementsEqual("eXIf".utf8) {
                return UnsafeRawBufferPointer(rebasing: bytes[(at + 8)...].prefix(length))
            }
            at += 12 + length
        }
        return nil
    }

    /// What the file says of its colours in numbers (11.3.2.6), which goes before a profile; it stands before the pixels.
    /// - Parameter bytes: a file that begins with PNG's signature.
    /// - Returns: `nil` when it says nothing that is understood; without `colors` what needs no change.
    static func codedColors(_ bytes: UnsafeRawBufferPointer) -> Coded? {
        var at = 8
        while at + 16 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = bytes[at + 4..<at + 8]
            if name.elementsEqual("IDAT".utf8) { break }
            if length == 4, name.elementsEqual("cICP".utf8) {
                let (primaries, transfer) = (Int(bytes[at + 8]), Int(bytes[at + 9]))
                if let colors = CodedColors(primaries: primaries, transfer: transfer) { return Coded(colors: colors) }
                return CodedColors.areUsual(primaries: primaries, transfer: transfer) ? Coded(colors: nil) : nil
            }
            at += 12 + length
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
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = Array(bytes[at + 4..<at + 8])
            let end = at + 12 + length
            let isProfile = name == Array("iCCP".utf8) || name == Array("eXIf".utf8)
            if !kept.contains(name) || (isCoded && replaced.contains(name))
                || (isProfile && length > ColorProfile.longest)
            {
                out += bytes[copied..<at]
                copied = min(end, bytes.count)
            }
            at = end
            if name == Array("IEND".utf8) { break }
        }
        guard copied > 0 else { return nil }
        out += bytes[copied...]
        return out
    }
}
