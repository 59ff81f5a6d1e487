/// Why the name of an entry says that nobody wants to look at it: it begins with a dot, or it is what systems and programs keep
/// among people's files. A walk leaves such entries out, unless it is told to take what is hidden.
enum HiddenName: String {
    /// It begins with a dot.
    case dot = "it is hidden"
    /// Of a file system, a server or a desktop: trash, snapshots, what it made of pictures, lost files, how a folder looks.
    case system = "the system keeps it for itself"
    /// A copy that an editor left when it wrote the file, with a tilde at the end of its name: desktops hide it, too.
    case backup = "it is the backup of another file"
    /// What Office writes beside a document that is open.
    case owner = "it only says who has a document open"
    /// A part of what is being fetched.
    case download = "it is still being downloaded"

    /// Looks at a name.
    /// - Parameters:
    ///   - name: its bytes.
    ///   - isFolder: whether it is that of a folder.
    init?(_ name: [UInt8], isFolder: Bool) {
        guard let first = name.first, let last = name.last else { return nil }
        if first == UInt8(ascii: ".") {
            self = .dot
        } else if Self.beginnings.contains(first), Self.isSystem(name, isFolder: isFolder) {
            self = .system
        } else if isFolder {
            return nil
        } else if name.count > 2, name.starts(with: "~$".utf8) {
            self = .owner
        } else if name.count > 1, last == UInt8(ascii: "~") {
            self = .backup
        } else if Self.ends.contains(last), Self.parts.contains(where: name.hasEnding) {
            self = .download
        } else {
            return nil
        }
    }

    private static func isSystem(_ name: [UInt8], isFolder: Bool) -> Bool {
        let (known, lengths) = isFolder ? (folders, folderLengths) : (files, fileLengths)
        return lengths.contains(name.count) && known.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Changes with what this says of any name: what was left out before is looked at again.
    static let version: UInt64 = 1

    /// Folders in small letters: of Windows and its shares, of ext4, of macOS in archives, of Synology's and QNAP's servers.
    private static let folders: Set = [
        "$recycle.bin", "system volume information", "lost+found", "__macosx", "@eadir", "#recycle", "#snapshot",
        "@recycle", "@recently-snapshot",
    ]
    /// Files in small letters: of Windows and of macOS.
    private static let files: Set = ["thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"]
    /// How long these are: hardly any name is, and begins so as well, that no text is made of it for nothing.
    private static let folderLengths = Set(folders.map(\.utf8.count)), fileLengths = Set(files.map(\.utf8.count))
    /// What these begin with.
    private static let beginnings = Set("$@#_slteiSLTEIdD".utf8)
    /// Endings that browsers and other programs give to what they fetch.
    private static let parts = [".part", ".crdownload", ".partial", ".!qb", ".!ut"].map { Array($0.utf8) }
    private static let ends = Set(parts.flatMap { $0.suffix(1) + [$0[$0.count - 1] & 0xDF] })
}

extension [UInt8] {
    /// Whether a name has an ending, in small letters or large ones, and something before it.
    fileprivate func hasEnding(_ ending: [UInt8]) -> Bool {
        count > ending.count
            && zip(suffix(ending.count), ending).allSatisfy { own, wanted in
                own == wanted || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= own && own | 0x20 == wanted
            }
    }
}
