/// Base64 as RFC 4648 describes it, with padding.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                out.append(index <= group.count ? letters[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
            rest = rest.dropFirst(3)
        }
        return String(decoding: out, as: UTF8.self)
    }
}
