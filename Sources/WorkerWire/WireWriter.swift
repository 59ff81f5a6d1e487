import VitrineKit

/// Writes the fields of one message, one after the other.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    mutating func put(_ value: UInt8) { bytes.append(value) }
    mutating func put(_ value: Bool) { put(UInt8(value ? 1 : 0)) }
    mutating func put(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    mutating func put(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    mutating func put(_ value: Int64) { put(UInt64(bitPattern: value)) }
    mutating func put(_ value: Double) { put(value.bitPattern) }

    /// What another writer wrote, as it is.
    mutating func append(_ part: [UInt8]) { bytes += part }

    /// Text of at most `limit` bytes; what is longer is cut at a character.
    mutating func put(_ text: String, limit: Int = WireMessage.textLimit) {
        var text = text[...]
        while text.utf8.count > limit { text = text.prefix(max(0, text.count - max(1, (text.utf8.count - limit) / 4))) }
        put(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    mutating func put(_ password: Password) {
        password.withBytes {
            put(UInt32($0.count))
            // Once, so that no smaller copy is left behind.
            bytes.reserveCapacity(bytes.count + $0.count)
            bytes += $0
        }
    }

    /// Bytes that are no text.
    mutating func put(bytes content: [UInt8]) {
        put(UInt32(content.count))
        bytes += content
    }

    mutating func put<T>(_ values: [T], _ each: (inout WireWriter, T) -> Void) {
        put(UInt32(values.count))
        for value in values { each(&self, value) }
    }

    mutating func put<T>(_ value: T?, _ some: (inout WireWriter, T) -> Void) {
        put(value != nil)
        if let value { some(&self, value) }
    }
}
