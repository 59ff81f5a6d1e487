/// A pointer to a thing of GLib whose documentation says that any thread may use it, as of connections, contexts and loops. It owns
/// nothing.
struct ThreadSafePointer: Sendable {
    private let address: UInt

    init(_ pointer: OpaquePointer) { address = UInt(bitPattern: pointer) }

    /// What it points to.
    var pointer: OpaquePointer {
        guard let pointer = OpaquePointer(bitPattern: address) else { preconditionFailure("made of a pointer") }
        return pointer
    }
    /// The same for functions that take things of any type.
    var object: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }
}
