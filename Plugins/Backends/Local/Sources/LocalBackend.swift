public import VitrineKit

/// Files on disks and mounts of this machine: scheme `file`.
///
/// - Names are bytes, whatever they are.
/// - Links are listed as links and never followed, unless the settings say so; the source's own root may be one.
///   Where links are followed, one that leads back to a folder above it is still listed as a link, so that a
///   walk ends.
/// - Folders of another file system than the root's are listed as folders, with their own ``Entry/volume``;
///   entering one is refused with `forbidden`, unless the settings allow it.
/// - A root that lies on another file system than at the start, because a disk came or went, is `offline`: an
///   absent disk is not an empty one.
///
/// Every call resolves its path anew, component by component from the root, so that no link can be slipped in
/// on the way. System calls run on threads of their own: a dead network mount holds up nobody else.
public final class LocalBackend: SnapshotBackend {
    let root: RootFolder

    /// Opens a source.
    /// - Parameters:
    ///   - source: `file:///path` or `file://localhost/path`.
    ///   - settings: links and file systems; it has no settings of its own.
    /// - Throws: `invalidArgument` for another host, `notFound`, `notAFile` when it is not a folder, `forbidden`.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        guard source.scheme == "file", let host = source.authority, host.isEmpty || host == "localhost",
            source.path.first == UInt8(ascii: "/")
        else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(source.text))' is not on this machine: write file:///path")
        }
        root = try await Blocking.run { () throws(PluginError) in
            try RootFolder(
                path: source.path, followsLinks: settings.followsLinks, crossesFileSystems: settings.crossesFileSystems)
        }
    }

    /// Lists a folder in pages of up to 512 entries. A folder on another file system throws `forbidden`.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        FolderListing(root: root, folder: folder)
    }

    /// Looks at folders with one system call for a name, and makes entries of those that changed. A digest counts
    /// names, kinds, permissions, inodes and devices, and sizes and times of files.
    public func snapshots(of requests: [SnapshotRequest]) async -> [Result<FolderSnapshot, PluginError>] {
        let root = root
        do throws(PluginError) {
            return try await Blocking.run { () throws(PluginError) in
                var room = Self.callLimit
                return requests.map { request in
                    Result { () throws(PluginError) in
                        let snapshot = try FolderReader(root, request.folder).snapshot(
                            unless: request.known, limit: min(room, Self.entryLimit))
                        if case .entries(let entries) = snapshot.content { room -= entries.count }
                        return snapshot
                    }
                }
            }
        } catch {
            return requests.map { _ in .failure(error) }
        }
    }

    /// Some three megabytes of entries.
    private static let entryLimit = 1 << 14
    /// How many there may be in all folders of a call together.
    private static let callLimit = 1 << 16

    /// What a path is. A link whose target is gone is a link, also where links are followed.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        let root = root
        return try await Blocking.run { () throws(PluginError) in try root.entry(path) }
    }

    /// Opens a regular file; it has a descriptor.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        let root = root
        return try await Blocking.run { () throws(PluginError) in try LocalFile(root, path) }
    }

    /// Asks the system, as the effective user. A file below a folder that may not be entered cannot be read; what
    /// is not there counts as readable: opening it says why not.
    public func mayRead(_ path: ItemPath) async -> Bool {
        let root = root
        do throws(PluginError) {
            return try await Blocking.run { () throws(PluginError) in try root.mayRead(path) }
        } catch {
            return error.code != .forbidden
        }
    }
}
