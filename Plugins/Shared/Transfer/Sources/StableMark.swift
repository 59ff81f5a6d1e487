/// Short marks of what is told apart by a long text.
public enum StableMark {
    /// Letters that stay as long as a text does: FNV-1a, 64 bits.
    /// - Parameters:
    ///   - text: what it stands for.
    ///   - letters: how many, 13 at most. Default: 8, which are 40 bits and enough for some thousands.
    public static func of(_ text: String, letters: Int = 8) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String((0..<letters).map { alphabet[Int(hash >> (5 * UInt64($0)) & 31)] })
    }
}
