import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// What opens an encrypted document.
///
/// Its bytes are overwritten when the last reference goes. Nothing describes it: in messages, logs and dumps stands
/// that there is one, never which.
public final class Password: Sendable {
    /// The bytes, and a zero behind them.
    private let bytes: Mutex<[UInt8]>

    /// The most bytes of a password. PDF reads 127 of them, office documents 255 characters.
    public static let maximumLength = 1024

    /// Copies a password.
    /// - Parameter bytes: as somebody types it, in UTF-8.
    /// - Returns: `nil` when there are none, more than ``maximumLength``, or a zero among them.
    public init?(_ bytes: some Collection<UInt8>) {
        guard 1...Self.maximumLength ~= bytes.count, !bytes.contains(0) else { return nil }
        // Never grown: what an array leaves behind then would stay in memory.
        let copy = [UInt8](unsafeUninitializedCapacity: bytes.count + 1) { buffer, count in
            for byte in bytes {
                buffer[count] = byte
                count += 1
            }
            buffer[count] = 0
            count += 1
        }
        self.bytes = Mutex(copy)
    }

    deinit { bytes.withLock { $0.wipe() } }

    /// Gives a password to a C library, which must not keep it.
    /// - Parameters:
    ///   - password: `nil` for none.
    ///   - body: is called with the bytes and a zero behind them, or with `nil`.
    public static func withCString<R>(_ password: Password?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
        guard let password else { return body(nil) }
        return password.copy.withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    }

    /// Calls `body` with the bytes, without the zero.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        copy.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }

    /// The same memory: nobody changes it before the last reference is gone.
    private var copy: [UInt8] { bytes.withLock { $0 } }
}

extension [UInt8] {
    /// Overwrites bytes that held a password, in a way that no compiler leaves out.
    public mutating func wipe() {
        withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}

extension Password: Hashable {
    /// Whether both are the same bytes.
    public static func == (a: Password, b: Password) -> Bool { a === b || a.copy == b.copy }

    /// Tells next to nothing of it.
    public func hash(into hasher: inout Hasher) { hasher.combine(copy.count) }
}

extension Password: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// That there is one.
    public var description: String { "(a password)" }
    /// That there is one.
    public var debugDescription: String { description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
