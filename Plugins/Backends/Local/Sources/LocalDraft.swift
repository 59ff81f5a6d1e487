import CFolderScan
import Glibc
import Synchronization
import VitrineKit

/// A file that is being written, and has its name only when it is whole.
///
/// A hidden name is locked while somebody writes; it stays when the process is killed. What is found under it is there:
/// file systems make a file no longer on the disk than what was written of it.
final class LocalDraft: WriteTransaction {
    let kept: Int64
    private let root: RootFolder
    private let path: ItemPath
    private let draft: FileDraft
    private let folder: Descriptor
    private let file: UnfinishedFile
    private let state: Mutex<State>

    private struct State {
        var length: Int64
        /// How much of it is on its way to the disk.
        var flushed: Int64
        var isEnded = false
    }

    /// Up to this size, to write it again is quicker than to look for it.
    private static let unnamedLimit: Int64 = 8 << 20
    /// Written to the disk at once.
    private static let window: Int64 = 32 << 20

    init(_ root: RootFolder, _ path: ItemPath, _ draft: FileDraft) throws(PluginError) {
        let doing = "cannot write '\(root.text(path))'"
        guard let parent = path.parent else { throw PluginError(.exists, "\(doing): it is a folder") }
        folder = try root.folder(parent)
        (self.root, self.path, self.draft) = (root, path, draft)
        let isSmall = draft.size.map { $0 <= Self.unnamedLimit } ?? false
        // Of a hidden name that is taken, somebody else writes the same, or the file system has no locks.
        if draft.token == nil || isSmall, let unnamed = UnfinishedFile(unnamedIn: folder.number) {
            file = unnamed
        } else if let known = UnfinishedFile(UnfinishedName.of(draft.token), in: folder.number) {
            file = known
        } else if let own = UnfinishedFile(UnfinishedName.of(nil), in: folder.number) {
            file = own
        } else {
            throw PluginError(errno: errno, doing)
        }
        kept = file.begin(ofFileOf: draft.size)
        state = Mutex(State(length: kept, flushed: kept))
        do throws(PluginError) { try checkRoom(doing) } catch {
            if let hidden = file.name { unlinkat(folder.number, hidden.terminated, 0) }
            throw error
        }
    }

    deinit {
        guard let hidden = file.name, !isFoundAgain, !state.withLock({ $0.isEnded }) else { return }
        unlinkat(folder.number, hidden.terminated, 0)
    }

    /// Whether what is left half-way has a name by which it is gone on with.
    private var isFoundAgain: Bool { draft.token != nil && file.name == UnfinishedName.of(draft.token) }

    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
        try await Blocking.run { () throws(PluginError) in
            try self.state.withLock { (state) throws(PluginError) in try self.append(bytes, at: offset, &state) }
        }
    }

    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
        try await Blocking.run { () throws(PluginError) in
            try self.state.withLock { (state) throws(PluginError) in try self.commit(condition, &state) }
        }
    }

    func suspend() async {
        guard isFoundAgain else { return await abandon() }
        await end { flock(self.file.number, LOCK_UN) }
    }

    func abandon() async {
        await end {
            // The room is free at once, whoever still holds on to this.
            ftruncate(self.file.number, 0)
            if let hidden = self.file.name { unlinkat(self.folder.number, hidden.terminated, 0) }
        }
    }

    /// Ends it, also for a task that is cancelled.
    private func end(_ body: @escaping @Sendable () -> Void) async {
        await Task {
            try? await Blocking.run { () throws(PluginError) in
                self.state.withLock { state in
                    if !state.isEnded { body() }
                    state.isEnded = true
                }
            }
        }.value
    }

    private var doing: String { "cannot write '\(root.text(path))'" }

    private func checkRoom(_ doing: String) throws(PluginError) {
        var status = statvfs()
        // File systems of programs may know nothing of their size.
        guard let size = draft.size, fstatvfs(file.number, &status) == 0, status.f_blocks > 0 else { return }
        let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
        let free = Int64(clamping: blocks.multipliedReportingOverflow(by: UInt(status.f_frsize)).partialValue)
        guard size - kept <= free else {
            throw PluginError(.noSpace, "\(doing): it has \(size) bytes, and only \(free) are left on its disk")
        }
    }

    private func append(_ bytes: [UInt8], at offset: Int64, _ state: inout State) throws(PluginError) {
        guard !state.isEnded, !bytes.isEmpty, offset == state.length,
            Int64(bytes.count) <= (draft.size ?? .max) - state.length
        else {
            throw PluginError(.invalidArgument, "\(doing): \(bytes.count) bytes at \(offset) are not what comes next")
        }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file.number, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset) + done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PluginError(errno: count < 0 ? errno : ENOSPC, doing) }
            done += count
        }
        state.length += Int64(bytes.count)
        if state.length - state.flushed >= Self.window {
            cfolderscan_write_back(file.number, state.flushed, state.length - state.flushed)
            state.flushed = state.length
        }
    }

    private func commit(_ condition: WriteCondition, _ state: inout State) throws(PluginError) -> WrittenFile {
        guard !state.isEnded, draft.size == nil || draft.size == state.length else {
            throw PluginError(.invalidArgument, "\(doing): \(state.length) bytes are not all of it")
        }
        guard let status = file.status(), Int64(status.st_size) == state.length else {
            throw PluginError(.changed, "\(doing): somebody else has changed it meanwhile")
        }
        if let modified = draft.modified {
            let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
            // Not every file system keeps times.
            _ = futimens(file.number, [timespec(tv_sec: 0, tv_nsec: Self.nowMark), time])
        }
        // Not every file system knows permissions.
        _ = fchmod(file.number, permissions(condition))
        // Network file systems say only here that they are full.
        guard fsync(file.number) == 0, place(condition) else { throw PluginError(errno: errno, doing) }
        state.isEnded = true
        if let listed = Descriptor(Array(".".utf8), in: folder.number, flags: O_RDONLY | O_DIRECTORY) {
            // Keeps the name over a power cut. Not every file system can; the bytes are on the disk in any case.
            _ = fsync(listed.number)
        }
        return WrittenFile()
    }

    /// Those of the file that is replaced, else those that are usual for this user.
    private func permissions(_ condition: WriteCondition) -> mode_t {
        var old = stat()
        if condition == .replacing, fstatat(folder.number, path.name.terminated, &old, AT_SYMLINK_NOFOLLOW) == 0,
            old.st_mode & S_IFMT == S_IFREG
        {
            return old.st_mode & 0o777
        }
        return 0o666 & ~UsualPermissions.mask()
    }

    /// `UTIME_NOW`, which Swift does not import.
    private static let nowMark = (1 << 30) - 1

    /// Gives it its name.
    /// - Returns: whether that could be; `errno` says why not.
    private func place(_ condition: WriteCondition) -> Bool {
        let name = path.name.terminated
        switch (condition, file.name?.terminated) {
        case (.replacing, let hidden?): return renameat(folder.number, hidden, folder.number, name) == 0
        case (.replacing, nil):
            let own = UnfinishedName.of(nil).terminated
            return link(to: own) && kept(own) { renameat(folder.number, own, folder.number, name) == 0 }
        case (_, nil): return link(to: name)
        case (_, let hidden?):
            if cfolderscan_rename_if_absent(folder.number, hidden, name) == 0 { return true }
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { return false }
            // A file system of a network or of a program: links do the same.
            if linkat(folder.number, hidden, folder.number, name, 0) == 0 {
                unlinkat(folder.number, hidden, 0)
                return true
            }
            guard [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno) else { return false }
            // Neither: an empty file reserves the name.
            guard Descriptor(writing: path.name, in: folder.number, flags: O_EXCL) != nil else { return false }
            return kept(name) { renameat(folder.number, hidden, folder.number, name) == 0 }
        }
    }

    private func link(to name: [CChar]) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", folder.number, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Takes a name away again when what follows fails.
    private func kept(_ name: [CChar], _ body: () -> Bool) -> Bool {
        if body() { return true }
        let reason = errno
        unlinkat(folder.number, name, 0)
        errno = reason
        return false
    }
}

/// What this process takes away from the permissions of new files.
private enum UsualPermissions {
    /// Read from `Umask` in proc(5): umask(2) tells it only by changing it, for all threads.
    static func mask() -> mode_t {
        guard let file = Descriptor(Array("/proc/self/status".utf8), flags: O_RDONLY) else { return 0o022 }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file.number, &bytes, bytes.count)
        for line in bytes.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split { $0 == ":" || $0 == "\t" }
            if parts.first == "Umask", let text = parts.last, let mask = mode_t(text, radix: 8) { return mask & 0o777 }
        }
        return 0o022
    }
}

/// A file that this process alone writes, and whose name, if it has one, is hidden.
private struct UnfinishedFile: ~Copyable {
    let name: [UInt8]?
    private let descriptor: Descriptor

    /// The number for system calls.
    var number: CInt { descriptor.number }

    /// Makes a file without a name.
    /// - Returns: `nil` where the file system knows none.
    init?(unnamedIn folder: CInt) {
        let flags = O_RDWR | CInt(O_DIRECTORY) | Self.temporary | O_CLOEXEC
        let opened = openat(folder, ".", flags, 0o600)
        guard opened >= 0 else { return nil }
        descriptor = Descriptor(taking: opened)
        name = nil
    }

    /// Opens or makes a file with a hidden name.
    /// - Returns: `nil` with `errno` set when it cannot be opened, belongs to somebody else, or is being written.
    init?(_ name: [UInt8], in folder: CInt) {
        guard let file = Descriptor(writing: name, in: folder), let status = file.status() else { return nil }
        // A file of another user, or with another name, could be changed behind our back.
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1 else {
            errno = EEXIST
            return nil
        }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return nil }
        // Who held the lock may have given the file its name meanwhile.
        var named = stat()
        guard fstatat(folder, name.terminated, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == status.st_ino else {
            errno = EBUSY
            return nil
        }
        self.name = name
        descriptor = file
    }

    /// `__O_TMPFILE` of the kernel's generic header, which holds for x86-64 and aarch64.
    private static let temporary: CInt = 0o20_000_000

    /// What it is open on.
    func status() -> stat? { descriptor.status() }

    /// How much of the file is there; what cannot be its beginning is thrown away.
    func begin(ofFileOf size: Int64?) -> Int64 {
        let length = status().map { Int64($0.st_size) } ?? 0
        if length <= size ?? 0 { return length }
        ftruncate(number, 0)
        return 0
    }
}
