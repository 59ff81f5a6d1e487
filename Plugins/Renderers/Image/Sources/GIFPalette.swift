/// Gives a GIF picture colours for all numbers that its pixels can have (CompuServe, "Graphics Interchange Format", version 89a,
/// sections 18 to 21).
///
/// Writers take a number behind the last colour for the one that is nothing, and viewers take all such numbers for black.
/// ImageMagick refuses them.
enum GIFPalette {
    private static let headLength = 13, descriptorLength = 10, fullLength = 768
    /// Bytes of a file that is copied.
    private static let longest = 64 << 20

    /// The file with 256 colours for its first picture, of which those that were missing are black.
    /// - Parameter bytes: a file that begins with GIF's signature.
    /// - Returns: `nil` when there are so many already, when there is no picture, or when the file is too long to be copied.
    static func widened(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard headLength + 1...longest ~= bytes.count else { return nil }
        let shared = length(bytes[10])
        guard var at = descriptor(bytes, from: headLength + shared) else { return nil }
        let own = length(bytes[at + 9])
        guard (own == 0 ? shared : own) < fullLength, at + descriptorLength + own <= bytes.count else { return nil }
        var file = Array(bytes[..<headLength])
        file[10] |= 0x87
        file += bytes[headLength..<headLength + shared] + [UInt8](repeating: 0, count: fullLength - shared)
        file += bytes[headLength + shared..<at + descriptorLength]
        at += descriptorLength
        if own > 0 {
            file[file.count - 1] |= 7
            file += bytes[at..<at + own] + [UInt8](repeating: 0, count: fullLength - own)
        }
        return file + bytes[(at + own)...]
    }

    /// Bytes of the colours behind a byte of flags.
    private static func length(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7) }

    /// Where the first picture's descriptor begins, all of which is there.
    private static func descriptor(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var at = start
        while at + descriptorLength <= bytes.count {
            if bytes[at] == 0x2C { return at }
            guard bytes[at] == 0x21 else { return nil }
            at += 2
            // Parts, each behind its length, up to one of nothing.
            while at < bytes.count, bytes[at] != 0 { at += Int(bytes[at]) + 1 }
            at += 1
        }
        return nil
    }
}
