import Finishing
import Glibc
public import VitrineKit

extension PreviewCache {
    /// Stores the preview of one item as that of another one with the same content, for the price of a copy.
    ///
    /// What the preview says about the picture goes along; URI, time, size and type become those of the other item.
    /// - Parameters:
    ///   - source: the item that has a valid preview.
    ///   - subject: the other item, in the state in which it was read.
    ///   - size: the preview's size.
    ///   - variant: the page or moment that it shows.
    ///   - embedded: when pictures inside of items were to be taken; `nil`: as the settings say.
    ///   - reserved: bytes that ``reserve(_:within:)`` granted for it. They are given back, whether it is stored or not.
    /// - Returns: the new entry's path.
    /// - Throws: `notFound` when there is no valid preview of the source; else as `store` does.
    @discardableResult
    public func copy(
        _ source: Subject, to subject: Subject, size: PreviewSize, variant: Variant = .standard,
        embedded: EmbeddedUse? = nil, reserved: Int64 = 0
    ) throws(PluginError) -> String {
        do throws(PluginError) {
            return try duplicate(
                source, to: subject, size: size, variant: variant, embedded: embedded, reserved: reserved)
        } catch {
            if reserved > 0 { release(reserved) }
            throw error
        }
    }

    /// Bytes of the valid preview of an item; `nil` when there is none.
    /// - Parameter embedded: when pictures inside of items were to be taken; `nil`: as the settings say.
    public func storedSize(
        of subject: Subject, size: PreviewSize, variant: Variant = .standard, embedded: EmbeddedUse? = nil
    ) -> Int? {
        guard case .valid(let path) = lookup(subject, size: size, variant: variant, embedded: embedded) else {
            return nil
        }
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private func duplicate(
        _ source: Subject, to subject: Subject, size: PreviewSize, variant: Variant, embedded: EmbeddedUse?,
        reserved: Int64
    ) throws(PluginError) -> String {
        guard case .valid(let path) = lookup(source, size: size, variant: variant, embedded: embedded),
            let entry = StoredPicture(reading: path, variant.finish.format)
        else {
            throw PluginError(.notFound, "there is no valid preview of '\(DisplayText.of(source.uri))' to be copied")
        }
        var subject = subject
        subject.mimeType = subject.mimeType ?? mimeType(ofEntry: path)
        var keys = try EntryKeys(subject, software: software)
        for (key, value) in entry.keys where !EntryKeys.ofSubject.contains(key) { keys.add(key, value) }
        let (layout, target) = self.entry(subject, size, variant)
        let folder = layout.workFolder(target)
        if entry.format == .png {
            try write(entry.picture, with: keys, to: target, by: folder, reserved: reserved)
        } else {
            let tail = EntryTail(behind: entry.picture.count, entry.format, keys)
            try write([entry.picture[...], tail.bytes[...]], to: target, by: folder, reserved: reserved)
        }
        return target
    }

    /// Deletes the preview of an item, whatever state it is of. Does nothing when there is none, or when another program
    /// made it: whether its file is gone is for ``collect(_:onRemoved:)`` to find out.
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ subject: Subject, size: PreviewSize, variant: Variant = .standard) -> Bool {
        let path = entry(subject, size, variant).path
        let occupied = occupiedByOurs(path)
        guard occupied > 0, unlink(path) == 0 else { return false }
        account(-occupied)
        return true
    }
}
