import VitrineKit
import VitrineTesting

/// Files of the project's own.
enum Fixtures {
    /// Reads `fixtures/<path>`.
    static func bytes(_ path: String) throws -> [UInt8] {
        let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let input = try FileInput(path: "\(root)/fixtures/\(path)")
        return try input.bytes(at: 0, count: Int(input.size))
    }
}

/// An input without a descriptor whose reads are counted.
final class CountingInput: RandomAccessInput {
    private let bytes: BytesInput
    private(set) var reads = 0
    private(set) var bytesRead = 0

    init(_ bytes: [UInt8]) { self.bytes = BytesInput(bytes) }

    var size: Int64 { bytes.size }
    var fileDescriptor: CInt? { nil }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        let count = try bytes.read(at: offset, into: buffer)
        reads += 1
        bytesRead += count
        return count
    }
}
