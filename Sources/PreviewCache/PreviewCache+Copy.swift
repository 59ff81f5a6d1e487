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
            let entry = StoredPicture(reading: path)
        else {
            throw PluginError(.notFound, "there is no valid preview of '\(DisplayText.of(source.uri))' to be copied")
        }
        var subject = subject
        subject.mimeType = subject.mimeType ?? mimeType(ofEntry: path)
        var keys = try EntryKeys(subject, software: software)
        for (key, value) in entry.keys where !EntryKeys.ofSubject.contains(key) { keys.add(key, value) }
        let (layout, target) = self.entry(subject.uri, size, variant)
        try write(entry.picture, with: keys, to: target, by: layout.workFolder(target), reserved: reserved)
        return target
    }

    /// Deletes the preview of an item, whatever state it is of. Does nothing when there is none, or when another program
    /// made it: whether its file is gone is for ``collect(_:onRemoved:)`` to find out.
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ subject: Subject, size: PreviewSize, variant: Variant = .standard) -> Bool {
        let path = entry(subject.uri, size, variant).path
        let occupied = occupiedByOurs(path)
        guard occupied > 0, unlink(path) == 0 else { return false }
        account(-occupied)
        return true
    }
}

/// An entry of the cache, taken apart into picture and keys.
private struct StoredPicture {
    /// The PNG without its keys.
    var picture: [UInt8]
    /// The keys and values, in order.
    var keys: [(String, String)] = []

    /// No preview that is stored is larger: the largest picture does not compress worse than by nothing.
    private static let limit = 1 << 30

    /// - Returns: `nil` when the file is no entry, or changes while it is read.
    init?(reading path: String) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, PNG.headLength + PNG.end.count...Self.limit ~= Int(status.st_size) else {
            return nil
        }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
            while filled < size {
                let got = pread(descriptor, room.baseAddress.map { $0 + filled }, size - filled, off_t(filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                filled += got
            }
        }
        guard bytes.count == size, bytes.starts(with: PNG.signature) else { return nil }
        picture = Array(bytes[..<PNG.headLength])
        picture.reserveCapacity(size)
        var offset = PNG.headLength
        while offset < size {
            guard
                let (length, type) = bytes.withUnsafeBytes({ all -> (Int, PNG.ChunkType)? in
                    guard size - offset >= PNG.frameLength else { return nil }
                    return (Int(PNG.number(all, at: offset)), PNG.ChunkType(code: PNG.number(all, at: offset + 4)))
                }), length <= size - offset - PNG.frameLength
            else { return nil }
            let chunk = bytes[offset..<(offset + length + PNG.frameLength)]
            if type == .text {
                let content = chunk.dropFirst(8).dropLast(4)
                guard let end = content.firstIndex(of: 0) else { return nil }
                keys.append(
                    (
                        String(decoding: content[..<end], as: UTF8.self),
                        String(decoding: content[(end + 1)...], as: UTF8.self)
                    ))
            } else {
                picture += chunk
            }
            offset += chunk.count
        }
        guard picture.suffix(PNG.end.count).elementsEqual(PNG.end) else { return nil }
    }
}
