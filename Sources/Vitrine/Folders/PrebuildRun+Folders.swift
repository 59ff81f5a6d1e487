import VitrineKit

// Pictures of folders, once those of files are there.
extension PrebuildRun {
    /// The most folders of a source that get a picture.
    private static let mostFolders = 200_000
    /// The most files of a folder that are considered for its picture, of those that are not left out.
    private static let mostNames = 64

    /// Makes the picture of each folder that holds a file which is not left out, the deepest first.
    func makeFolders(_ sources: [RunSource]) async {
        let all = Set(sources.map(\.uri.text))
        for source in sources where !Task.isCancelled {
            // What cannot be walked was said before.
            guard await !isFile(source.uri),
                let walk = try? await walk(of: source, besides: all.subtracting([source.uri.text]))
            else { continue }
            var folders = FolderContents.Walked()
            await walk.run { step in
                if case .item(let item) = step, let folder = item.path.parent,
                    folders[folder, default: []].count < Self.mostNames
                {
                    folders[folder, default: []].insert(item.path.name)
                }
                return folders.count < Self.mostFolders
            }
            for folder in folders.keys.sorted(by: { $0.bytes.count > $1.bytes.count })
            where !Task.isCancelled && !ledger.isStopped {
                guard let entry = try? await walk.storage.stat(folder), entry.kind == .folder else { continue }
                let item = Item(storage: walk.storage, path: folder, entry: entry)
                await ledger.found()
                await ledger.began(item.uri)
                await ledger.ended(await pipeline.processFolder(item, order, walked: folders))
            }
        }
    }
}
