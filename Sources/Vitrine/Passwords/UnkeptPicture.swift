public import PreviewCache
import VitrineKit
import Workers

/// A preview that is in no file: of an encrypted item, since what was locked does not lie open in the cache, or of one that the
/// cache cannot keep.
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
        let details = EntryDetails(
            facts: result.facts, isDurationExact: true, itemSize: subject.size, mimeType: subject.mimeType,
            placeholder: result.placeholder.isEmpty ? nil : Base64.text(result.placeholder))
        var previews: [Preview] = []
        for (size, picture) in zip(order.sizes, result.pictures) {
            previews.append(try unkept(picture, subject, size, details))
        }
        return previews
    }

    /// A preview that is kept nowhere, looked at as closely as one that is.
    func unkept(
        _ picture: WorkerResult.Picture, _ subject: Subject, _ size: PreviewSize, _ details: EntryDetails
    ) throws(PluginError) -> Preview {
        let png = try picture.png.withUnsafeBytes { bytes in
            Result { () throws(PluginError) in try cache.checked(bytes, declared: picture.size, size: size) }
        }.get()
        return Preview(uri: subject.uri, size: size, path: "", unkept: UnkeptPicture(png: png, details: details))
    }

    /// Whether a preview could not be stored for a reason that holds for all others of a run, too: the disk of the cache is
    /// full, or its folders cannot be written to. One folder below these that is somebody else's is no such reason.
    func isOfWholeCache(_ error: PluginError, _ order: RenderOrder) -> Bool {
        keeper.isOfFullDisk(error) || error.code == .forbidden && cache.refusal(of: order.sizes, order.variant) != nil
    }

    /// Whether a preview is not stored because the cache cannot keep it. What a worker made up is refused there, too.
    static func isOfTheCache(_ error: PluginError) -> Bool {
        ![.cancelled, .invalidAnswer, .invalidArgument].contains(error.code)
    }
}

extension ItemReport {
    /// Decides, after a preview could not be stored, whether it is handed out all the same.
    /// - Parameters:
    ///   - error: why it could not.
    ///   - isAllowed: whether the order does without the cache where need be.
    ///   - isClosed: whether nothing else can be stored either.
    /// - Throws: the error, when it is not. That the cache or its disk is to blame is noted.
    mutating func doWithoutCache(after error: PluginError, isAllowed: Bool, isClosed: Bool) throws(PluginError) {
        let isOfTheCache = PreviewPipeline.isOfTheCache(error)
        if isOfTheCache, isAllowed { return }
        isUnkept = isOfTheCache
        metClosedCache = isClosed
        throw error
    }
}
