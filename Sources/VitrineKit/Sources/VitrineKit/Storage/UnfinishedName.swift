/// Names of files that are not whole yet, in storages that have to call them something.
public enum UnfinishedName {
    private static let prefix = Array(".vitrine-part-".utf8)

    /// The name of what is being written: hidden, and the same for the same token.
    /// - Parameter token: that of a draft; by default one of its own.
    public static func of(_ token: String?) -> [UInt8] {
        let own = String(UInt64.random(in: 0 ... .max), radix: 16) + String(UInt64.random(in: 0 ... .max), radix: 16)
        let isSound = token.map { 1...64 ~= $0.utf8.count && $0.utf8.allSatisfy(isLetter) } ?? false
        return prefix + Array((isSound ? token ?? own : "x" + own).utf8)
    }

    /// Whether a name is one of these: such files are not copied, and nothing else is called so.
    public static func matches(_ name: [UInt8]) -> Bool {
        name.starts(with: prefix) && name.count > prefix.count && name.dropFirst(prefix.count).allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
