/// How the bytes of a part are written in a message (RFC 2045, section 6).
public enum TransferCoding: Sendable, Hashable {
    /// As they are.
    case identity
    case base64
    case quotedPrintable

    /// Reads the name of a coding; what is not known is taken as it is.
    public init(_ name: String) {
        switch name.lowercased() {
        case "base64": self = .base64
        case "quoted-printable": self = .quotedPrintable
        default: self = .identity
        }
    }

    /// Decodes what is there as a whole.
    public func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var decoder = TransferDecoder(self)
        return decoder.decode(bytes) + decoder.finish()
    }
}
