public import VitrineKit

extension PreviewCache {
    /// What the cache has for a preview.
    public enum State: Hashable, Sendable {
        /// A preview of the item as it is now, at this path.
        case valid(String)
        /// One of an earlier state of the item, or one that is damaged, at this path. Storing replaces it.
        case stale(String)
        /// Nothing.
        case absent
    }

    /// Looks a preview up. A hit costs a hash, an open and two reads: a few microseconds.
    ///
    /// An entry is valid when its URI is the item's, its time is exactly the item's in whole seconds, and its
    /// size is the item's if both are known. Of files of this machine Vitrine's own entries know the rest of the second,
    /// too.
    /// - Parameters:
    ///   - subject: the item as it is now.
    ///   - size: the preview's size.
    ///   - variant: the page or moment.
    ///   - embedded: which pictures from inside of items will do; entries of other programs do not say what they are. Default:
    ///     ``embeddedUse``.
    ///   - marksUse: whether somebody looks at it, so that it is kept longer. Leaves a trace once a day on entries that
    ///     Vitrine made. Default: no.
    public func lookup(
        _ subject: Subject, size: PreviewSize, variant: Variant = .standard, embedded: EmbeddedUse? = nil,
        marksUse: Bool = false
    ) -> State {
        let path = entry(subject, size, variant).path
        let embedded = embedded ?? embeddedUse
        let state = state(of: path, uri: subject.uri, subject, embedded, marksUse: marksUse)
        if case .valid = state { return state }
        if readsSharedThumbnails, sharedFolders.mayHaveThumbnails(beside: subject.uri),
            let shared = SharedThumbnails.entry(subject.uri, size, variant),
            SharedThumbnails.isOwnFolder(Path.parent(shared.path))
        {
            let other = self.state(of: shared.path, uri: shared.uri, subject, embedded)
            if case .valid = other, SharedPicture.isSound(shared.path, box: size.pixels) { return other }
        }
        return state
    }

    /// The MIME type that an entry says its item has; `nil` when it says nothing.
    /// - Parameter path: an entry that ``lookup(_:size:variant:embedded:marksUse:)`` found.
    public func mimeType(ofEntry path: String) -> String? {
        var type: String?
        let outcome = PNGTextReader.read(path) { key, value in
            guard key.elementsEqual(EntryKeys.mimeType.utf8), value.count <= 255 else { return }
            type = String(decoding: value, as: UTF8.self)
        }
        guard case .complete = outcome else { return nil }
        return type
    }

    private func state(
        of path: String, uri: String, _ subject: Subject, _ embedded: EmbeddedUse, marksUse: Bool = false
    ) -> State {
        guard var check = EntryCheck(uri: uri, subject) else { return .absent }
        switch PNGTextReader.read(path, { check.see($0, $1) }) {
        case .absent: return .absent
        case .unusable: return .stale(path)
        case .complete:
            guard check.isValid, EmbeddedMark.satisfies(check.mark, embedded) else { return .stale(path) }
            if marksUse, check.isOurs { markUsed(path) }
            return .valid(path)
        }
    }
}

/// Compares an entry's keys with the item, as they are read.
struct EntryCheck {
    private let uri: String
    private let modified: String
    private let nanoseconds: String
    private let size: Int64?
    private var sameURI = false
    private var sameTime = false
    private var differs = false
    /// Whether Vitrine made it.
    private(set) var isOurs = false
    /// What it shows, if that lay ready inside the item.
    private(set) var mark: EmbeddedMark?

    /// - Returns: `nil` when the time of the item is not known, so that nothing can be valid.
    init?(uri: String, _ subject: Subject) {
        guard let modified = subject.modified else { return nil }
        self.uri = uri
        self.modified = String(modified.seconds)
        nanoseconds = String(modified.nanoseconds)
        size = subject.size
    }

    /// Takes the next key. A key that comes twice must be right both times.
    mutating func see(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if key.elementsEqual(EntryKeys.uri.utf8) {
            sameURI = value.elementsEqual(uri.utf8)
            differs = differs || !sameURI
        } else if key.elementsEqual(EntryKeys.modified.utf8) {
            sameTime = value.elementsEqual(modified.utf8)
            differs = differs || !sameTime
        } else if key.elementsEqual(EntryKeys.nanoseconds.utf8) {
            differs = differs || !value.elementsEqual(nanoseconds.utf8)
        } else if key.elementsEqual(EntryKeys.size.utf8), let size {
            differs = differs || !value.elementsEqual(String(size).utf8)
        } else if key.elementsEqual(EntryKeys.software.utf8) {
            isOurs = value.starts(with: "Vitrine ".utf8)
        } else if key.elementsEqual(EntryKeys.embedded.utf8), value.count < 256 {
            mark = EmbeddedMark(String(decoding: value, as: UTF8.self))
        }
    }

    /// Whether the entry shows the item as it is.
    var isValid: Bool { sameURI && sameTime && !differs }
}
