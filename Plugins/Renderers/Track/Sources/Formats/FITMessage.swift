internal import BinaryNumbers

/// One message of a FIT file: the values of some fields.
struct FITMessage {
    /// How the messages of one local type are laid out, as a file defines it before the first of them.
    struct Definition {
        /// What its messages are about: the global number of the profile.
        let number: UInt16
        let isBigEndian: Bool
        /// What is told of the profile's fields, by their numbers; those of developers are left out.
        let fields: [UInt8: Field]
        /// Bytes of a message, without its first one.
        let size: Int
    }

    /// Where a field stands in a message.
    struct Field {
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
    /// - Returns: `nil` also for the value that says that there is none.
    func number<Number: FixedWidthInteger>(_ field: UInt8, _ type: Number.Type) -> Number? {
        guard let field = definition.fields[field], let base = Self.bases[field.base & 31],
            base.size == Number.bitWidth / 8, field.size >= base.size
        else { return nil }
        let value = bytes.number(type, at: field.offset, isBigEndian: definition.isBigEndian)
        switch base.none {
        case .allOnes: return value == Number(truncatingIfNeeded: -1) ? nil : value
        case .greatest: return value == Number(truncatingIfNeeded: Int64(1) << (Number.bitWidth - 1) - 1) ? nil : value
        case .zero: return value == 0 ? nil : value
        }
    }

    /// The bytes of a text in UTF-8, without the zero at its end; empty where there is none.
    func text(_ field: UInt8) -> UnsafeRawBufferPointer {
        guard let field = definition.fields[field], field.base & 31 == Self.string else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let stored = bytes[field.offset..<field.offset + field.size]
        return UnsafeRawBufferPointer(rebasing: stored.prefix { $0 != 0 })
    }

    /// How a base type says that there is no value.
    private enum None {
        case allOnes, greatest, zero
    }

    /// Each base type that is a whole number: enum, sint8, uint8, uint8z, byte, and those of 16 and 32 bits. Above these five
    /// bits one says that the order of bytes matters, which some writers leave out.
    private static let bases: [UInt8: (size: Int, none: None)] = [
        0x00: (1, .allOnes), 0x01: (1, .greatest), 0x02: (1, .allOnes), 0x0A: (1, .zero), 0x0D: (1, .allOnes),
        0x03: (2, .greatest), 0x04: (2, .allOnes), 0x0B: (2, .zero), 0x05: (4, .greatest), 0x06: (4, .allOnes),
        0x0C: (4, .zero),
    ]
    private static let string: UInt8 = 0x07
}
