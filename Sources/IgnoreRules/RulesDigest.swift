import VitrineKit

/// FNV-1a with 64 bits (draft-eastlake-fnv): the same on every machine and in every run, unlike `Hasher`.
struct RulesDigest {
    private(set) var value: UInt64

    /// Goes on from an earlier value.
    init(_ value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Adds what decides in a list, and where it is in force. Comments and numbers of lines decide nothing.
    mutating func add(_ list: IgnoreList, as role: UInt8) {
        add(role)
        add(list.folder.bytes)
        for pattern in list.patterns { add(pattern.text) }
    }

    /// Adds bytes and, since neither paths nor patterns hold a NUL byte, an unmistakable end.
    private mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
        add(0)
    }
}
