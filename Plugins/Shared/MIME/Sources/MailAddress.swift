/// Who wrote a message, as its field `From` says. That can be forged by anybody.
public struct MailAddress: Hashable, Sendable {
    /// What stands before the `@`, as it is written.
    public let user: String
    /// What stands behind it, in lower case: names of hosts know no case.
    public let domain: String

    /// Takes an address alone, such as `alice@example.org`.
    /// - Returns: `nil` when it is none.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let at = bytes.lastIndex(of: 0x40), at > 0, at + 1 < bytes.count, bytes.count <= 320,
            !bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F || "<>(),;:\\\"".utf8.contains($0) }),
            bytes.count(where: { $0 == 0x40 }) == 1
        else { return nil }
        user = String(decoding: bytes[..<at], as: UTF8.self)
        domain = bytes[(at + 1)...].lowercase
    }

    /// The one address of a field. With several, or with none, nobody is known for certain to have written it.
    public init?(field: [UInt8]) {
        var addresses: [[UInt8]] = [[]]
        var isQuoted = false
        var depth = 0
        var angled: [UInt8]?
        var rest = field.prefix(16 << 10)[...]
        while let byte = rest.popFirst() {
            if byte == 0x5C, isQuoted || depth > 0 {
                _ = rest.popFirst()
            } else if byte == 0x22, depth == 0 {
                isQuoted.toggle()
            } else if isQuoted {
                continue
            } else if byte == 0x28 {
                depth += 1
            } else if depth > 0 {
                if byte == 0x29 { depth -= 1 }
            } else if byte == 0x2C || byte == 0x3B {
                return nil
            } else if byte == 0x3C {
                guard angled == nil else { return nil }
                angled = []
            } else if byte == 0x3E {
                guard let inside = angled, addresses.count == 1 else { return nil }
                addresses.append(inside)
                angled = nil
            } else if angled != nil {
                angled?.append(byte)
            } else {
                addresses[0].append(byte)
            }
        }
        guard !isQuoted, depth == 0, angled == nil else { return nil }
        // A name may stand before the address in brackets, but not a second address.
        let own = addresses.count > 1 ? addresses[1] : addresses[0]
        guard addresses.count == 1 || !addresses[0].contains(0x40) else { return nil }
        self.init(String(decoding: own.withoutSpace, as: UTF8.self))
    }
}
