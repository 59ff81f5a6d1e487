internal import ArchiveReading
internal import MIME
internal import VitrineKit

/// The list of files in a torrent (BEP 3, and BEP 52 for version 2): what somebody shares, and not the files themselves.
struct TorrentFile {
    static let type = "application/x-bittorrent"

    /// The files, each by its path below the torrent's own name.
    private(set) var members: [ArchiveMember] = []
    /// What it is called.
    let name: [UInt8]
    /// Whether these are all files.
    private(set) var isWhole = true
    /// Seconds since 1970 when it was made, if it says so.
    let created: Int64?
    /// What its author wrote about it.
    let comment: String?

    private let bytes: UnsafeRawBufferPointer
    /// The encoding of names that have no twin in UTF-8, where the torrent says it.
    private let charset: String?
    private static let mostFiles = 100_000
    /// Bytes of a name at most, as file systems have them; longer ones are cut. And of the name of an encoding.
    private static let longestName = 255, longestCharset = 40

    /// - Parameter bytes: the whole file; they stay until this is gone.
    /// - Throws: `corrupt`, `limitExceeded`.
    init(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        self.bytes = bytes
        let root = try Bencode.read(bytes)
        guard let info = Self.value("info", of: root, bytes), case .dictionary = info else {
            throw PluginError(.corrupt, "the torrent says nothing about files: it has no 'info'")
        }
        let encoding = Self.bytes("encoding", of: root, bytes).map { String(decoding: $0, as: UTF8.self) }
        charset = encoding.flatMap { $0.utf8.count <= Self.longestCharset ? $0 : nil }
        // Texts in an encoding of their own have a twin in UTF-8.
        let own =
            Self.bytes("name.utf-8", of: info, bytes).map { Self.legible($0, nil) }
            ?? Self.bytes("name", of: info, bytes).map { [charset] in Self.legible($0, charset) } ?? []
        name = own.isEmpty ? Self.nameless : own
        created = Self.number("creation date", of: root, bytes)
        comment = Self.bytes("comment", of: root, bytes).map(DisplayText.of)
        if case .list(let files) = Self.value("files", of: info, bytes) {
            for file in files { addFile(file) }
        } else if let length = Self.number("length", of: info, bytes) {
            add([name], length)
        } else if let tree = Self.value("file tree", of: info, bytes) {
            addTree(tree, below: isSingle(tree) ? [] : [name])
        }
    }

    /// A file of version 1. What only fills the room up to the next piece (BEP 47) is none.
    private mutating func addFile(_ file: Bencode) {
        let attributes = Self.bytes("attr", of: file, bytes) ?? []
        guard !attributes.contains(UInt8(ascii: "p")) else { return }
        let twin = Self.value("path.utf-8", of: file, bytes)
        guard case .list(let parts) = twin ?? Self.value("path", of: file, bytes) else { return }
        let path = parts.compactMap { part in
            if case .string(let range) = part { name(range, twin == nil ? charset : nil) } else { nil }
        }
        add([name] + path, Self.number("length", of: file, bytes))
    }

    /// A folder of version 2: each key is a name, and an empty one says that what it is in is a file.
    private mutating func addTree(_ tree: Bencode, below path: [[UInt8]]) {
        guard case .dictionary(let entries) = tree else { return }
        for entry in entries {
            if entry.key.isEmpty {
                add(path, Self.number("length", of: entry.value, bytes))
            } else {
                addTree(entry.value, below: path + [name(entry.key, nil)])
            }
        }
    }

    /// Whether a tree has one file, which is called as the torrent is.
    private func isSingle(_ tree: Bencode) -> Bool {
        guard case .dictionary(let entries) = tree, entries.count == 1, let entry = entries.first,
            case .dictionary(let inner) = entry.value
        else { return false }
        return inner.first?.key.isEmpty == true && self.name(entry.key, nil) == name
    }

    private mutating func add(_ path: [[UInt8]], _ length: Int64?) {
        guard members.count < Self.mostFiles else {
            isWhole = false
            return
        }
        members.append(
            ArchiveMember(
                fileNamed: Array(path.joined(separator: [UInt8(ascii: "/")])), size: length.map { max(0, $0) }))
    }

    private func name(_ range: Range<Int>, _ charset: String?) -> [UInt8] { Self.legible(bytes[range], charset) }

    /// A name in UTF-8, without the sign that divides folders.
    private static func legible(_ name: some Collection<UInt8>, _ charset: String?) -> [UInt8] {
        // A letter of UTF-8 that reaches beyond the end is left out as a whole.
        var name = Array(name.prefix(longestName + 3))
        if charset != nil, String(validating: cut(name), as: UTF8.self) == nil {
            name = Array(Charset.text(name, charset: charset).utf8)
        }
        name = Array(cut(name))
        if name.contains(UInt8(ascii: "/")) { name.removeAll { $0 == UInt8(ascii: "/") } }
        return name
    }

    private static func cut(_ name: [UInt8]) -> ArraySlice<UInt8> {
        guard name.count > longestName else { return name[...] }
        var end = longestName
        while end > longestName - 3, name[end] & 0xC0 == 0x80 { end -= 1 }
        return name[..<end]
    }

    private static let nameless = Array("(without a name)".utf8)

    private static func value(_ key: String, of value: Bencode, _ bytes: UnsafeRawBufferPointer) -> Bencode? {
        guard case .dictionary(let entries) = value else { return nil }
        return entries.first { bytes[$0.key].elementsEqual(key.utf8) }?.value
    }

    private static func number(_ key: String, of value: Bencode, _ bytes: UnsafeRawBufferPointer) -> Int64? {
        if case .number(let number) = self.value(key, of: value, bytes) { number } else { nil }
    }

    private static func bytes(_ key: String, of value: Bencode, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        if case .string(let range) = self.value(key, of: value, bytes) { Array(bytes[range]) } else { nil }
    }
}
