internal import BinaryNumbers
internal import PictureTraits

/// How a pixel that stands by itself is written.
enum Texel {
    /// What a number is.
    enum Number: Int {
        case byte = 1, short = 2
        /// Fractions of 16 and of 32 bits: light, of which 1 is as bright as a page.
        case half, float

        /// Its bytes.
        var length: Int { self == .byte ? 1 : self == .float ? 4 : 2 }
    }

    /// Where a channel is.
    enum Place {
        /// In the number of this index.
        case at(Int)
        /// Nowhere: there is none of it, or all.
        case none, full
    }

    /// One number after the other, so many of them, and where red, green, blue and alpha are.
    case numbers(Number, Int, [Place])
    /// Bits of one number, of one to four bytes; those of red, green, blue and alpha. Without bits a colour is none, and alpha is full.
    case bits(Int, [UInt32])

    /// Of a usual order of channels: a number for each of its letters `r`, `g`, `b`, `a`, `l` for all colours, `x` for nothing.
    static func numbers(_ number: Number, _ order: String) -> Texel {
        let letters = Array(order)
        let places: [Place] = ["r", "g", "b", "a"].map { (channel: Character) in
            if let index = letters.firstIndex(of: channel) { return .at(index) }
            if channel == "a" { return .full }
            return letters.firstIndex(of: "l").map { .at($0) } ?? .none
        }
        return .numbers(number, letters.count, places)
    }

    /// Bytes of a pixel.
    var length: Int {
        switch self {
        case .numbers(let number, let count, _): number.length * count
        case .bits(let length, _): length
        }
    }

    /// Whether it has alpha.
    var hasAlpha: Bool {
        switch self {
        case .numbers(_, _, let places): if case .at = places[3] { true } else { false }
        case .bits(_, let masks): masks[3] != 0
        }
    }

    /// Writes R, G, B and alpha of pixels.
    /// - Parameter bytes: as many as the pixels have, at least.
    func read(_ count: Int, of bytes: UnsafeRawBufferPointer, into row: UnsafeMutableRawPointer) {
        let pixels = UnsafeMutableRawBufferPointer(start: row, count: count * 4)
        switch self {
        case .numbers(let number, let width, let places):
            for channel in 0..<4 {
                let step = number.length * width
                for x in 0..<count {
                    switch places[channel] {
                    case .none: pixels[4 * x + channel] = 0
                    case .full: pixels[4 * x + channel] = 255
                    case .at(let index):
                        let at = x * step + index * number.length
                        pixels[4 * x + channel] = Self.byte(bytes, at, number, isAlpha: channel == 3)
                    }
                }
            }
        case .bits(let length, let masks):
            let channels = masks.map(Bits.init)
            for x in 0..<count {
                let value = (0..<length).reduce(UInt32(0)) { $0 | UInt32(bytes[x * length + $1]) << (8 * UInt32($1)) }
                for channel in 0..<4 {
                    pixels[4 * x + channel] = channels[channel].byte(of: value, none: channel == 3 ? 255 : 0)
                }
            }
        }
    }

    /// Bits of a number that are a channel.
    private struct Bits {
        let mask, shift, most: UInt32

        init(_ mask: UInt32) {
            self.mask = mask
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            most = mask >> shift
        }

        /// - Parameter none: what it is without bits.
        @inline(__always) func byte(of value: UInt32, none: UInt8) -> UInt8 {
            let part = (value & mask) >> shift
            if most == 255 { return UInt8(truncatingIfNeeded: part) }
            guard most > 0 else { return none }
            return UInt8(clamping: (UInt64(part) * 255 + UInt64(most) / 2) / UInt64(most))
        }
    }

    private static func byte(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ number: Number, isAlpha: Bool) -> UInt8 {
        switch number {
        case .byte: return bytes[at]
        case .short:
            return UInt8((UInt32(bytes.number(UInt16.self, at: at)) + 128) / 257)
        case .half:
            return byte(Float(Float16(bitPattern: bytes.number(UInt16.self, at: at))), isAlpha)
        case .float: return byte(bytes.float(at: at), isAlpha)
        }
    }

    /// What is beyond a page's white is as white, as in other pictures of fractions. What is no number is not more than anything.
    private static func byte(_ light: Float, _ isAlpha: Bool) -> UInt8 {
        let share = light > 0 ? min(1, light) : 0
        return isAlpha ? UInt8(share * 255 + 0.5) : written[Int(share * 65535 + 0.5)]
    }

    private static let written = WrittenLight.bytes(full: 0xFFFF)

    /// The byte for the light of each fraction of 16 bits from 0 to 1, by its bits.
    static let ofHalves: [UInt8] = (0...UInt16(0x3C00)).map { byte(Float(Float16(bitPattern: $0)), false) }
}
