import CSSH
import Glibc
import Transfer
import VitrineKit

extension SSHLink {
    /// What a listing read ahead from the server, or one name at a time.
    private static let pageLength = 500
    /// What servers answer at once, whatever they are asked for.
    static let chunk = 32 << 10
    private static let longestName = 4096
    private static let openFileLimit = 8

    func channel(_ doing: String) throws(TransferFailure) -> sftp_session {
        guard let files else { throw failure(doing, status: nil) }
        return files
    }

    /// What a path is.
    /// - Parameter followsLinks: whether a link is what it points to.
    func attributes(_ path: [UInt8], followsLinks: Bool, _ doing: String) throws(TransferFailure) -> FileAttributes {
        let files = try channel(doing)
        let text = path.cString
        guard let found = (socket.within(limit) { followsLinks ? sftp_stat(files, text) : sftp_lstat(files, text) })
        else { throw failure(doing, status: files) }
        defer { sftp_attributes_free(found) }
        return FileAttributes(found.pointee)
    }

    /// The path without links, as the server sees it.
    func canonical(_ path: [UInt8], _ doing: String) throws(TransferFailure) -> [UInt8] {
        let files = try channel(doing)
        let text = path.cString
        guard let found = (socket.within(limit) { sftp_canonicalize_path(files, text) }) else {
            throw failure(doing, status: files)
        }
        defer { ssh_string_free_char(found) }
        return [UInt8](cString: found)
    }

    // MARK: Folders

    /// Begins a listing, known by a number from then on.
    func openFolder(_ number: UInt64, _ path: [UInt8], _ doing: String) throws(TransferFailure) {
        let files = try channel(doing)
        let text = path.cString
        guard let folder = (socket.within(limit) { sftp_opendir(files, text) }) else {
            throw failure(doing, status: files)
        }
        openFolders[number] = folder
    }

    /// The next names of a folder; none at its end.
    func page(of number: UInt64, _ doing: String) throws(TransferFailure) -> [(name: [UInt8], FileAttributes)] {
        let files = try channel(doing)
        guard let folder = openFolders[number] else { return [] }
        var page: [(name: [UInt8], FileAttributes)] = []
        while page.count < Self.pageLength {
            guard let found = (socket.within(limit) { sftp_readdir(files, folder) }) else {
                guard sftp_dir_eof(folder) != 0 else { throw failure(doing, status: files) }
                break
            }
            defer { sftp_attributes_free(found) }
            let name = found.pointee.name.map { [UInt8](cString: $0) } ?? []
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            guard name.count <= Self.longestName else {
                throw TransferFailure(PluginError(.io, "\(doing): '\(settings.server)' tells a name that is too long"))
            }
            page.append((name, FileAttributes(found.pointee)))
        }
        return page
    }

    /// Ends a listing.
    func closeFolder(_ number: UInt64) {
        guard let folder = openFolders.removeValue(forKey: number) else { return }
        _ = socket.within(limit) { sftp_closedir(folder) }
    }

    // MARK: Content

    /// Reads a range of a file that is, or now gets, open. All of it is asked for at once.
    /// - Parameters:
    ///   - number: stands for the file among those that are open.
    ///   - isAsTold: decides by its attributes whether the file that was opened is the one that was told of.
    func read(
        _ number: UInt64, _ path: [UInt8], at offset: Int64, count: Int, _ doing: String,
        isAsTold: (FileAttributes) throws(TransferFailure) -> Void
    ) throws(TransferFailure) -> [UInt8] {
        let files = try channel(doing)
        let file = try open(number, path, files, doing, isAsTold)
        guard sftp_seek64(file, UInt64(offset)) == 0 else { throw failure(doing, status: files) }
        var requests: [(id: UInt32, count: Int)] = []
        var asked = 0
        while asked < count {
            let part = min(Self.chunk, count - asked)
            let id = socket.within(limit) { sftp_async_read_begin(file, UInt32(part)) }
            guard id >= 0 else { throw failure(doing, status: files) }
            requests.append((UInt32(id), part))
            asked += part
        }
        var problem: TransferFailure?
        var isShort = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            // Every answer is taken, also those that nobody needs any more.
            for request in requests {
                guard let place = room.baseAddress.map({ $0 + filled }) else { return }
                let got = socket.within(limit) { sftp_async_read(file, place, UInt32(request.count), request.id) }
                if got < 0, problem == nil { problem = failure(doing, status: files) }
                if socket.timedOut { return }
                if problem == nil, !isShort, got > 0 { filled += Int(got) }
                if got < request.count { isShort = true }
            }
        }
        if let problem { throw problem }
        guard isShort, bytes.count < count else { return bytes }
        return bytes + (try rest(of: file, from: offset + Int64(bytes.count), count: count - bytes.count, files, doing))
    }

    /// What is left after an answer that was shorter than asked for: at the end of the file nothing.
    private func rest(
        of file: sftp_file, from offset: Int64, count: Int, _ files: sftp_session, _ doing: String
    ) throws(TransferFailure) -> [UInt8] {
        guard sftp_seek64(file, UInt64(offset)) == 0 else { throw failure(doing, status: files) }
        var problem: TransferFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            while filled < count, let place = room.baseAddress.map({ $0 + filled }) {
                let part = min(Self.chunk, count - filled)
                let got = socket.within(limit) { sftp_read(file, place, part) }
                if got < 0 { problem = failure(doing, status: files) }
                if got <= 0 { return }
                filled += min(got, part)
            }
        }
        if let problem { throw problem }
        return bytes
    }

    private func open(
        _ number: UInt64, _ path: [UInt8], _ files: sftp_session, _ doing: String,
        _ isAsTold: (FileAttributes) throws(TransferFailure) -> Void
    ) throws(TransferFailure) -> sftp_file {
        if let place = openFiles.firstIndex(where: { $0.number == number }) {
            let known = openFiles.remove(at: place)
            openFiles.append(known)
            return known.handle
        }
        // What is a link or a pipe by now is not opened, and what was opened must be what was looked at.
        try isAsTold(try attributes(path, followsLinks: settings.followsLinks, doing))
        let text = path.cString
        guard let file = (socket.within(limit) { sftp_open(files, text, O_RDONLY, 0) }) else {
            throw failure(doing, status: files)
        }
        keep(file, number)
        guard let found = (socket.within(limit) { sftp_fstat(file) }) else { throw failure(doing, status: files) }
        let opened = FileAttributes(found.pointee)
        sftp_attributes_free(found)
        do throws(TransferFailure) { try isAsTold(opened) } catch {
            closeFile(number)
            throw error
        }
        return file
    }

    /// Keeps a file open, for some time.
    func keep(_ file: sftp_file, _ number: UInt64) {
        openFiles.append(OpenFile(number: number, handle: file))
        if openFiles.count > Self.openFileLimit { closeFile(openFiles[0].number) }
    }

    /// Ends reading a file, if it is open.
    func closeFile(_ number: UInt64) {
        guard let place = openFiles.firstIndex(where: { $0.number == number }) else { return }
        let file = openFiles.remove(at: place)
        _ = socket.within(limit) { sftp_close(file.handle) }
    }
}

/// What a server says of a file.
struct FileAttributes: Sendable {
    var kind: Entry.Kind
    var size: Int64?
    var modified: Timestamp?

    init(_ found: sftp_attributes_struct) {
        func has(_ flag: CInt) -> Bool { found.flags & UInt32(bitPattern: flag) != 0 }
        kind =
            switch has(SSH_FILEXFER_ATTR_PERMISSIONS) ? found.permissions & 0o170000 : 0 {
            case 0o100000: .file
            case 0o040000: .folder
            case 0o120000: .link
            default: .special
            }
        size = kind == .file && has(SSH_FILEXFER_ATTR_SIZE) ? Int64(exactly: found.size) : nil
        modified = has(SSH_FILEXFER_ATTR_ACMODTIME) ? Timestamp(seconds: Int64(found.mtime)) : nil
    }

    func entry(named name: [UInt8]) -> Entry { Entry(name: name, kind: kind, size: size, modified: modified) }
}

extension [UInt8] {
    /// The bytes as a C string.
    var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }

    /// The bytes of a C string.
    init(cString: UnsafePointer<CChar>) {
        self = UnsafeRawBufferPointer(start: cString, count: strlen(cString)).map { $0 }
    }
}
