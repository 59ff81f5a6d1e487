import VitrineKit

// What stands behind a URI that was named, by a word of the command line or by a line of a list.
extension PrebuildRun {
    /// What a source is, seen from the folder that holds it; `nil` for one that is a source by itself. The folder above may be
    /// closed to this user, or no part of the storage at all: then the source has to speak for itself.
    func item(_ run: RunSource) async throws(PluginError) -> Item? {
        var isAboveOpen = false
        do throws(PluginError) {
            guard let place = try await above(run.uri) else { return nil }
            isAboveOpen = true
            return try await place.item
        } catch {
            guard run.uri.scheme != "file", Self.saysNothingOfTheSource.contains(error.code) else { throw error }
            let first = error
            do throws(PluginError) { _ = try await walk(of: run, besides: []) } catch {
                throw isAboveOpen ? first : error
            }
            return nil
        }
    }

    private static let saysNothingOfTheSource: Set<PluginError.Code> = [
        .notFound, .forbidden, .notAFile, .invalidArgument, .unauthorized,
        // What the source needs may stand in settings that are its own, such as an account's.
        .pluginUnavailable,
    ]

    /// What a URI that was named stands for, seen from the folder that holds it; `nil` for one that nothing holds.
    func named(_ source: SourceURI) async throws(PluginError) -> Item? { try await above(source)?.item }

    /// A path in the folder above it.
    private struct Place {
        let storage: Storage
        let path: ItemPath

        var item: Item {
            get async throws(PluginError) {
                Item(storage: storage, path: path, entry: try await storage.stat(path))
            }
        }
    }

    private func above(_ source: SourceURI) async throws(PluginError) -> Place? {
        guard source.path.count > 1, !source.isWholeArchive else { return nil }
        let location = try ItemLocation(item: source)
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        let parent = try await pipeline.storages.storage(for: location.source, settings)
        return Place(storage: parent, path: location.path)
    }

    func isFile(_ source: SourceURI) async -> Bool {
        // What cannot be looked at is told when its turn comes.
        guard let item = try? await named(source) else { return false }
        return item.entry.kind == .file
    }
}
