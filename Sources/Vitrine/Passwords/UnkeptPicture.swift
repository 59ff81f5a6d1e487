public import PreviewCache
import VitrineKit
import Workers

/// A preview of an encrypted item, which is in no file: what was locked does not lie open in the cache.
public struct UnkeptPicture: Hashable, Sendable {
    /// The PNG file's bytes, without keys.
    public var png: [UInt8]
    /// What its entry would say.
    public var details: EntryDetails
}

extension Preview {
    /// The PNG file's bytes, from the cache or from memory.
    func bytes() throws(PluginError) -> [UInt8] {
        if let unkept { return unkept.png }
        return try EntryFile.read(path)
    }
}

extension PreviewPipeline {
    /// What is known of a preview and its item; `nil` when its entry is gone or damaged.
    func details(of preview: Preview) -> EntryDetails? {
        preview.unkept?.details ?? cache.details(ofEntry: preview.path)
    }

    /// Previews that are kept nowhere.
    func unkept(
        _ result: WorkerResult, _ subject: Subject, _ order: RenderOrder
    ) throws(PluginError) -> [Preview] {
        var previews: [Preview] = []
        for (size, picture) in zip(order.sizes, result.pictures) {
            let png = try picture.png.withUnsafeBytes { bytes in
                Result { () throws(PluginError) in
                    try cache.checked(bytes, declared: picture.size, size: size)
                }
            }.get()
            let details = EntryDetails(
                facts: result.facts, isDurationExact: true, itemSize: subject.size, mimeType: subject.mimeType,
                placeholder: result.placeholder.isEmpty ? nil : Placeholder.text(result.placeholder))
            let unkept = UnkeptPicture(png: png, details: details)
            previews.append(Preview(uri: subject.uri, size: size, path: "", unkept: unkept))
        }
        return previews
    }
}
