import Glibc
import MIME
import VitrineKit

/// A regular file of this machine, open for reading. Calls block.
final class LocalFile: Sendable {
    private let descriptor: CInt
    let path: [UInt8]
    /// When it was last changed, and which file it is.
    struct State: Hashable, Sendable {
        var size: Int64
        var modified: Timestamp
        var inode: UInt64
    }

    /// Opens it, if it is a file and no link, pipe or device.
    init(_ path: [UInt8], followsLinks: Bool = false) throws(PluginError) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        descriptor = Glibc.open(path.map { CChar(bitPattern: $0) } + [0], flags)
        self.path = path
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot open '\(DisplayText.of(path))'") }
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PluginError(.notAFile, "'\(DisplayText.of(path))' is no regular file")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// What it is now.
    var state: State {
        get throws(PluginError) {
            var status = Glibc.stat()
            guard fstat(descriptor, &status) == 0 else {
                throw PluginError(errno: errno, "cannot look at '\(DisplayText.of(path))'")
            }
            return State(
                size: Int64(status.st_size),
                modified: Timestamp(
                    seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(clamping: status.st_mtim.tv_nsec)),
                inode: UInt64(status.st_ino))
        }
    }

    /// Reads a range; less only at the end.
    func read(at offset: Int64, count: Int) throws(PluginError) -> [UInt8] {
        try OpenDescriptor.read(
            descriptor, at: offset, count: count, failing: "cannot read '\(DisplayText.of(path))'")
    }
}

/// Reads heads and parts of messages of this machine.
enum LocalMessage {
    private static let piece = 256 << 10
    /// The head of nearly every message.
    private static let usualHead = 8 << 10

    /// The head of a message.
    /// - Parameter read: reads a range of it; less only at its end.
    static func head(_ read: (Int64, Int) throws(PluginError) -> [UInt8]) throws(PluginError) -> HeaderFields {
        var count = usualHead
        while true {
            let bytes = try read(0, count)
            if bytes.count < count || count >= HeaderFields.longest || hasEnd(bytes) { return HeaderFields(bytes) }
            count *= 8
        }
    }

    /// The parts of a message.
    static func parts(
        _ size: Int64, _ read: (Int64, Int) throws(PluginError) -> [UInt8]
    ) throws(PluginError) -> [MIMEPart] {
        var scanner = MIMEScanner()
        var at: Int64 = 0
        while at < size {
            let bytes = try read(at, Int(min(Int64(piece), size - at)))
            guard !bytes.isEmpty else { break }
            scanner.take(bytes)
            at += Int64(bytes.count)
        }
        scanner.finish()
        return scanner.parts
    }

    private static func hasEnd(_ bytes: [UInt8]) -> Bool {
        var before: UInt8 = 0x0A
        var lineIsEmpty = true
        for byte in bytes {
            if byte == 0x0A {
                if lineIsEmpty, before != 0 { return true }
                lineIsEmpty = true
            } else if byte != 0x0D {
                lineIsEmpty = false
            }
            before = byte
        }
        return false
    }
}

/// A range of something that is read on a thread that may wait.
struct LocalBytes: RawBytes {
    let size: Int64
    let isPinned: Bool
    /// Reads a range of the message; less only at its end.
    let source: @Sendable (Int64, Int) throws(PluginError) -> [UInt8]
    /// Where the part begins in the message.
    var start: Int64 = 0

    /// One part of it.
    func part(_ part: MIMEPart?) -> LocalBytes {
        guard let part else { return self }
        let end = min(size, part.offset + part.encodedSize)
        return LocalBytes(size: max(0, end - part.offset), isPinned: isPinned, source: source, start: part.offset)
    }

    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        let bytes = try await Self.aside { () throws(PluginError) in try source(start + offset, count) }
        guard bytes.count == count else {
            throw PluginError(.changed, "the message became shorter since it was opened")
        }
        return bytes
    }

    /// Runs what waits for the disk.
    static func aside<T: Sendable>(
        _ work: @escaping @Sendable () throws(PluginError) -> T
    ) async throws(PluginError) -> T {
        try await AsideWork.run(work).get()
    }
}
