internal import Glibc
package import VitrineKit

/// A document as a file of the worker's own, for libraries that open paths, and leave lock files beside them. Removed with
/// this object.
package final class PrivateCopy {
    /// What it is opened by.
    package let path: String
    /// The same as a URL.
    package var url: String { "file://" + PercentEncoding.encode(path.utf8) }

    /// Copies an input.
    /// - Parameters:
    ///   - input: the document.
    ///   - folder: where to; nobody else may write in it.
    ///   - suffix: of the copy's name, without a dot.
    ///   - limit: the most bytes to copy.
    ///   - reader: the library that reads it, for sentences.
    /// - Throws: `limitExceeded` above the limit, `noSpace` or `io` when it cannot be written, or what the input
    ///   throws.
    package convenience init(
        of input: any RandomAccessInput, in folder: String, suffix: String, limit: Int64, for reader: String
    ) throws(PluginError) {
        guard input.size <= limit else {
            throw PluginError(
                .limitExceeded, "the document has \(input.size) bytes; at most \(limit) are given to \(reader)")
        }
        try self.init(in: folder, suffix: suffix) { (file) throws(PluginError) in try Self.copy(input, to: file) }
    }

    /// Makes a file.
    /// - Parameters:
    ///   - folder: where; nobody else may write in it.
    ///   - suffix: of its name, without a dot.
    ///   - fill: writes it.
    package init(
        in folder: String, suffix: String, fill: (_ file: CInt) throws(PluginError) -> Void
    ) throws(PluginError) {
        path = "\(folder)/doc.\(suffix)"
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw PluginError(errno: errno, "cannot make a copy of the document") }
        defer { close(file) }
        do throws(PluginError) {
            try fill(file)
        } catch {
            unlink(path)
            throw error
        }
    }

    deinit { unlink(path) }

    /// Copies an input.
    /// - Parameters:
    ///   - file: where to.
    ///   - change: gets each block and where it begins, before it is written. Default: nothing.
    package static func copy(
        _ input: any RandomAccessInput, to file: CInt,
        change: (_ block: inout [UInt8], _ start: Int64) -> Void = { _, _ in }
    ) throws(PluginError) {
        var offset: Int64 = 0
        while offset < input.size {
            var block = try input.bytes(at: offset, count: 1 << 20)
            guard !block.isEmpty else { throw PluginError(.changed, "the document became shorter while it was read") }
            let count = Int64(block.count)
            change(&block, offset)
            try write(block, to: file)
            offset += count
        }
    }

    /// Writes what follows.
    /// - Parameter doing: what is said when that fails, as the beginning of a sentence.
    /// - Throws: `noSpace`, `forbidden` or `io`.
    package static func write(
        _ block: [UInt8], to file: CInt, _ doing: String = "cannot write the copy of the document"
    ) throws(PluginError) {
        var written = 0
        while written < block.count {
            let count = block.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PluginError(errno: count == 0 ? EIO : errno, doing) }
            written += count
        }
    }
}
