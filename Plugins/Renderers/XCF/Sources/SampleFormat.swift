internal import BinaryNumbers
internal import Glibc

/// How one number of a pixel is stored, GIMP's "precision".
struct SampleFormat {
    enum Kind {
        case byte, word, long, half, single, double

        var bytes: Int {
            switch self {
            case .byte: 1
            case .word, .half: 2
            case .long, .single: 4
            case .double: 8
            }
        }
    }

    let kind: Kind
    /// Whether it is in proportion to light; else it is as sRGB codes it.
    let isLinear: Bool
    /// Whether the most significant byte comes first, since version 12; before, as in the memory of nearly all machines.
    let isBigEndian: Bool

    /// - Parameter precision: from the file's head; `nil` before version 4, which knew bytes alone.
    /// - Returns: `nil` for one that is not known.
    init?(precision: UInt32?, version: Int) {
        isBigEndian = version >= 12
        guard let precision else {
            (kind, isLinear) = (.byte, false)
            return
        }
        if version == 4 {
            let known: [(Kind, Bool)] = [(.byte, false), (.word, false), (.long, true), (.half, true), (.single, true)]
            guard precision < known.count else { return nil }
            (kind, isLinear) = known[Int(precision)]
            return
        }
        // Hundreds are kinds; within them 0 is linear, 50 and 75 are not.
        let kinds: [UInt32: Kind] =
            version < 7
            ? [1: .byte, 2: .word, 3: .long, 4: .half, 5: .single]
            : [1: .byte, 2: .word, 3: .long, 5: .half, 6: .single, 7: .double]
        guard let kind = kinds[precision / 100], [0, 50, 75].contains(precision % 100) else { return nil }
        (self.kind, isLinear) = (kind, precision % 100 == 0)
    }

    /// Reads numbers that lie one after the other, each as a part of one; those out of range as the nearest within.
    func read(_ bytes: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<Float>) {
        let count = min(values.count, bytes.count / kind.bytes)
        func each(_ value: (Int) -> Float) { for index in 0..<count { values[index] = value(index) } }
        switch kind {
        case .byte: each { Float(bytes[$0]) / 255 }
        case .word: each { Float(whole(bytes, $0, UInt16.self)) / 65535 }
        case .long: each { Float(Double(whole(bytes, $0, UInt32.self)) / Double(UInt32.max)) }
        case .half: each { Self.unit(Self.half(whole(bytes, $0, UInt16.self))) }
        case .single: each { Self.unit(Float(bitPattern: whole(bytes, $0, UInt32.self))) }
        case .double: each { Self.unit(Float(Double(bitPattern: whole(bytes, $0, UInt64.self)))) }
        }
    }

    private func whole<T: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ index: Int, _: T.Type) -> T {
        bytes.number(T.self, at: index * MemoryLayout<T>.size, isBigEndian: isBigEndian)
    }

    /// IEEE 754's binary16, which Swift does not know on every machine.
    private static func half(_ bits: UInt16) -> Float {
        let sign: Float = bits >> 15 == 0 ? 1 : -1
        let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 1023))
        switch exponent {
        case 0: return sign * fraction * 0x1p-24
        case 31: return fraction == 0 ? sign * .infinity : .nan
        default: return sign * (1 + fraction / 1024) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
        }
    }

    private static func unit(_ value: Float) -> Float { value > 0 ? min(1, value) : 0 }
}

/// sRGB's way between light and the numbers that stand for it (IEC 61966-2-1).
enum TransferCurve {
    static func coded(_ light: Float) -> Float {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
    }

    static func light(_ coded: Float) -> Float {
        coded <= 0.040_45 ? coded / 12.92 : powf((coded + 0.055) / 1.055, 2.4)
    }
}
