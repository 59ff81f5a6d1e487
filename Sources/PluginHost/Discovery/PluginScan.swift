import Glibc
import Settings
import VitrineKit

/// One search for plugins, and what it has found so far.
struct PluginScan {
    /// Further folders for libraries.
    let libraryFolders: [String]
    /// Ids that the user switched off.
    let disabled: Set<String>
    /// The user's priorities by id.
    let priorities: [String: Int]
    /// The user's limits by id.
    let limits: [String: PluginSettings]

    private(set) var listings: [PluginListing] = []
    private(set) var usable: [InstalledPlugin] = []
    private var winners: [String: (folder: String, search: Int)] = [:]
    /// Folders of the search path that were begun.
    private var searches = 0
    /// Folders of plugins that were seen: one that is reached twice is one plugin.
    private var seen: Set<FileIdentity> = []

    /// How deep below a folder of the search path plugins may lie.
    private static let depth = 3
    /// How many folders are looked into for each folder of the search path: one that was pointed at a whole disk by
    /// mistake ends in a sentence.
    private static let folderLimit = 4096

    init(
        libraryFolders: [String], disabled: Set<String>, priorities: [String: Int], limits: [String: PluginSettings]
    ) {
        self.limits = limits
        self.libraryFolders = libraryFolders
        self.disabled = disabled
        self.priorities = priorities
    }

    /// Looks into one folder of the search path and below it.
    mutating func search(_ folder: String) {
        searches += 1
        guard let resolved = realpath(folder, nil) else {
            if errno != ENOENT { refuse(folder, PluginError(errno: errno, "'\(shown(folder))' cannot be searched")) }
            return
        }
        let root = String(cString: resolved)
        free(resolved)
        var budget = Self.folderLimit
        visit(root, level: 0, budget: &budget)
        if budget <= 0 {
            refuse(
                root,
                PluginError(
                    .limitExceeded,
                    "'\(shown(root))' holds more than \(Self.folderLimit) folders; name the folder that holds the plugins"
                ))
        }
    }

    private mutating func visit(_ folder: String, level: Int, budget: inout Int) {
        guard budget > 0 else { return }
        budget -= 1
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        var manifest = Glibc.stat()
        if lstat(folder + "/plugin.json", &manifest) == 0 {
            if seen.insert(FileIdentity(status)).inserted { take(folder, status) }
            return
        }
        if let objection = FolderTrust.objection(to: status, at: folder, as: .searchFolder) {
            return refuse(
                folder, PluginError(.pluginUnavailable, "'\(shown(folder))' is not searched for plugins: \(objection)"))
        }
        guard level < Self.depth else { return }
        do {
            for name in try FolderNames.read(folder) {
                guard let name = String(validating: name, as: UTF8.self) else {
                    refuse(
                        folder,
                        PluginError(
                            .invalidArgument,
                            "'\(shown(folder))/\(DisplayText.of(name))' is not searched for plugins: its name is not UTF-8"
                        ))
                    continue
                }
                visit("\(folder)/\(name)", level: level + 1, budget: &budget)
            }
        } catch { refuse(folder, error) }
    }

    private mutating func take(_ folder: String, _ status: stat) {
        if let objection = FolderTrust.objection(to: status, at: folder, as: .plugin) {
            return refuse(
                folder, PluginError(.pluginUnavailable, "the plugin in '\(shown(folder))' is refused: \(objection)"))
        }
        var known: PluginManifest?
        do throws(PluginError) {
            guard var manifest = try PluginManifest.read(folder + "/plugin.json") else {
                throw PluginError(
                    .pluginUnavailable,
                    "the manifest '\(shown(folder))/plugin.json' is refused: it is a link to nothing")
            }
            if let priority = priorities[manifest.id] { manifest.priority = priority }
            if let settings = limits[manifest.id] { manifest.limits.apply(settings) }
            known = manifest
            if disabled.contains(manifest.id) {
                return list(folder, manifest, libraryPath: nil, .disabled)
            }
            if let (winner, search) = winners[manifest.id] {
                if search != searches {
                    return list(folder, manifest, libraryPath: nil, .overridden(by: winner))
                }
                throw PluginError(
                    .pluginUnavailable,
                    "the plugin '\(manifest.id)' in '\(shown(folder))' is refused: '\(shown(winner))' has the same id and "
                        + "comes first; remove one of them")
            }
            let library = try PluginLibraryFile.find(for: manifest, in: folder, or: libraryFolders)
            winners[manifest.id] = (folder, searches)
            usable.append(InstalledPlugin(manifest: manifest, folder: folder, libraryPath: library))
            list(folder, manifest, libraryPath: library, .ready)
        } catch {
            list(folder, known, libraryPath: nil, .refused(error))
        }
    }

    private mutating func refuse(_ folder: String, _ error: PluginError) {
        list(folder, nil, libraryPath: nil, .refused(error))
    }

    private mutating func list(
        _ folder: String, _ manifest: PluginManifest?, libraryPath: String?, _ state: PluginListing.State
    ) {
        listings.append(PluginListing(folder: folder, manifest: manifest, libraryPath: libraryPath, state: state))
    }

    private func shown(_ path: String) -> String { DisplayText.of(path) }
}

/// What a file is, whatever path leads to it.
private struct FileIdentity: Hashable {
    var device: dev_t
    var inode: ino_t

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}
