/// The addresses of a page that lie in it, or in the same file, under short names: pictures of the scheme `data` are longer than
/// all else, and have letters that end what they stand in; those of a style sheet mean another file than the same on the page.
/// Used by one thread.
final class Addresses {
    /// Addresses that one page may have.
    private static let most = 2048
    private static let scheme = "carried:"
    /// What nothing lies at.
    static let nowhere = "-"

    private var known: [ArraySlice<UInt8>] = []
    private var names: [ArraySlice<UInt8>: String] = [:]
    /// Whether other files lie in the same one.
    private let hasFiles: Bool

    init(hasFiles: Bool) { self.hasFiles = hasFiles }

    /// Gives a name to an address.
    /// - Parameter base: the address of the file that it stands in.
    /// - Returns: what stands for it, which has letters, digits and a colon only.
    func name(_ address: ArraySlice<UInt8>, on base: String) -> String {
        let isData = Self.isPicture(address)
        guard isData || hasFiles && address.count <= WebAddress.longest, known.count < Self.most else {
            return Self.nowhere
        }
        let whole =
            isData ? address : Array(WebAddress.resolved(String(decoding: address, as: UTF8.self), on: base).utf8)[...]
        if let name = names[whole] { return name }
        let name = Self.scheme + String(known.count)
        known.append(whole)
        names[whole] = name
        return name
    }

    /// The address that a name stands for, in bytes; `nil` for other addresses.
    subscript(_ name: String) -> ArraySlice<UInt8>? {
        guard name.hasPrefix(Self.scheme), let number = Int(name.dropFirst(Self.scheme.count)),
            known.indices.contains(number)
        else { return nil }
        return known[number]
    }

    /// Whether an address holds a picture itself (RFC 2397).
    static func isPicture(_ address: ArraySlice<UInt8>) -> Bool {
        let head = address.prefix(11)
        return head.count == 11 && head.elementsEqual("data:image/".utf8) { $0 == $1 || $0 | 0x20 == $1 }
    }
}
