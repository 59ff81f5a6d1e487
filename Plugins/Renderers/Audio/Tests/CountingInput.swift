import VitrineKit
import VitrineTesting

/// A file whose reads are counted.
final class CountingInput: RandomAccessInput {
    private let file: FileInput
    /// Bytes that were read so far.
    private(set) var bytesRead = 0

    init(_ path: String) throws { file = try FileInput(path: path) }

    var size: Int64 { file.size }
    var fileDescriptor: CInt? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let count = try file.read(at: offset, into: buffer)
        bytesRead += count
        return count
    }
}
