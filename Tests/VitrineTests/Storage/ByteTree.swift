import Glibc
import TestSupport
import VitrineKit

/// A folder whose names are bytes, changed by system calls.
struct ByteTree {
    let root: [UInt8]
    private let trash: [UInt8]

    init(_ folder: TemporaryFolder, _ name: String = "items") throws {
        root = Array("\(folder.path)/\(name)".utf8)
        trash = Array("\(folder.path)/trash".utf8)
        try Self.check(mkdir(Self.c(root), 0o700))
    }

    /// A call that failed.
    struct Failed: Error { var code: CInt }

    static func c(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

    static func check(_ status: CInt) throws { if status != 0 { throw Failed(code: errno) } }

    func absolute(_ path: [UInt8]) -> [UInt8] { path.isEmpty ? root : root + [UInt8(ascii: "/")] + path }

    func write(_ path: [UInt8], _ content: [UInt8]) throws {
        let file = open(Self.c(absolute(path)), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Failed(code: errno) }
        defer { close(file) }
        guard Glibc.write(file, content, content.count) == content.count else { throw Failed(code: errno) }
    }

    func folder(_ path: [UInt8]) throws { try Self.check(mkdir(Self.c(absolute(path)), 0o700)) }

    func rename(_ old: [UInt8], _ new: [UInt8]) throws {
        try Self.check(Glibc.rename(Self.c(absolute(old)), Self.c(absolute(new))))
    }

    /// Exchanges two names.
    func swap(_ one: [UInt8], _ other: [UInt8]) throws {
        try Self.check(Glibc.rename(Self.c(absolute(one)), Self.c(trash)))
        try rename(other, one)
        try Self.check(Glibc.rename(Self.c(trash), Self.c(absolute(other))))
    }

    func link(_ old: [UInt8], _ new: [UInt8]) throws {
        try Self.check(Glibc.link(Self.c(absolute(old)), Self.c(absolute(new))))
    }

    func setTime(_ path: [UInt8], _ seconds: Int, _ nanoseconds: Int) throws {
        let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: nanoseconds), count: 2)
        try Self.check(utimensat(AT_FDCWD, Self.c(absolute(path)), times, 0))
    }

    /// Removes a file, or a folder with all that is in it.
    func remove(_ path: [UInt8]) throws {
        for (below, isFolder) in contents(of: path).reversed() {
            try Self.check(isFolder ? rmdir(Self.c(absolute(below))) : unlink(Self.c(absolute(below))))
        }
        if unlink(Self.c(absolute(path))) != 0 { try Self.check(rmdir(Self.c(absolute(path)))) }
    }

    /// What is in a folder and below, each folder before what is in it.
    func contents(of folder: [UInt8] = []) -> [(path: [UInt8], isFolder: Bool)] {
        guard let stream = opendir(Self.c(absolute(folder))) else { return [] }
        defer { closedir(stream) }
        var found: [(path: [UInt8], isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name == [46] || name == [46, 46] { continue }
            let path = folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
            let isFolder = Int(entry.pointee.d_type) == Int(DT_DIR)
            found.append((path, isFolder))
            if isFolder { found += contents(of: path) }
        }
        return found
    }

    func uri(_ path: [UInt8]) -> String { "file://" + PercentEncoding.encode(absolute(path)) }
}
