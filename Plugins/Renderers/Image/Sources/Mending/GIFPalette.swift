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
        var control: Int?
        guard var at = descriptor(bytes, from: headLength + shared, control: &control) else { return nil }
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

    /// What lies before the pixels of the first picture.
    struct FirstPicture {
        /// Where it says how large it is.
        let descriptor: Int
        /// Where its pixels begin.
        let pixels: Int
        /// Where its colours lie; empty where it has none.
        let colours: Range<Int>
        /// The number that is no colour.
        let nothing: UInt8?
    }

    /// - Parameter bytes: a file that begins with GIF's signature.
    /// - Returns: `nil` when there is no picture, or not all of what lies before its pixels.
    static func firstPicture(_ bytes: UnsafeRawBufferPointer) -> FirstPicture? {
        guard bytes.count > headLength else { return nil }
        let shared = length(bytes[10])
        var control: Int?
        guard let at = descriptor(bytes, from: headLength + shared, control: &control) else { return nil }
        let own = length(bytes[at + 9])
        let pixels = at + descriptorLength + own
        guard pixels < bytes.count else { return nil }
        let nothing = control.flatMap { bytes[$0 + 3] & 1 == 1 ? bytes[$0 + 6] : nil }
        return FirstPicture(
            descriptor: at, pixels: pixels,
            colours: own > 0 ? at + descriptorLength..<pixels : headLength..<headLength + shared, nothing: nothing)
    }

    /// Bytes of the colours behind a byte of flags.
    private static func length(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7) }

    /// Where the first picture's descriptor begins, all of which is there.
    /// - Parameter control: becomes where the block begins that says how the picture is shown (section 23), whose seven bytes
    ///   are there.
    private static func descriptor(_ bytes: UnsafeRawBufferPointer, from start: Int, control: inout Int?) -> Int? {
        var at = start
        while at + descriptorLength <= bytes.count {
            if bytes[at] == 0x2C { return at }
            guard bytes[at] == 0x21 else { return nil }
            if bytes[at + 1] == 0xF9 { control = at }
            at += 2
            // Parts, each behind its length, up to one of nothing.
            while at < bytes.count, bytes[at] != 0 { at += Int(bytes[at]) + 1 }
            at += 1
        }
        return nil
    }
}
