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
        guard offset >= 0, count > 0 else {
            throw PluginError(.invalidArgument, "there is no range of \(count) bytes at \(offset)")
        }
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
        var failure: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, done in
            while done < count {
                let got = pread(memory.fd, room.baseAddress.map { $0 + done }, count - done, off_t(offset) + done)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    failure = got < 0 ? errno : EIO
                    break
                }
                done += got
            }
        }
        guard failure == 0 else { throw PluginError(errno: failure, "cannot read an unpacked member") }
        return bytes
    }

    static func write(_ bytes: [UInt8], to fd: CInt) throws(PluginError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(fd, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PluginError(errno: errno, "cannot copy a member into memory") }
            rest = rest.dropFirst(count)
        }
    }
}
