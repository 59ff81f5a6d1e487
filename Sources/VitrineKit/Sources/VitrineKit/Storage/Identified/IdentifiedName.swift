/// Names of a service as components of paths, so that each file has exactly one path and each path means one file.
///
/// Most names are left as they are. In the others a `%` begins what cannot stand in a path; a `%` that would be read so is
/// written `%25`.
///
/// | name of the service | component |
/// |---|---|
/// | `a/b` | `a%2Fb`; a NUL byte is `%00` |
/// | `.`, `..` | `%2E`, `%2E%2E` |
/// | nothing | `%_` |
/// | `report.pdf` a second time, id 77 | `report%~77.pdf` |
/// | `100%`, `%41` | the same |
/// | `%2F`, `%~1` | `%252F`, `%25~1` |
public enum IdentifiedName {
    /// The longest name of a service, in bytes.
    public static let longest = 4096

    /// The component of a name.
    /// - Parameters:
    ///   - name: the service's, of any bytes.
    ///   - id: tells it from others of that name in the same folder. Default: there is no other one.
    public static func component(of name: [UInt8], id: String? = nil) -> [UInt8] {
        guard let id else { return escape(name) }
        let end = extensionStart(of: name)
        return escape(name[..<end]) + Array("%~".utf8) + mark(of: id) + escape(name[end...], isWhole: false)
    }

    /// Takes a component apart.
    /// - Returns: the service's name, and the id where the component holds it; `nil` for a component that
    ///   ``component(of:id:)`` never makes.
    public static func parse(_ component: [UInt8]) -> (name: [UInt8], id: String?)? {
        var name: [UInt8] = []
        var id: String?
        var rest = component[...]
        while let byte = rest.popFirst() {
            guard byte == percent, let kind = Special(rest) else {
                name.append(byte)
                continue
            }
            switch kind {
            case .byte(let byte):
                name.append(byte)
                rest = rest.dropFirst(2)
            case .nothing: rest = rest.dropFirst()
            case .mark:
                let mark = rest.dropFirst().prefix(while: isOfMark)
                guard let text = unmark(mark), !text.isEmpty else { return nil }
                id = text
                rest = rest[mark.endIndex...]
            }
        }
        return self.component(of: name, id: id) == component ? (name, id) : nil
    }

    private static let percent = UInt8(ascii: "%")

    /// What a `%` may begin.
    private enum Special {
        case byte(UInt8)
        case nothing
        case mark

        init?(_ rest: ArraySlice<UInt8>) {
            switch rest.first {
            case UInt8(ascii: "~"): self = .mark
            case UInt8(ascii: "_"): self = .nothing
            default:
                switch String(decoding: rest.prefix(2), as: UTF8.self) {
                case "2F": self = .byte(UInt8(ascii: "/"))
                case "2E": self = .byte(UInt8(ascii: "."))
                case "25": self = .byte(percent)
                case "00": self = .byte(0)
                default: return nil
                }
            }
        }
    }

    private static func escape(_ name: some Collection<UInt8>, isWhole: Bool = true) -> [UInt8] {
        let name = Array(name)
        if isWhole, name.isEmpty { return Array("%_".utf8) }
        let isDots = isWhole && name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
        var out: [UInt8] = []
        out.reserveCapacity(name.count)
        for (index, byte) in name.enumerated() {
            switch byte {
            case UInt8(ascii: "/"): out += Array("%2F".utf8)
            case 0: out += Array("%00".utf8)
            case UInt8(ascii: ".") where isDots: out += Array("%2E".utf8)
            case percent where Special(name[(index + 1)...]) != nil: out += Array("%25".utf8)
            default: out.append(byte)
            }
        }
        return out
    }

    /// Where a short extension begins, which tells programs what a file is.
    private static func extensionStart(of name: [UInt8]) -> Int {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 16,
            // A name of dots alone has none.
            name[..<dot].contains(where: { $0 != UInt8(ascii: ".") })
        else { return name.count }
        return dot
    }

    private static func mark(of id: String) -> [UInt8] {
        var out: [UInt8] = []
        for byte in id.utf8 {
            if isPlain(byte) {
                out.append(byte)
            } else {
                let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
                out += [UInt8(ascii: "=")] + (digits.count < 2 ? [UInt8(ascii: "0")] : []) + digits
            }
        }
        return out
    }

    private static func unmark(_ mark: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = mark
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(hexadecimal: rest.prefix(2)) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isOfMark(_ byte: UInt8) -> Bool { isPlain(byte) || byte == UInt8(ascii: "=") }
}
