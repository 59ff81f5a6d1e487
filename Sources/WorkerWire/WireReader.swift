import VitrineKit

/// Reads the fields of one message. Throws `invalidAnswer` as soon as one does not make sense.
struct WireReader {
    private let bytes: ArraySlice<UInt8>
    /// Where the next field begins.
    private var place: Int

    /// - Parameter bytes: one message; they are not copied.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// How many bytes are left.
    private var left: Int { bytes.endIndex - place }

    /// Takes so many bytes; `nil` when there are fewer.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= left else { return nil }
        defer { place += count }
        return bytes[place..<(place + count)]
    }

    mutating func byte() throws(PluginError) -> UInt8 {
        guard left > 0 else { throw Self.nonsense("it ends too early") }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func bool() throws(PluginError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw Self.nonsense("a flag is neither 0 nor 1")
        }
    }

    mutating func uint32() throws(PluginError) -> UInt32 {
        guard left >= 4 else { throw Self.nonsense("it ends too early") }
        defer { place += 4 }
        let offset = place - bytes.startIndex
        return bytes.withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
    }

    mutating func uint64() throws(PluginError) -> UInt64 {
        UInt64(try uint32()) | UInt64(try uint32()) << 32
    }

    mutating func int64() throws(PluginError) -> Int64 { Int64(bitPattern: try uint64()) }
    mutating func double() throws(PluginError) -> Double { Double(bitPattern: try uint64()) }

    mutating func text(limit: Int = WireMessage.textLimit) throws(PluginError) -> String {
        let count = Int(try uint32())
        guard count <= limit, let text = take(count) else { throw Self.nonsense("a text is too long") }
        return String(decoding: text, as: UTF8.self)
    }

    mutating func password() throws(PluginError) -> Password {
        let count = Int(try uint32())
        guard let bytes = take(count), let password = Password(bytes) else {
            throw Self.nonsense("a password is none")
        }
        return password
    }

    mutating func bytes(limit: Int) throws(PluginError) -> [UInt8] {
        let count = Int(try uint32())
        guard count <= limit, let content = take(count) else { throw Self.nonsense("some bytes are too many") }
        return Array(content)
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { left == 0 }

    mutating func list<T>(limit: Int, _ each: (inout WireReader) throws(PluginError) -> T) throws(PluginError) -> [T] {
        let count = Int(try uint32())
        guard count <= limit else { throw Self.nonsense("a list has \(count) entries; \(limit) are allowed") }
        var values: [T] = []
        for _ in 0..<count { values.append(try each(&self)) }
        return values
    }

    mutating func optional<T>(_ some: (inout WireReader) throws(PluginError) -> T) throws(PluginError) -> T? {
        try bool() ? try some(&self) : nil
    }

    /// Must be called last: a message with something behind it is none.
    func finish() throws(PluginError) {
        guard left == 0 else { throw Self.nonsense("\(left) bytes follow its end") }
    }

    static func nonsense(_ why: String) -> PluginError {
        PluginError(.invalidAnswer, "a message between host and worker makes no sense: \(why)")
    }
}
