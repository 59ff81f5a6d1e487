/// Decodes a part in pieces. What no coding has is passed over.
public struct TransferDecoder: Sendable {
    private let coding: TransferCoding
    /// Of base64: bits that are no whole byte yet, and how many letters they came from.
    private var bits: UInt32 = 0
    private var letters = 0
    /// Of quoted-printable: what may be an escape, a soft end of a line, or blanks at an end.
    private var held: [UInt8] = []
    /// No honest line has so many blanks at its end.
    private static let mostHeld = 1000

    /// Begins.
    public init(_ coding: TransferCoding) { self.coding = coding }

    /// Decodes a piece.
    public mutating func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        switch coding {
        case .identity: return Array(bytes)
        case .base64:
            var out: [UInt8] = []
            out.reserveCapacity(bytes.count / 4 * 3 + 3)
            // All at once, where they lie together: the loop is not compiled anew for each kind of collection.
            let done: Void? = bytes.withContiguousStorageIfAvailable { for byte in $0 { take(base64: byte, &out) } }
            if done == nil { for byte in bytes { take(base64: byte, &out) } }
            return out
        case .quotedPrintable:
            var out: [UInt8] = []
            out.reserveCapacity(bytes.count)
            for byte in bytes { take(quoted: byte, &out) }
            return out
        }
    }

    /// What is left at the end.
    public mutating func finish() -> [UInt8] {
        var out: [UInt8] = []
        switch coding {
        case .identity: break
        case .base64: endGroup(&out)
        case .quotedPrintable:
            // Blanks at the end of the last line were put there on the way, and so was the sign of a soft end.
            if held.first == 0x3D, held.count > 1, !held[1...].allSatisfy(\.isSpace) { out = held }
            held = []
        }
        return out
    }

    /// What each byte means in base64; 64 for nothing.
    static let values: [UInt8] = {
        var table = [UInt8](repeating: 64, count: 256)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, byte) in alphabet.utf8.enumerated() { table[Int(byte)] = UInt8(value) }
        return table
    }()

    private mutating func take(base64 byte: UInt8, _ out: inout [UInt8]) {
        let value = Self.values[Int(byte)]
        if value < 64 {
            bits = bits << 6 | UInt32(value)
            letters += 1
            guard letters == 4 else { return }
            out.append(UInt8(truncatingIfNeeded: bits >> 16))
            out.append(UInt8(truncatingIfNeeded: bits >> 8))
            out.append(UInt8(truncatingIfNeeded: bits))
            (bits, letters) = (0, 0)
        } else if byte == 0x3D {
            endGroup(&out)
        }
    }

    private mutating func endGroup(_ out: inout [UInt8]) {
        switch letters {
        case 2: out.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: out += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: break
        }
        (bits, letters) = (0, 0)
    }

    private mutating func take(quoted byte: UInt8, _ out: inout [UInt8]) {
        if held.first == 0x3D {
            held.append(byte)
            if byte == 0x0A, held[1...].allSatisfy(\.isSpace) {
                // A soft end of a line, which is not part of the text.
                held = []
            } else if byte.isSpace, held.count < Self.mostHeld, held[1...].allSatisfy(\.isSpace) {
                // Perhaps one.
            } else if held.count == 2, byte.hexadecimal != nil {
                // The first digit.
            } else if held.count == 3, let high = held[1].hexadecimal, let low = byte.hexadecimal {
                out.append(high << 4 | low)
                held = []
            } else {
                // It was no escape.
                out += held
                held = []
            }
        } else if byte == 0x3D {
            out += held
            held = [byte]
        } else if byte.isBlank || byte == 0x0D, held.count < Self.mostHeld {
            held.append(byte)
        } else {
            if byte == 0x0A {
                if held.last == 0x0D { out.append(0x0D) }
            } else {
                out += held
            }
            held = []
            out.append(byte)
        }
    }
}
