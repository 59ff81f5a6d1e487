import Synchronization
import Transfer
public import VitrineKit

/// Files of an FTP server: schemes `ftp`, and `ftps` where TLS comes first.
///
/// - `ftp://user@host:port/path` is relative to where the server puts the user; `ftp://host//path` is absolute. A password
///   in the URI is refused.
/// - Settings are those of ``TransferPolicy`` (4 connections by default), and `tls` for `ftp`: `try` (the default: where
///   the server offers it), `always` or `never`.
/// - Folders are read by MLSD (RFC 3659), or else by LIST as Unix systems or Windows write it. That tells times to the
///   minute, and of Unix to the day after half a year, in the server's own time zone. Links are always links.
/// - What one path is stands in the listing of its folder, so that listings and single answers agree.
/// - A range that ends before the file does costs a login: the protocol cannot stop a transfer otherwise.
public final class FTPBackend: MeteredBackend {
    let server: FTPServer
    let client: TransferClient
    /// How the server lists, once it is known.
    private let format = Mutex<ListingFormat?>(nil)

    /// Looks at the root of the source.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        server = try FTPServer(source, settings)
        client = TransferClient(server.policy, name: try server.name)
        _ = try await stat(.root)
    }

    /// What was asked for since the beginning.
    public var traffic: Traffic { client.traffic }

    var knownFormat: ListingFormat? { format.withLock { $0 } }
    func learn(_ known: ListingFormat) { format.withLock { $0 = known } }

    /// Lists a folder with one request, in pages of up to 1000 entries.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        FTPListing(backend: self, folder: folder)
    }

    /// What a path is, from the listing of its folder.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        guard let folder = path.parent else {
            try await enter(path)
            return Entry(name: [], kind: .folder)
        }
        do throws(PluginError) {
            for try await page in list(folder) {
                if let entry = page.first(where: { $0.name == path.name }) { return entry }
            }
        } catch  where error.code == .notAFile {
            throw missing(path)
        }
        throw missing(path)
    }

    /// Looks for the file in the listing of its folder.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        try await open(path, listedAs: try await stat(path))
    }

    /// Asks the server nothing.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        switch entry.kind {
        case .file: return FTPFile(path, entry: entry, of: self)
        case .folder: throw PluginError(.notAFile, "\(path.shown) is a folder, not a file")
        default: throw PluginError(.notAFile, "\(path.shown) is a link or a device; such are not opened over FTP")
        }
    }

    /// Finds out whether a folder is there.
    private func enter(_ folder: ItemPath) async throws(PluginError) {
        do throws(PluginError) {
            _ = try await client.collect(
                server.folder(folder, method: "HEAD", purpose: "cannot enter \(folder.shown)"))
        } catch  where error.code == .forbidden {
            throw PluginError(.notFound, error.message + ": check the path, and whether this user may enter it")
        }
    }

    private func missing(_ path: ItemPath) -> PluginError { PluginError(.notFound, "\(path.shown) is not there") }
}
