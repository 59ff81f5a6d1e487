import MIME
import Synchronization
import VitrineKit

/// A message or an attachment that is open: decodes what is read of it.
///
/// Base64 whose lines are of one length is read by range. What else is encoded is read and decoded as a whole, up to
/// ``longestWhole``.
final class MailFile: ByteSource {
    let entry: Entry
    private let raw: any RawBytes
    private let way: Way
    private let path: ItemPath
    private let now: @Sendable () async throws(PluginError) -> Entry
    /// What was decoded as a whole, after the lines turned out to be otherwise than they looked.
    private let decoded = Mutex<[UInt8]?>(nil)

    /// How a range is read.
    private enum Way: Sendable {
        case identity
        case lines(Base64Layout)
        case whole([UInt8])
    }

    /// The most bytes of an encoded text that are read as a whole.
    static let longestWhole: Int64 = 64 << 20
    /// Short ones are read at once.
    private static let short: Int64 = 64 << 10
    private static let piece = 1 << 20
    /// Far more than the engine asks for at once.
    private static let longestRead = 64 << 20

    var isPinned: Bool { raw.isPinned }

    init(
        _ listed: Entry, _ raw: any RawBytes, _ coding: TransferCoding, _ path: ItemPath,
        now: @escaping @Sendable () async throws(PluginError) -> Entry
    ) async throws(PluginError) {
        var entry = listed
        if coding == .identity {
            way = .identity
            entry.size = raw.size
        } else if coding == .base64, raw.size > Self.short, let layout = try await Self.layout(raw) {
            way = .lines(layout)
            entry.size = layout.size
        } else {
            let bytes = try await Self.whole(raw, coding, path)
            way = .whole(bytes)
            entry.size = Int64(bytes.count)
        }
        self.entry = entry
        self.raw = raw
        self.path = path
        self.now = now
    }

    /// What the storage says, with the size that decoding told.
    func current() async throws(PluginError) -> Entry {
        var current = try await now()
        if current.etag == entry.etag { current.size = entry.size }
        return current
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        guard let size = entry.size, offset < size else { return [] }
        let range = offset..<offset + min(size - offset, Int64(min(count, Self.longestRead)))
        switch way {
        case .identity: return try await raw.read(at: range.lowerBound, count: range.count)
        case .whole(let bytes): return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        case .lines(let layout):
            if let bytes = decoded.withLock({ $0 }) { return try slice(bytes, range) }
            let place = layout.place(of: range)
            let text = try await raw.read(at: place.lowerBound, count: place.count)
            if let bytes = layout.decode(text, range) { return bytes }
            let bytes = try await Self.whole(raw, .base64, path)
            decoded.withLock { $0 = bytes }
            return try slice(bytes, range)
        }
    }

    private func slice(_ bytes: [UInt8], _ range: Range<Int64>) throws(PluginError) -> [UInt8] {
        guard let size = entry.size, Int64(bytes.count) == size else {
            throw PluginError(
                .corrupt, "\(path.shown) is not written as base64 should be: its lines are of different lengths")
        }
        return Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    private static func layout(_ raw: any RawBytes) async throws(PluginError) -> Base64Layout? {
        let head = try await raw.read(at: 0, count: Base64Layout.sample)
        let tail = try await raw.read(at: raw.size - Int64(Base64Layout.sample), count: Base64Layout.sample)
        return Base64Layout(head: head, tail: tail, size: raw.size)
    }

    /// Decodes all of it.
    static func whole(
        _ raw: any RawBytes, _ coding: TransferCoding, _ path: ItemPath
    ) async throws(PluginError) -> [UInt8] {
        guard raw.size <= longestWhole else {
            throw PluginError(
                .limitExceeded,
                "\(path.shown) is written so that it must be decoded from its beginning, which is done for up to "
                    + "\(longestWhole >> 20) MiB; it has \(raw.size >> 20)")
        }
        var decoder = TransferDecoder(coding)
        var out: [UInt8] = []
        var at: Int64 = 0
        while at < raw.size {
            let bytes = try await raw.read(at: at, count: Int(min(Int64(piece), raw.size - at)))
            guard !bytes.isEmpty else { throw PluginError(.changed, "cannot read \(path.shown): it became shorter") }
            at += Int64(bytes.count)
            out += decoder.decode(bytes)
        }
        return out + decoder.finish()
    }
}
