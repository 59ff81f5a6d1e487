import Glibc

/// An item's bytes as a renderer sees them. Valid during the call of ``Renderer/render(_:_:)`` only, and used
/// on its thread.
public protocol RandomAccessInput: AnyObject {
    /// Bytes in all, as counted when the item was opened.
    var size: Int64 { get }

    /// Reads a range; blocks until it is there.
    /// - Parameters:
    ///   - offset: the first byte, 0 or more.
    ///   - buffer: where to; not empty.
    /// - Returns: how many bytes were read; fewer than the buffer holds only at the end, 0 past it.
    /// - Throws: what the storage says: `changed`, `offline`, `io` …, and `overBudget` when no more may be read of the item.
    ///   Hand it on as it is: the item is tried again then.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(PluginError) -> Int

    /// A descriptor open for reading, where there is one. It belongs to the input: duplicate it for a library
    /// that closes what it is given. Its position is shared, so use `pread`.
    ///
    /// There is none as long as parts of an item lie on a server only; see ``gather()``.
    var fileDescriptor: CInt? { get }

    /// Brings all bytes near, for libraries that cannot ask for ranges; afterwards there is a descriptor, where there can
    /// be one at all. Blocks until they are there. Does nothing for files of this machine.
    /// - Throws: `overBudget` when an item is larger than what may be read of it; `offline` and the like.
    func gather() throws(PluginError)
}

extension RandomAccessInput {
    /// Nothing: all bytes are near.
    public func gather() throws(PluginError) {}

    /// Refuses an input without a byte.
    /// - Parameter item: what it is, such as `the PDF document`.
    /// - Throws: `empty`.
    public func checkNotEmpty(_ item: String) throws(PluginError) {
        guard size > 0 else { throw PluginError(.empty, "\(item) is empty: it has no bytes") }
    }

    /// The first bytes, for a look at the format.
    /// - Parameter count: how many at most.
    /// - Throws: as ``read(at:into:)``.
    public func head(_ count: Int) throws(PluginError) -> [UInt8] {
        try bytes(at: 0, count: count)
    }

    /// Reads a range into an array.
    /// - Returns: `count` bytes, or fewer at the end of the input.
    /// - Throws: as ``read(at:into:)``.
    public func bytes(at offset: Int64, count: Int) throws(PluginError) -> [UInt8] {
        let count = Int(max(0, min(Int64(count), size - offset)))
        guard count > 0 else { return [] }
        var failure: PluginError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(PluginError) {
                while done < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
                    let read = try self.read(at: offset + Int64(done), into: rest)
                    if read == 0 { break }
                    done += read
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Gives access to the whole content at once, for libraries that want it in memory: gathered, and mapped where there
    /// is a descriptor, else read.
    ///
    /// A mapped file that somebody shortens meanwhile ends the process; a worker may die of that.
    /// - Parameters:
    ///   - limit: the most bytes that may be asked for.
    ///   - body: called with the bytes, which are valid during the call.
    /// - Throws: `limitExceeded` above the limit, `empty` for no bytes, else what `body` throws.
    public func withContents<R>(
        limit: Int64, _ body: (UnsafeRawBufferPointer) throws(PluginError) -> R
    ) throws(PluginError) -> R {
        try checkNotEmpty("the file")
        guard size <= limit else {
            throw PluginError(.limitExceeded, "the file has \(size) bytes; at most \(limit) are read at once")
        }
        let count = Int(size)
        try gather()
        if let fd = fileDescriptor {
            let map = mmap(nil, count, PROT_READ, MAP_PRIVATE, fd, 0)
            guard let map, map != MAP_FAILED else { throw PluginError(errno: errno, "cannot map the file") }
            defer { munmap(map, count) }
            return try body(UnsafeRawBufferPointer(start: map, count: count))
        }
        let bytes = try self.bytes(at: 0, count: count)
        var result: Result<R, PluginError> = .failure(PluginError(.io, "the file could not be read"))
        bytes.withUnsafeBytes { buffer in
            do throws(PluginError) { result = .success(try body(buffer)) } catch { result = .failure(error) }
        }
        return try result.get()
    }
}
