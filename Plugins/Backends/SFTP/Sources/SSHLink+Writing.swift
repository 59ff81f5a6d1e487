import CSSH
import Glibc
import Transfer
import VitrineKit

/// What a server is told to change. A failure that the protocol has no word for is looked into.
extension SSHLink {
    /// What has a name; `nil` when nothing has.
    func kind(of path: [UInt8], _ doing: String) throws(TransferFailure) -> Entry.Kind? {
        do throws(TransferFailure) { return try attributes(path, followsLinks: false, doing).kind } catch {
            if error.error.code == .notFound { return nil }
            throw error
        }
    }

    /// Makes a file that is empty, or opens one as it is.
    /// - Parameter empties: whether what is there is thrown away.
    func create(_ path: [UInt8], empties: Bool, _ doing: String) throws(TransferFailure) {
        let files = try channel(doing)
        let (text, flags) = (path.cString, O_WRONLY | O_CREAT | (empties ? O_TRUNC : 0))
        guard let file = (socket.within(limit) { sftp_open(files, text, flags, 0o666) }) else {
            throw try explained(failure(doing, status: files), room: 1, near: path, doing)
        }
        _ = socket.within(limit) { sftp_close(file) }
    }

    /// Writes bytes into a file that is there.
    /// - Parameter number: stands for the file among those that are open.
    func write(
        _ number: UInt64, _ path: [UInt8], _ bytes: [UInt8], at offset: Int64, _ doing: String
    ) throws(TransferFailure) {
        let files = try channel(doing)
        let file = try openForWriting(number, path, files, doing)
        guard sftp_seek64(file, UInt64(offset)) == 0 else { throw failure(doing, status: files) }
        var done = 0
        while done < bytes.count {
            let part = min(Self.chunk, bytes.count - done)
            let count = bytes.withUnsafeBytes { buffer in
                socket.within(limit) { sftp_write(file, buffer.baseAddress.map { $0 + done }, part) }
            }
            guard count > 0 else {
                throw try explained(failure(doing, status: files), room: Int64(bytes.count - done), near: path, doing)
            }
            done += Int(count)
        }
    }

    /// Waits until a file is on the server's disk, where the server can say so, and closes it.
    func flush(_ number: UInt64, _ path: [UInt8], _ doing: String) throws(TransferFailure) {
        let files = try channel(doing)
        if sftp_extension_supported(files, "fsync@openssh.com", "1") != 0 {
            let file = try openForWriting(number, path, files, doing)
            guard socket.within(limit, { sftp_fsync(file) }) == 0 else {
                throw try explained(failure(doing, status: files), room: 1, near: path, doing)
            }
        }
        closeFile(number)
    }

    /// Sets when a file last changed. Not every file system keeps that.
    func setTime(_ path: [UInt8], _ time: Timestamp, _ doing: String) throws(TransferFailure) {
        let (files, text) = (try channel(doing), path.cString)
        let times = [timeval](repeating: timeval(tv_sec: Int(time.seconds), tv_usec: 0), count: 2)
        _ = socket.within(limit) { sftp_utimes(files, text, times) }
        if socket.timedOut { throw failure(doing, status: files) }
    }

    /// Gives a file another name, which nothing has. Version 3 of the protocol replaces nothing, but some servers do, and
    /// newer libraries ask for it where the server knows `posix-rename@openssh.com`: whoever calls this has looked.
    func rename(_ path: [UInt8], _ other: [UInt8], _ doing: String) throws(TransferFailure) {
        let files = try channel(doing)
        let (old, new) = (path.cString, other.cString)
        guard socket.within(limit, { sftp_rename(files, old, new) }) == 0 else {
            throw try explained(failure(doing, status: files), taken: other, near: path, doing)
        }
    }

    /// Removes a file; one that is not there is no failure.
    func remove(_ path: [UInt8], _ doing: String) throws(TransferFailure) {
        let (files, text) = (try channel(doing), path.cString)
        guard socket.within(limit, { sftp_unlink(files, text) }) == 0 else {
            let failure = failure(doing, status: files)
            if failure.error.code == .notFound { return }
            throw failure
        }
    }

    func makeFolder(_ path: [UInt8], _ doing: String) throws(TransferFailure) {
        let (files, text) = (try channel(doing), path.cString)
        guard socket.within(limit, { sftp_mkdir(files, text, 0o777) }) == 0 else {
            throw try explained(failure(doing, status: files), taken: path, room: 1, near: path, doing)
        }
    }

    private func openForWriting(
        _ number: UInt64, _ path: [UInt8], _ files: sftp_session, _ doing: String
    ) throws(TransferFailure) -> sftp_file {
        if let place = openFiles.firstIndex(where: { $0.number == number }) {
            let known = openFiles.remove(at: place)
            openFiles.append(known)
            return known.handle
        }
        let text = path.cString
        guard let file = (socket.within(limit) { sftp_open(files, text, O_WRONLY, 0) }) else {
            throw failure(doing, status: files)
        }
        keep(file, number)
        return file
    }

    /// Finds out what a failure means that the server calls only that: something has the name, or the disk is full.
    /// - Parameters:
    ///   - taken: a name that nothing should have.
    ///   - room: bytes for which there has to be room.
    ///   - place: what lies on that disk.
    private func explained(
        _ failure: TransferFailure, taken: [UInt8]? = nil, room: Int64? = nil, near place: [UInt8], _ doing: String
    ) throws(TransferFailure) -> TransferFailure {
        // Of a folder that it cannot make, the library says that it is not there.
        guard [.io, .notFound].contains(failure.error.code), !failure.isOfSource, let files else { return failure }
        if let taken, (try? attributes(taken, followsLinks: false, doing)) != nil {
            return TransferFailure(PluginError(.exists, "\(doing): something has that name already"))
        }
        guard sftp_extension_supported(files, "statvfs@openssh.com", "2") != 0 else { return failure }
        let folder = Array(place[..<(place.lastIndex(of: UInt8(ascii: "/")) ?? 0)]).cString
        // Nor is the folder above, then.
        guard let found = (socket.within(limit) { sftp_statvfs(files, folder) }) else { return failure }
        defer { sftp_statvfs_free(found) }
        let server = settings.server
        if found.pointee.f_flag & Self.readOnly != 0 {
            return TransferFailure(PluginError(.forbidden, "\(doing): the disk of '\(server)' is only read"))
        }
        // A server has blocks, of which it gives only whole ones.
        let free = found.pointee.f_bavail.multipliedReportingOverflow(by: max(1, found.pointee.f_frsize))
        if let room, !free.overflow, free.partialValue < UInt64(room) + Self.blockSize {
            return TransferFailure(PluginError(.noSpace, "\(doing): the disk of '\(server)' is full"))
        }
        guard failure.error.code == .notFound else { return failure }
        return TransferFailure(PluginError(.io, "\(doing): '\(server)' failed"))
    }

    /// `SSH_FXE_STATVFS_ST_RDONLY` of OpenSSH's PROTOCOL.
    private static let readOnly: UInt64 = 1
    private static let blockSize: UInt64 = 64 << 10
}
