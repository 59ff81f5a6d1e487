import PreviewCache
import VitrineKit

// What programs of the desktop say of single files, which need not be in any source.
extension PreviewPipeline {
    /// How many items are rendered at once.
    public var jobs: Int { max(1, configuration.jobs) }

    /// Sees to the cache's quota while previews are made one by one for a long time, as a run does by itself: counts the cache when
    /// that was not done for a day or never, and makes room. There is rarely anything to do.
    public func keepCache() async {
        keeper.beginRun()
        await keeper.finish()
    }

    /// The types that some renderer draws, each once, in the order of the alphabet; without the one that says that nothing is
    /// known. They are spelled as in the manifests: programs of the desktop tell `macroEnabled` from `macroenabled`.
    public var renderedTypes: [String] {
        Set(plugins.renderers.flatMap(\.manifest.spelledTypes)).subtracting(["application/octet-stream"]).sorted()
    }

    /// Deletes the previews of an item in the sizes of the thumbnail standard, and forgets that it had none. Those that another
    /// program made stay.
    /// - Parameter text: an absolute path or a URI, of something that is there or not. What is no such text has no previews.
    public func removePreviews(of text: String) {
        guard let location = try? location(of: text) else { return }
        let subject = Subject(uri: location.uri, modified: nil)
        for size in PreviewSize.standard { cache.remove(subject, size: size) }
        cache.forgetFailure(of: location.uri)
    }

    /// Gives the previews of an item, in the sizes of the thumbnail standard, to another one with the same content, as after a move
    /// or a copy. Nothing happens unless the new item is there, and the previews are those of its content, by time and size.
    /// - Parameters:
    ///   - old: an absolute path or a URI, of something that need not be there any more.
    ///   - new: and of where it is now.
    ///   - keepsOld: whether the old one keeps them too.
    public func takePreviews(of old: String, to new: String, keepsOld: Bool) async {
        guard let from = try? location(of: old), let to = try? location(of: new), from.uri != to.uri else { return }
        if let storage = try? await storages.storage(
            for: to.source, BackendSettings(followsLinks: true, crossesFileSystems: true)),
            let entry = try? await storage.stat(to.path), entry.kind == .file
        {
            let subject = Subject(uri: to.uri, modified: entry.modified, size: entry.size)
            let before = Subject(uri: from.uri, modified: entry.modified, size: entry.size)
            for size in PreviewSize.standard { _ = try? cache.copy(before, to: subject, size: size) }
        }
        if !keepsOld { removePreviews(of: old) }
    }
}
