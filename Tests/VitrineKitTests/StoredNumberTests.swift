import Testing
import VitrineKit

/// Numbers as files store them, and ranges of files.
@Suite struct StoredNumberTests {
    private struct Nothing: ByteSource {
        let entry = Entry(name: [], kind: .file)
        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] { [] }
        func current() async throws(PluginError) -> Entry { entry }
    }

    @Test func bothOrdersOfBytesAreRead() {
        let bytes: [UInt8] = [0xFF, 0x01, 0x80]
        #expect(Int(bigEndianBytes: bytes) == 0xFF_0180 && Int(littleEndianBytes: bytes) == 0x80_01FF)
        #expect(UInt16(bigEndianBytes: bytes[1...]) == 0x0180 && UInt16(littleEndianBytes: bytes[1...]) == 0x8001)
        #expect(Int(bigEndianBytes: []) == 0 && Int(littleEndianBytes: [UInt8]()) == 0)
        bytes.withUnsafeBytes { #expect(UInt8(littleEndianBytes: $0[0..<1]) == 0xFF) }
    }

    @Test func theHighestBitIsTheSignOfNumbersThatHaveOne() {
        let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFE]
        #expect(Int32(bigEndianBytes: bytes) == -2 && Int64(bigEndianBytes: bytes) == 0xFFFF_FFFE)
        #expect(Int8(littleEndianBytes: [0x80]) == .min)
        #expect(Int(bigEndianBytes: [0x80, 0, 0, 0, 0, 0, 0, 0]) == .min)
    }

    @Test func whatDoesNotFitIsTheMostSignificantPart() {
        #expect(UInt8(bigEndianBytes: [1, 2]) == 2 && UInt8(littleEndianBytes: [1, 2]) == 1)
        #expect(UInt32(bigEndianBytes: [9, 1, 2, 3, 4]) == 0x0102_0304)
    }

    @Test func noRangeIsRefusedWithBothNumbers() throws {
        let error = PluginError(.invalidArgument, "there is no range of 0 bytes at 5")
        #expect(throws: error) { try Nothing().checkRange(at: 5, count: 0) }
        #expect(throws: PluginError.self) { try Nothing().checkRange(at: -1, count: 1) }
        #expect(throws: PluginError.self) { try Nothing().checkRange(at: 0, count: -1) }
        try Nothing().checkRange(at: 0, count: 1)
    }
}
