internal import BinaryNumbers

/// One message of a FIT file: the values of some fields.
struct FITMessage {
    /// How the messages of one local type are laid out, as a file defines it before the first of them.
    struct Definition {
        /// What its messages are about: the global number of the profile.
        let number: UInt16
        let isBigEndian: Bool
        /// What is told of the profile's fields; those of developers are left out.
        let fields: [Field]
        /// Bytes of a message, without its first one.
        let size: Int
    }

    /// Where a field stands in a message.
    struct Field {
        let number: UInt8
        let offset: Int
        /// Bytes. Of several values in one field the first one is read.
        let size: Int
        let base: UInt8
    }

    let definition: Definition
    /// The values, as many bytes as the definition says.
    let bytes: UnsafeRawBufferPointer

    /// A whole number, as it is stored.
    /// - Parameters:
    ///   - field: its number in the profile.
    ///   - type: how it is stored; a field of another size, or one that is no whole number, has no value.
    /// - Returns: `nil` also for the value that says that there is none: the greatest one.
    func number<Number: FixedWidthInteger>(_ field: UInt8, _ type: Number.Type) -> Number? {
        guard let field = self.field(field), field.size >= Number.bitWidth / 8,
            Self.sizes[field.base & 31] == Number.bitWidth / 8
        else { return nil }
        let value = bytes.number(type, at: field.offset, isBigEndian: definition.isBigEndian)
        return value == .max ? nil : value
    }

    /// The bytes of a text in UTF-8, without the zero at its end; empty where there is none.
    func text(_ field: UInt8) -> UnsafeRawBufferPointer {
        guard let field = self.field(field), field.base == Self.string else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let stored = bytes[field.offset..<field.offset + field.size]
        return UnsafeRawBufferPointer(rebasing: stored.prefix { $0 != 0 })
    }

    private func field(_ number: UInt8) -> Field? { definition.fields.first { $0.number == number } }

    /// Bytes of a value of each base type that is a whole number: enum, sint8, uint8, uint8z, byte, and those of 16 and 32 bits.
    /// Above these five bits one says that the order of bytes matters, which some writers leave out.
    private static let sizes: [UInt8: Int] = [
        0x00: 1, 0x01: 1, 0x02: 1, 0x0A: 1, 0x0D: 1, 0x03: 2, 0x04: 2, 0x0B: 2, 0x05: 4, 0x06: 4, 0x0C: 4,
    ]
    private static let string: UInt8 = 0x07
}
