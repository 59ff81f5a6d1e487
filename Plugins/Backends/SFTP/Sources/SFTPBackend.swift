import Transfer
public import VitrineKit

/// Files of an SSH server: scheme `sftp`.
///
/// - `sftp://user@host:port/path`; `/~/x` is `x` in the user's home. A password in the URI is refused.
/// - The server's key must be in the file of known hosts. Nothing is ever added to that.
/// - Links are listed as links and not followed, unless the settings say so; a link that then leads back to a folder above
///   it is still a link, so that a walk ends.
/// - The protocol has neither etags nor times finer than a second: a file that changes twice in a second, to the same
///   size, is taken for unchanged.
///
/// | setting | meaning | default |
/// |---|---|---|
/// | `user` | who asks | that of the URI, then that of this process |
/// | `key-file`, `passphrase` | a private key, and what opens it | `id_ed25519`, `id_ecdsa`, `id_rsa` in `~/.ssh` |
/// | `agent` | socket of an agent; empty for none | `$SSH_AUTH_SOCK` |
/// | `password` | also the answer to questions of the server | none |
/// | `known-hosts` | file of known hosts | `~/.ssh/known_hosts`, and the system's |
/// | `connections` | at the same time, 1–32 | 4 |
/// | `connect-timeout`, `stall-timeout` | seconds: to connect, for an answer; both together to log in | 10, 20 |
public final class SFTPBackend: MeteredBackend {
    let pool: SFTPPool
    /// The root without links, as the server names it.
    let root: [UInt8]

    /// Connects, and looks at the root of the source.
    /// - Throws: `forbidden` when the server is not the known one, `unauthorized` when it does not let the user in.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        let pool = try SFTPPool(SFTPSettings(source, settings))
        self.pool = pool
        let doing = "cannot look at '\(DisplayText.of(source.text))'"
        let start = pool.settings.root
        let (root, found) = try await pool.run(doing) { link throws(TransferFailure) in
            let root = try link.canonical(start, doing)
            return (root, try link.attributes(root, followsLinks: true, doing))
        }
        guard root.first == UInt8(ascii: "/") else {
            throw PluginError(.io, "\(doing): '\(pool.settings.server)' does not tell where that is")
        }
        self.root = root
        guard found.kind == .folder else {
            throw PluginError(.notAFile, "'\(DisplayText.of(source.text))' is a file, not a folder")
        }
    }

    /// What was asked for since the beginning; bytes are those of content.
    public var traffic: Traffic { pool.traffic }

    /// Lists a folder in pages of up to 500 entries. The connection serves others between two pages.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        SFTPListing(backend: self, folder: folder)
    }

    /// What a path is. A link whose target is gone is a link, also where links are followed.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        let place = place(of: path)
        let follows = pool.settings.followsLinks || path.isRoot
        let doing = "cannot look at \(path.shown)"
        return try await pool.run(doing) { link throws(TransferFailure) in
            do throws(TransferFailure) {
                return try link.attributes(place, followsLinks: follows, doing).entry(named: path.name)
            } catch  where follows && error.error.code == .notFound {
                return try link.attributes(place, followsLinks: false, doing).entry(named: path.name)
            }
        }
    }

    /// Looks at a file; it is opened when it is first read.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        try await open(path, listedAs: try await stat(path))
    }

    /// Asks the server nothing.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        if let error = Self.refusal(of: entry.kind, path) { throw error }
        return SFTPFile(path, at: place(of: path), entry: entry, in: pool)
    }

    /// Where a path is on the server.
    func place(of path: ItemPath) -> [UInt8] {
        guard !path.isRoot else { return root }
        let slash = root.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return root + slash + path.bytes
    }

    /// Why something is not read; `nil` for files.
    static func refusal(of kind: Entry.Kind, _ path: ItemPath) -> PluginError? {
        switch kind {
        case .file: nil
        case .folder: PluginError(.notAFile, "\(path.shown) is a folder, not a file")
        case .link: PluginError(.notAFile, "\(path.shown) is a link; links are followed only when the user asks")
        default: PluginError(.notAFile, "\(path.shown) is a pipe, socket or device; such are never opened")
        }
    }
}
