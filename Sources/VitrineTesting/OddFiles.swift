import Glibc
public import VitrineKit

/// Makes what file systems allow and programs forget: pipes, sockets, looping links, names that are no text.
///
/// Everything is made inside of one folder and by bytes, so that every name is possible. Not for use from
/// several threads at once on the same names.
public struct OddFiles: Sendable {
    /// The folder, absolute.
    public let folder: String

    /// Works in a folder that exists, usually a ``ScratchFolder``.
    public init(in folder: String) { self.folder = folder }

    /// Names of regular files that have broken programs: each is one component and can be made on ext4.
    public static let names: [[UInt8]] = [
        Array("two\nlines.pdf".utf8),
        Array("tab\tand\rreturn.pdf".utf8),
        Array("-rf".utf8),
        Array("--help.pdf".utf8),
        Array(" ".utf8),
        Array(" leading and trailing .pdf ".utf8),
        Array("per%20cent%d%s.pdf".utf8),
        Array("label:colon;semicolon?#[1].pdf".utf8),
        Array("@list.txt".utf8),
        Array("quote'double\"back`tick\\.pdf".utf8),
        Array("$(id)&|<>*.pdf".utf8),
        Array("\u{1B}[31mred.pdf".utf8),
        Array("right\u{202E}fdp.exe.pdf".utf8),
        Array("e\u{301}.pdf".utf8),
        Array("\u{E9}.pdf".utf8),
        Array("latin-1 \u{20}".utf8) + [0xE9, 0xFF, 0xFE] + Array(".pdf".utf8),
        [0x80],
        Array(repeating: UInt8(ascii: "n"), count: 251) + Array(".pdf".utf8),
        Array("...".utf8),
    ]

    /// Whether missing permissions stop this process; as root they do not, and tests of them prove nothing.
    public static var permissionsAreEnforced: Bool { geteuid() != 0 }

    /// Writes a regular file.
    /// - Parameters:
    ///   - name: one component, any bytes but `/` and NUL.
    ///   - content: its bytes.
    ///   - mode: its permissions, whatever the umask says.
    /// - Throws: `PluginError` with the code of the call that failed, as all of these functions.
    public func file(_ name: [UInt8], content: [UInt8], mode: UInt32 = 0o644) throws(PluginError) {
        let descriptor = call(name) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        try check(descriptor, name, "make the file")
        defer { close(descriptor) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            try check(CInt(clamping: count), name, "write the file")
            rest = rest.dropFirst(count)
        }
        try check(fchmod(descriptor, mode), name, "set the permissions of")
    }

    /// Makes a regular file that claims many bytes and holds none.
    /// - Parameter size: bytes claimed.
    public func sparseFile(_ name: [UInt8], size: Int64) throws(PluginError) {
        try file(name, content: [])
        try check(call(name) { truncate($0, off_t(size)) }, name, "stretch the file")
    }

    /// Makes a named pipe that nobody writes into: opening it without O_NONBLOCK waits forever.
    public func pipe(_ name: [UInt8]) throws(PluginError) {
        try check(call(name) { mkfifo($0, 0o600) }, name, "make the pipe")
    }

    /// Makes a Unix socket that nobody listens on.
    public func socket(_ name: [UInt8]) throws(PluginError) {
        let made = call(name) { mknod($0, S_IFSOCK | 0o600, 0) }
        try check(made, name, "make the socket")
    }

    /// Makes a symbolic link.
    /// - Parameter target: what it holds; it need not exist.
    public func link(_ name: [UInt8], to target: String) throws(PluginError) {
        try check(call(name) { symlink(target, $0) }, name, "make the link")
    }

    /// Makes a link to nothing.
    public func danglingLink(_ name: [UInt8]) throws(PluginError) { try link(name, to: "there/is/no/such/file") }

    /// Makes two links that point at each other: `name` and `name` followed by `-back`.
    public func loopingLink(_ name: String) throws(PluginError) {
        try link(Array(name.utf8), to: name + "-back")
        try link(Array((name + "-back").utf8), to: name)
    }

    /// Makes a link to the folder that holds it, so that a walk that follows links never ends.
    public func linkToItself(_ name: [UInt8]) throws(PluginError) { try link(name, to: ".") }

    /// Makes a link to a device that never ends. A device of its own needs root.
    public func linkToDevice(_ name: [UInt8]) throws(PluginError) { try link(name, to: "/dev/zero") }

    /// Makes a folder.
    /// - Parameter mode: its permissions; 0 for one that cannot be read (see ``permissionsAreEnforced``).
    public func subfolder(_ name: [UInt8], mode: UInt32 = 0o755) throws(PluginError) {
        try check(call(name) { mkdir($0, 0o700) }, name, "make the folder")
        try check(call(name) { chmod($0, mode) }, name, "set the permissions of")
    }

    /// Makes one of everything, with every name of ``names`` for a copy of `content`.
    /// - Parameter content: of the regular files, such as a small picture.
    public func everything(content: [UInt8]) throws(PluginError) {
        for name in Self.names { try file(name, content: content) }
        try pipe(Array("pipe.pdf".utf8))
        try socket(Array("socket.pdf".utf8))
        try danglingLink(Array("dangling.pdf".utf8))
        try loopingLink("loop")
        try linkToItself(Array("itself".utf8))
        try linkToDevice(Array("device.pdf".utf8))
        try sparseFile(Array("sparse.pdf".utf8), size: 1 << 40)
        try file(Array("unreadable.pdf".utf8), content: content, mode: 0)
        try subfolder(Array("unreadable".utf8), mode: 0)
    }

    private func path(_ name: [UInt8]) -> [CChar] {
        (Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
    }

    private func call(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> CInt) -> CInt {
        path(name).withUnsafeBufferPointer { bytes in bytes.baseAddress.map(body) ?? -1 }
    }

    private func check(_ result: CInt, _ name: [UInt8], _ doing: String) throws(PluginError) {
        guard result >= 0 else {
            throw PluginError(errno: errno, "cannot \(doing) '\(DisplayText.of(name))' in '\(folder)'")
        }
    }
}
