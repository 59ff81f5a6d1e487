import VitrineKit

/// An input whose every read fails, as when the network goes away.
final class UnreachableInput: RandomAccessInput {
    static let failure = PluginError(.offline, "the source cannot be reached")
    let size: Int64
    var fileDescriptor: CInt? { nil }

    init(size: Int64) { self.size = size }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        throw Self.failure
    }
}
