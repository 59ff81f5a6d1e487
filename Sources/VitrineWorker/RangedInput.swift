import Glibc
import VitrineKit

/// An item that lies on a server, as memory that the host fills on demand: what was asked for once is there, all else
/// are holes.
final class RangedInput: RandomAccessInput {
    let size: Int64
    private let window: CInt
    private let bring: (_ offset: Int64, _ count: Int64) throws(PluginError) -> Range<Int64>
    private var present: [Bool]
    private var missing: Int

    /// What is asked for begins and ends at multiples of this, in bytes: the host's own blocks.
    static let block: Int64 = 64 << 10
    /// The largest item, so that the list of what is there stays small: 4 TiB.
    private static let largest: Int64 = 4 << 40

    /// - Parameters:
    ///   - window: memory of the item's size; it is closed with this object.
    ///   - bring: asks the host for a range, and returns the one that is there then, which holds at least what was asked
    ///     for.
    init(
        window: CInt, _ bring: @escaping (_ offset: Int64, _ count: Int64) throws(PluginError) -> Range<Int64>
    ) throws(PluginError) {
        var status = stat()
        let failure = fstat(window, &status) == 0 ? 0 : errno
        size = Int64(status.st_size)
        guard failure == 0, size <= Self.largest else {
            close(window)
            if failure != 0 { throw PluginError(errno: failure, "cannot tell the size of the item") }
            throw PluginError(.limitExceeded, "the item has \(size) bytes, more than are read by ranges")
        }
        self.window = window
        self.bring = bring
        missing = Int((size + Self.block - 1) / Self.block)
        present = Array(repeating: false, count: missing)
    }

    deinit { close(window) }

    /// Once nothing is missing, the window is like any file.
    var fileDescriptor: CInt? { missing == 0 ? window : nil }

    func gather() throws(PluginError) {
        guard missing > 0 else { return }
        try ask(blocks: 0..<present.count)
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int {
        guard offset >= 0, offset < size, !buffer.isEmpty else { return 0 }
        let count = min(Int64(buffer.count), size - offset)
        let blocks = Int(offset / Self.block)..<Int((offset + count - 1) / Self.block) + 1
        if let first = blocks.first(where: { !present[$0] }), let last = blocks.last(where: { !present[$0] }) {
            try ask(blocks: first..<last + 1)
        }
        while true {
            let done = pread(window, buffer.baseAddress, Int(count), off_t(offset))
            if done >= 0 { return done }
            if errno != EINTR { throw PluginError(errno: errno, "cannot read the item") }
        }
    }

    private func ask(blocks: Range<Int>) throws(PluginError) {
        let start = Int64(blocks.lowerBound) * Self.block
        let end = min(size, Int64(blocks.upperBound) * Self.block)
        let range = try bring(start, end - start)
        guard range.lowerBound <= start, end <= range.upperBound, range.upperBound <= size else {
            throw PluginError(.io, "the host provided another part of the item than was asked for")
        }
        let first = Int((range.lowerBound + Self.block - 1) / Self.block)
        let last = range.upperBound == size ? present.count : Int(range.upperBound / Self.block)
        for index in first..<max(first, last) where !present[index] {
            present[index] = true
            missing -= 1
        }
    }
}
