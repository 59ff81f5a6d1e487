import FileBytes
import Glibc
import Synchronization
import VitrineKit

/// Pages of entries that wait on disk, for a folder that is too large for memory and of which only its end tells whether
/// anybody needs them: its server need not be asked twice.
///
/// The file has no name, can be read by this user alone, and goes with the last reference. Most such files are gone before
/// the system writes them out. Calls block.
final class EntrySpool: Sendable {
    private struct Page {
        var offset: Int64
        var count: Int
    }
    private let descriptor: CInt
    private let room: SpoolRoom
    private let state = Mutex<(pages: [Page], taken: Int64)>(([], 0))

    /// Takes a file over; see ``SpoolRoom/spool()``.
    init(_ descriptor: CInt, _ room: SpoolRoom) {
        self.descriptor = descriptor
        self.room = room
    }

    deinit {
        close(descriptor)
        room.giveBack(bytes: state.withLock { $0.taken })
    }

    /// How many pages there are.
    var count: Int { state.withLock { $0.pages.count } }

    /// Keeps a page.
    /// - Returns: whether there was room for it; without, what is kept has a gap and is of no use.
    func add(_ page: [Entry]) -> Bool {
        var bytes: [UInt8] = []
        for entry in page { entry.write(into: &bytes) }
        return state.withLock { state in
            guard room.take(Int64(bytes.count), of: descriptor) else { return false }
            let offset = state.taken
            state.taken += Int64(bytes.count)
            guard FileBytes.write(bytes, to: descriptor, at: offset) == nil else { return false }
            state.pages.append(Page(offset: offset, count: bytes.count))
            return true
        }
    }

    /// One of the pages.
    /// - Throws: as the system says when the disk does not give back what it took.
    func page(_ number: Int) throws(PluginError) -> [Entry] {
        let page = state.withLock { $0.pages[number] }
        let (bytes, failure) = FileBytes.read(page.count, from: descriptor, at: page.offset)
        let isWhole = bytes.count == page.count
        var rest = SpooledBytes(bytes[...])
        var entries: [Entry] = []
        while isWhole, !rest.isAtEnd, let entry = Entry(&rest) { entries.append(entry) }
        guard isWhole, rest.isAtEnd else {
            throw PluginError(
                errno: failure ?? EIO,
                "what was listed of a folder cannot be read again from its temporary file; run again, with TMPDIR at a folder "
                    + "on a sound disk")
        }
        return entries
    }
}

/// What is left to be read of a page.
private struct SpooledBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
        guard let bytes = take(MemoryLayout<UInt64>.size) else { return nil }
        return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    mutating func bytes() -> ArraySlice<UInt8>? {
        guard let count = number(), count <= rest.count else { return nil }
        return take(Int(count))
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Entry {
    /// What is known of it: a bit for each of these, in this order.
    private struct Known: OptionSet {
        let rawValue: UInt64
        static let size = Known(rawValue: 1)
        static let modified = Known(rawValue: 2)
        static let identifier = Known(rawValue: 4)
        static let volume = Known(rawValue: 8)
        static let etag = Known(rawValue: 16)
        static let contentType = Known(rawValue: 32)
    }

    fileprivate func write(into bytes: inout [UInt8]) {
        func put(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        func put(_ text: String) {
            var text = text
            put(UInt64(text.utf8.count))
            text.withUTF8 { bytes.append(contentsOf: $0) }
        }
        var known: Known = []
        if size != nil { known.insert(.size) }
        if modified != nil { known.insert(.modified) }
        if identifier != nil { known.insert(.identifier) }
        if volume != nil { known.insert(.volume) }
        if etag != nil { known.insert(.etag) }
        if contentType != nil { known.insert(.contentType) }
        put(known.rawValue << 8 | UInt64(kind.rawValue))
        put(UInt64(name.count))
        bytes.append(contentsOf: name)
        if let size { put(UInt64(bitPattern: size)) }
        if let modified {
            put(UInt64(bitPattern: modified.seconds))
            put(UInt64(modified.nanoseconds))
        }
        if let identifier { put(identifier) }
        if let volume { put(volume) }
        if let etag { put(etag) }
        if let contentType { put(contentType) }
    }

    /// Reads one; `nil` when it is none.
    fileprivate init?(_ rest: inout SpooledBytes) {
        guard let mark = rest.number(), let kind = Kind(rawValue: UInt8(truncatingIfNeeded: mark)),
            let name = rest.bytes()
        else { return nil }
        let known = Known(rawValue: mark >> 8)
        self.init(name: Array(name), kind: kind)
        if known.contains(.size) {
            guard let size = rest.number() else { return nil }
            self.size = Int64(bitPattern: size)
        }
        if known.contains(.modified) {
            guard let seconds = rest.number(), let parts = rest.number() else { return nil }
            modified = Timestamp(seconds: Int64(bitPattern: seconds), nanoseconds: UInt32(truncatingIfNeeded: parts))
        }
        if known.contains(.identifier) {
            guard let identifier = rest.number() else { return nil }
            self.identifier = identifier
        }
        if known.contains(.volume) {
            guard let volume = rest.number() else { return nil }
            self.volume = volume
        }
        if known.contains(.etag) {
            guard let etag = rest.bytes() else { return nil }
            self.etag = String(decoding: etag, as: UTF8.self)
        }
        if known.contains(.contentType) {
            guard let contentType = rest.bytes() else { return nil }
            self.contentType = String(decoding: contentType, as: UTF8.self)
        }
    }
}
