import IgnoreRules
import PreviewCache
import VitrineKit

/// What a walk leaves out of a source: hidden names, what patterns exclude, folders with `.nomedia`, the caches.
struct WalkFilter: Sendable {
    /// Whether names are entered that begin with a dot, or are hidden otherwise: see ``HiddenName``.
    var includesHidden = false
    /// Whether `.vitrineignore` counts: patterns in the syntax of gitignore(5), for its folder and what is below.
    var readsIgnoreFiles = true
    /// Whether folders with `.nomedia` are passed over, as on Android.
    var honoursNoMedia = true
    /// The patterns that are in effect in the whole source.
    var rules = IgnoreRules()
    /// Where previews lie, which are not to be previewed.
    var cache: PreviewCache?

    private static let ignoreFile = Array(".vitrineignore".utf8)
    private static let noMedia = Array(".nomedia".utf8)

    /// Whether a folder's listing must be looked through before anything in it is visited.
    var wantsMarkers: Bool { readsIgnoreFiles || honoursNoMedia }

    /// Why an entry is not taken; `nil` when it is, or when it is something that the walk knows more about.
    /// - Parameter rules: those of the folder that holds it.
    func objection(
        to entry: Entry, at path: ItemPath, of storage: Storage, _ rules: IgnoreRules
    ) -> PluginError? {
        let isFolder = entry.kind == .folder
        if isFolder, isCache(path, of: storage) { return Self.cached }
        if !includesHidden, let hidden = HiddenName(entry.name, isFolder: isFolder) {
            return PluginError(.unsupported, "\(hidden.rawValue); --hidden includes it")
        }
        guard let reason = rules.decision(for: path, isFolder: isFolder).reason else { return nil }
        return PluginError(.unsupported, reason)
    }

    /// Why a walk does not even begin.
    func objection(toRootOf storage: Storage) -> PluginError? {
        isCache(.root, of: storage) ? Self.cached : nil
    }

    /// A number that stays the same as long as a folder's content would be filtered in the same way.
    /// - Parameter rules: those of the folder.
    func digest(_ rules: IgnoreRules) -> UInt64 {
        let flags = (includesHidden ? 1 : 0) | (readsIgnoreFiles ? 2 : 0) | (honoursNoMedia ? 4 : 0)
        return rules.digest ^ UInt64(flags) << 61 ^ HiddenName.version
    }

    /// What comes of a folder that is about to be visited.
    enum Opening {
        /// These rules are in effect in it.
        case entered(IgnoreRules)
        /// It is left out with all that is below.
        case passedOver(PluginError)
    }

    /// Looks for what a folder says about itself.
    /// - Parameters:
    ///   - folder: the folder.
    ///   - storage: where it lies.
    ///   - rules: those from above.
    ///   - seen: its listing so far.
    /// - Throws: when what it says cannot be found out or read: its content would not be filtered as somebody wanted,
    ///   so that nothing of it is taken.
    func opening(
        _ folder: ItemPath, of storage: Storage, _ rules: IgnoreRules, _ seen: SeenEntries
    ) async throws(PluginError) -> Opening {
        if honoursNoMedia, try await marker(Self.noMedia, folder, storage, seen) != nil {
            return .passedOver(PluginError(.unsupported, "it holds a file .nomedia"))
        }
        guard readsIgnoreFiles, let entry = try await marker(Self.ignoreFile, folder, storage, seen) else {
            return .entered(rules)
        }
        let file = try folder.appending(Self.ignoreFile)
        do throws(PluginError) {
            guard entry.kind == .file else {
                let hint = entry.kind == .link ? "; --follow-links follows it" : ""
                throw PluginError(.notAFile, "'\(file)' is not a regular file\(hint)")
            }
            return .entered(try rules.adding(IgnoreList(content: try await content(file, storage), of: file)))
        } catch {
            throw PluginError(error.code, "it is passed over, since its patterns cannot be used: \(error.message)")
        }
    }

    /// A file that says something about its folder; a folder of that name does not.
    private func marker(
        _ name: [UInt8], _ folder: ItemPath, _ storage: Storage, _ seen: SeenEntries
    ) async throws(PluginError) -> Entry? {
        var found = seen.entry(name)
        if found == nil, !seen.isAll {
            do throws(PluginError) { found = try await storage.stat(folder.appending(name)) } catch {
                if error.code != .notFound { throw error }
            }
        }
        return found?.kind == .folder ? nil : found
    }

    private func content(_ file: ItemPath, _ storage: Storage) async throws(PluginError) -> [UInt8] {
        let source = try await storage.open(file)
        var content: [UInt8] = []
        // One byte more than is accepted, to see that it is too large.
        while content.count <= IgnoreList.maximumSize {
            let part = try await source.read(
                at: Int64(content.count), count: IgnoreList.maximumSize + 1 - content.count)
            if part.isEmpty { break }
            content += part
        }
        return content
    }

    private func isCache(_ folder: ItemPath, of storage: Storage) -> Bool {
        guard let cache, let root = storage.localRoot else { return false }
        if folder.isRoot { return cache.isReserved(folder: root) }
        let slash = root.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
        return cache.isReserved(folder: root + slash + folder.bytes)
    }

    private static let cached = PluginError(.isThumbnail, "it is a folder of thumbnails or of Vitrine's own cache")
}
