import VitrineKit

/// The keys that an entry carries in tEXt chunks between IHDR and IDAT, where GLib's reader looks for them.
///
/// tEXt is Latin-1; everything written is printable ASCII, so that no reader can mistake it.
struct EntryKeys {
    static let uri = "Thumb::URI"
    static let modified = "Thumb::MTime"
    static let size = "Thumb::Size"
    static let mimeType = "Thumb::Mimetype"
    static let width = "Thumb::Image::Width"
    static let height = "Thumb::Image::Height"
    static let pages = "Thumb::Document::Pages"
    static let duration = "Thumb::Movie::Length"
    static let software = "Software"
    /// What the standard's whole seconds leave out. Two files of one size that changed in the same second, such as scans in
    /// a row, may take each other's name. Of files of this machine only: what other storages say of a file in a listing and
    /// elsewhere need not have the same precision.
    static let nanoseconds = "X-Vitrine::Nanoseconds"
    static let previewSize = "X-Vitrine::Size"
    static let variant = "X-Vitrine::Variant"
    static let milliseconds = "X-Vitrine::Milliseconds"
    static let placeholder = "X-Vitrine::ThumbHash"
    static let embedded = "X-Vitrine::Embedded"
    static let checksum = "X-Vitrine::Checksum"
    static let code = "X-Vitrine::Code"
    static let reason = "X-Vitrine::Reason"
    static let renderer = "X-Vitrine::Renderer"
    static let limits = "X-Vitrine::Limits"
    static let count = "X-Vitrine::Count"

    /// The keys that say which item, in which state, an entry is of.
    static let ofSubject: Set<String> = [uri, modified, nanoseconds, size, mimeType, software]

    /// The tEXt chunks, one after the other.
    private(set) var chunks: [UInt8] = []

    /// The keys that every entry has.
    /// - Throws: `invalidArgument` when the time of the subject is not known.
    init(_ subject: Subject, software: String) throws(PluginError) {
        guard let modified = subject.modified else {
            throw PluginError(
                .invalidArgument,
                "the preview of '\(DisplayText.of(subject.uri))' is not stored: the storage does not say when it changed"
            )
        }
        // Those of most entries.
        chunks.reserveCapacity(1024)
        add(Self.uri, subject.uri)
        add(Self.modified, String(modified.seconds))
        if Self.saysNanoseconds(subject.uri) { add(Self.nanoseconds, String(modified.nanoseconds)) }
        if let size = subject.size { add(Self.size, String(size)) }
        if let type = subject.mimeType, type.utf8.count <= 255 { add(Self.mimeType, type) }
        add(Self.software, software)
    }

    private static func saysNanoseconds(_ uri: String) -> Bool { uri.hasPrefix("file:") }

    /// Adds what a renderer learned. It comes from a worker: values that mean nothing are left out.
    mutating func add(_ facts: Facts) {
        if let size = facts.size, size.width > 0, size.height > 0 {
            add(Self.width, String(size.width))
            add(Self.height, String(size.height))
        }
        if let pages = facts.pages, pages > 0 { add(Self.pages, String(pages)) }
        if let duration = facts.duration, duration >= 0, duration < 1e12 {
            add(Self.duration, String(Int64(duration.rounded())))
            // The standard's key has whole seconds, which is too coarse for the moments of a short video.
            add(Self.milliseconds, String(Int64((duration * 1000).rounded())))
        }
        addDetails(of: facts)
    }

    /// Adds one key; a value that is not printable ASCII is left out.
    mutating func add(_ key: String, _ value: String) {
        guard value.consists(of: 0x20...0x7E) else { return }
        PNG.append(.text, count: key.utf8.count + 1 + value.utf8.count, to: &chunks) { chunks in
            chunks += key.utf8
            chunks.append(0)
            chunks += value.utf8
        }
    }

    /// Adds text of any language, percent-encoded and cut to a thousand bytes.
    mutating func addText(_ key: String, _ text: String) {
        var room = 1000
        if text.utf8.count <= room { return add(key, PercentEncoding.encode(text.utf8)) }
        let short = text.prefix { character in
            room -= character.utf8.count
            return room >= 0
        }
        add(key, PercentEncoding.encode(short.utf8))
    }
}
