import FileBytes
import Glibc
import RangeReading
import VitrineKit
import Workers

/// A file that can tell what it cost of storages that are not on this machine.
protocol TracedSource: ByteSource {
    /// What was asked for so far; `nil` when nothing had to be.
    var traffic: ItemTraffic? { get }
}

/// A member of an archive, unpacked into memory that nobody can write to any more.
final class MemberFile: TracedSource {
    let entry: Entry
    let traffic: ItemTraffic?
    private let memory: MemberMemory
    private let stay: MemberRoom.Stay?
    private let archive: OpenArchive
    private let mark: String

    init(
        _ entry: Entry, _ memory: MemberMemory, _ stay: MemberRoom.Stay?, _ traffic: ItemTraffic?,
        of archive: OpenArchive, at mark: String
    ) {
        self.stay = stay
        self.entry = entry
        self.memory = memory
        self.traffic = traffic
        self.archive = archive
        self.mark = mark
    }

    var fileDescriptor: CInt? { memory.fd }

    /// It was read of one version of the archive, and is not read again.
    var isPinned: Bool { true }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        return try await Self.bytes(of: memory, at: offset, count: count)
    }

    func current() async throws(PluginError) -> Entry {
        guard try await archive.version().versionMark == mark else {
            throw PluginError(.changed, "the archive changed since it was read")
        }
        return entry
    }

    static func bytes(
        of memory: MemberMemory, at offset: Int64, count: Int
    ) async throws(PluginError) -> [UInt8] {
        let count = Int(max(0, min(Int64(count), memory.size - offset)))
        let (bytes, failure) = FileBytes.read(count, from: memory.fd, at: offset)
        guard bytes.count == count else {
            throw PluginError(errno: failure ?? EIO, "cannot read an unpacked member")
        }
        return bytes
    }

    static func write(_ bytes: [UInt8], to fd: CInt) throws(PluginError) {
        if let failure = FileBytes.write(bytes, to: fd) {
            throw PluginError(errno: failure, "cannot copy a member into memory")
        }
    }
}
