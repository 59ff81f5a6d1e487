import Finishing
import Glibc
public import VitrineKit

extension PreviewCache {
    /// Why no preview can be kept, as far as the rights to the folders tell in which it would lie, and the links in their
    /// places. A few looks at each of them; nothing is made.
    /// - Parameters:
    ///   - sizes: of the previews.
    ///   - variant: what they show. Default: the first page.
    /// - Returns: `nil` when nothing speaks against it.
    public func refusal(of sizes: [PreviewSize], _ variant: Variant = .standard) -> PluginError? {
        // Where it would lie, whatever item it is of.
        let nobody = Subject(uri: "", modified: nil)
        var folders: Set<String> = []
        for size in sizes {
            if let path = standard.path(nobody, size, variant) {
                folders.insert(standard.workFolder(path))
            } else {
                folders.formUnion([own.root] + own.workFolders)
            }
        }
        return folders.sorted().lazy.compactMap { linkRefusal(of: $0) ?? Folder.refusal(of: $0) }.first
    }

    private func linkRefusal(of folder: String) -> PluginError? {
        do throws(PluginError) {
            try LinkedFolder.check(folder, in: root(of: folder))
            return nil
        } catch { return error }
    }

    /// The store in which a folder or an entry lies.
    private func root(of path: String) -> String {
        path.hasPrefix(standard.root + "/") ? standard.root : own.root
    }

    /// Stores a preview, in place of an earlier one.
    ///
    /// The picture may come from a process that is not trusted, in memory that it can still write to: it is
    /// copied, checked to be plain 8-bit RGBA of the declared size with nothing hidden in it, and only then
    /// written. Whether the compressed pixels are meaningful is not checked.
    ///
    /// The entry appears as a whole or not at all; a failure leaves nothing behind.
    /// - Parameters:
    ///   - picture: a PNG file, without ancillary chunks; or one of the variant's format, without metadata.
    ///   - declared: the size that the picture is said to have, at most `size` each way.
    ///   - subject: the item, in the state in which it was read.
    ///   - size: the preview's size.
    ///   - variant: the page or moment that it shows.
    ///   - facts: what the renderer learned.
    ///   - placeholder: its ThumbHash. Default: none.
    ///   - embedded: what it is, when it lay ready inside the item. Default: it was drawn.
    ///   - reserved: bytes that ``reserve(_:within:)`` granted for it. They are given back, whether it is stored or not.
    /// - Returns: the entry's path.
    /// - Throws: `invalidAnswer` when the picture is not as it must be, `invalidArgument` when the subject has no
    ///   time, `noSpace`, `forbidden` or `io` when it cannot be written.
    @discardableResult
    public func store(
        _ picture: UnsafeRawBufferPointer, declared: PixelSize, for subject: Subject, size: PreviewSize,
        variant: Variant = .standard, facts: Facts = Facts(), placeholder: [UInt8] = [],
        embedded: EmbeddedMark? = nil, reserved: Int64 = 0
    ) throws(PluginError) -> String {
        try store(
            Array(picture), declared: declared, for: subject, size: size, variant: variant, facts: facts,
            placeholder: placeholder, embedded: embedded, reserved: reserved)
    }

    /// The same of a picture that was copied already, so that nobody else can write to it.
    @discardableResult
    public func store(
        _ picture: [UInt8], declared: PixelSize, for subject: Subject, size: PreviewSize,
        variant: Variant = .standard, facts: Facts = Facts(), placeholder: [UInt8] = [],
        embedded: EmbeddedMark? = nil, reserved: Int64 = 0
    ) throws(PluginError) -> String {
        do throws(PluginError) {
            return try write(
                picture, declared: declared, for: subject, size: size, variant: variant, facts: facts,
                placeholder: placeholder, embedded: embedded, reserved: reserved)
        } catch {
            if reserved > 0 { release(reserved) }
            throw error
        }
    }

    /// Checks a picture as ``store(_:declared:for:size:variant:facts:placeholder:embedded:reserved:)`` does, and keeps nothing.
    /// - Returns: the PNG file.
    /// - Throws: `invalidAnswer` when it is not as it must be.
    public func checked(
        _ picture: UnsafeRawBufferPointer, declared: PixelSize, size: PreviewSize
    ) throws(PluginError) -> [UInt8] {
        try WorkerPicture(Array(picture), size: declared, box: size.pixels).bytes
    }

    private func write(
        _ picture: [UInt8], declared: PixelSize, for subject: Subject, size: PreviewSize,
        variant: Variant, facts: Facts, placeholder: [UInt8], embedded: EmbeddedMark?, reserved: Int64
    ) throws(PluginError) -> String {
        let format = variant.finish.format
        let picture =
            format == .png
            ? try WorkerPicture(picture, size: declared, box: size.pixels).bytes
            : try FinishedPicture(picture, format, size: declared, box: size.pixels).bytes
        var keys = try EntryKeys(subject, software: software)
        keys.add(facts)
        if let embedded { keys.add(EntryKeys.embedded, embedded.text) }
        if !placeholder.isEmpty { keys.add(EntryKeys.placeholder, Base64.text(placeholder)) }
        let (layout, path) = entry(subject, size, variant)
        if layout.saysVariant {
            keys.add(EntryKeys.previewSize, String(size.pixels))
            if variant != .standard { keys.add(EntryKeys.variant, variant.description) }
        }
        if format == .png {
            try write(picture, with: keys, to: path, by: layout.workFolder(path), reserved: reserved)
        } else {
            keys.add(EntryKeys.checksum, String(picture.withUnsafeBytes { PNG.checksum($0) }))
            let tail = EntryTail(behind: picture.count, format, keys)
            try write([picture[...], tail.bytes[...]], to: path, by: layout.workFolder(path), reserved: reserved)
        }
        return path
    }

    /// Deletes what writers left that are no more: unfinished files of processes that ended.
    ///
    /// Lists the folders of the shared store, which takes about 40 ms for 100,000 entries: call it once, when a
    /// long run starts, aside from its work.
    /// - Returns: how many files were deleted.
    @discardableResult
    public func removeAbandonedFiles() -> Int {
        var count = 0
        for folder in standard.workFolders + own.workFolders where LinkedFolder.isFine(folder, in: root(of: folder)) {
            Folder.forEachName(in: folder) { name in
                guard let process = TemporaryName.process(of: name), kill(process, 0) != 0, errno == ESRCH else {
                    return
                }
                // A process in another container is not seen from here; but writing takes it no minute. A file from
                // the future was written before the clock was set back.
                let path = folder + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0, Self.isOld(status, 60), unlink(path) == 0
                else { return }
                count += 1
            }
        }
        return count
    }

    /// Whether a file was last written so many seconds ago, or as far in the future: before the clock was set back.
    static func isOld(_ status: stat, _ seconds: Int) -> Bool {
        let (age, overflow) = time(nil).subtractingReportingOverflow(status.st_mtim.tv_sec)
        return overflow || age > seconds || age < -seconds
    }

    /// Writes a picture with its keys between IHDR and the first IDAT.
    func write(
        _ picture: [UInt8], with keys: EntryKeys, to path: String, by folder: String, reserved: Int64 = 0
    ) throws(PluginError) {
        let parts = [picture[..<PNG.headLength], keys.chunks[...], picture[PNG.headLength...]]
        try write(parts, to: path, by: folder, reserved: reserved)
    }

    /// Writes an entry, as a whole or not at all.
    func write(
        _ parts: [ArraySlice<UInt8>], to path: String, by folder: String, reserved: Int64
    ) throws(PluginError) {
        let (store, parent) = (root(of: path), Path.parent(path))
        try LinkedFolder.check(parent, in: store)
        if folder != parent { try LinkedFolder.check(folder, in: store) }
        var file = try TemporaryFile(in: folder)
        try file.write(parts)
        guard keepsAccount else { return try file.commit(to: path) }
        var replaced: Int64 = 0
        if try !file.commit(toNew: path) {
            replaced = occupiedByOurs(path)
            try file.commit(to: path)
        }
        account(EntryRecord.occupied(Int64(parts.reduce(0) { $0 + $1.count })) - replaced - reserved)
    }
}
