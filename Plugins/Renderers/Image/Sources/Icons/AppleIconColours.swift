/// The colours that numbers of 1, 4 and 8 bits stand for in icons of macOS: those of the system at the time of such icons (Apple,
/// "Inside Macintosh: Imaging With QuickDraw", colour tables with the ids 1, 4 and 8).
enum AppleIconColours {
    /// White, yellow, orange, red, magenta, purple, blue, cyan, green, dark green, brown, tan, three greys and black.
    private static let sixteen: [UInt32] = [
        0xFFFFFF, 0xFCF305, 0xFF6402, 0xDD0806, 0xF20884, 0x4600A5, 0x0000D4, 0x02ABEA, 0x1FB714, 0x006411, 0x562C05,
        0x90713A, 0xC0C0C0, 0x808080, 0x404040, 0x000000,
    ]
    /// What the cube of six steps leaves out of red, green, blue and grey.
    private static let ramp: [UInt8] = [0xEE, 0xDD, 0xBB, 0xAA, 0x88, 0x77, 0x55, 0x44, 0x22, 0x11]

    /// The red, green and blue of a number.
    /// - Parameters:
    ///   - number: below 2 to the power of `bits`.
    ///   - bits: 1, 4 or 8.
    static func colour(_ number: Int, bits: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        switch bits {
        case 1: return number == 0 ? (255, 255, 255) : (0, 0, 0)
        case 4:
            let colour = sixteen[number & 15]
            return (UInt8(colour >> 16 & 255), UInt8(colour >> 8 & 255), UInt8(colour & 255))
        default:
            func step(_ part: Int) -> UInt8 { UInt8(255 - 51 * (part % 6)) }
            guard number >= 215 else { return (step(number / 36), step(number / 6), step(number)) }
            // The last colour of the cube, which is black, stands in the end.
            guard number < 255 else { return (0, 0, 0) }
            let value = ramp[(number - 215) % 10], kind = (number - 215) / 10
            return (kind % 3 == 0 ? value : 0, kind == 1 || kind == 3 ? value : 0, kind >= 2 ? value : 0)
        }
    }
}
