/// A digest of all of a file's bytes.
public struct Checksum: Hashable, Sendable {
    /// How it is computed. New ones may be added; pass over one that you do not know.
    public struct Algorithm: RawRepresentable, Hashable, Sendable {
        /// Its stable name.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// RFC 1321. Tells damage, not malice.
        public static let md5 = Algorithm(rawValue: "md5")
        /// FIPS 180-4. Tells damage, not malice.
        public static let sha1 = Algorithm(rawValue: "sha1")
        /// FIPS 180-4.
        public static let sha256 = Algorithm(rawValue: "sha256")

        /// Bytes of a digest; `nil` for an algorithm that is not known.
        public var length: Int? {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            default: nil
            }
        }
    }

    /// How it was computed.
    public var algorithm: Algorithm
    /// The digest.
    public var bytes: [UInt8]

    /// Creates a checksum.
    public init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
        self.algorithm = algorithm
        self.bytes = bytes
    }

    /// Reads a checksum that is written in hexadecimal digits, of either case.
    /// - Returns: `nil` when it has not the length of its algorithm, or anything but digits.
    public init?(_ algorithm: Algorithm, hexadecimal text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard let length = algorithm.length, digits.count == 2 * length else { return nil }
        let bytes = (0..<length).compactMap { UInt8(hexadecimal: digits[2 * $0...2 * $0 + 1]) }
        guard bytes.count == length else { return nil }
        self.init(algorithm, bytes)
    }
}

extension Checksum: CustomStringConvertible {
    /// `md5:` and lower-case digits.
    public var description: String {
        let digits = Array("0123456789abcdef")
        return algorithm.rawValue + ":" + String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
