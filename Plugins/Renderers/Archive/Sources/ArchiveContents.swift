internal import ArchiveReading
internal import VitrineKit

/// What an archive holds, as people look at it: the files and folders that lie topmost.
struct ArchiveContents {
    /// A file or a folder.
    struct Row {
        var name: String
        var isFolder: Bool
        /// Files in a folder, at any depth.
        var files = 0
        /// Bytes when unpacked, of a folder with all that is in it; `nil` when not known.
        var size: Int64?
    }

    /// Folders first, then files, each in the natural order of their names; the first ones of them.
    private(set) var rows: [Row] = []
    /// How many rows there are.
    private(set) var rowCount = 0
    /// The folder that all the rest lies in, where there is one.
    private(set) var root: String?
    /// All files.
    private(set) var files = 0
    /// Bytes of all files; `nil` when one's are not known.
    private(set) var size: Int64? = 0
    /// Whether the counts are all that there is.
    let isWhole: Bool
    /// The pictures to show instead of a list, or `nil` where they are not what the archive is about.
    private(set) var pictures: [ArchiveMember]?
    private let members: [ArchiveMember]
    private let names: MemberNames

    /// More than are shown.
    private static let mostRows = 64
    private static let mostPictures = 16
    /// Folders within folders that are passed for the topmost names.
    private static let deepestRoot = 8

    /// Sorts the members of an archive.
    init(_ archive: Archive) {
        self.init(archive.members, isWhole: archive.isWhole, isZip: archive.isZip)
    }

    /// Sorts a list of members.
    /// - Parameters:
    ///   - isWhole: whether these are all.
    ///   - isZip: whether names are as those of zip files.
    init(_ members: [ArchiveMember], isWhole: Bool, isZip: Bool = false) {
        self.isWhole = isWhole
        self.members = members
        names = MemberNames(members.lazy.map(\.name), isZip: isZip)
        var paths: [(parts: [ArraySlice<UInt8>], member: ArchiveMember)] = []
        paths.reserveCapacity(members.count)
        for member in members {
            let parts = names.parts(member.name)
            guard !parts.isEmpty else { continue }
            paths.append((parts, member))
            guard !member.isFolder else { continue }
            files += 1
            size = Self.sum(size, member.size)
        }
        let depth = Self.commonDepth(paths.map { ($0.parts, $0.member.isFolder) })
        // Folders that lie above it may be members of their own.
        let inside = depth > 0 ? paths.first { $0.parts.count >= depth } : nil
        root = inside.map { names.text($0.parts[depth - 1]) }
        sort(paths.filter { $0.parts.count > depth }.map { ($0.parts.dropFirst(depth), $0.member) })
        let shown = members.filter(\.isPicture)
        // A picture or two among many other files say nothing about them.
        if shown.count * 4 >= files, shown.count >= 3 || shown.count * 2 >= files {
            pictures = NaturalOrder.first(Self.mostPictures, of: shown) { NaturalOrder.precedes($0.name, $1.name) }
        }
    }

    var isEmpty: Bool { rows.isEmpty }

    /// All names, so that the archive is found by them.
    var text: String? {
        var text = ""
        for member in members where !member.isFolder {
            if text.utf8.count > Facts.textLimit { break }
            text += names.text(member.name) + "\n"
        }
        return text.isEmpty ? nil : Facts.bounded(text)
    }

    private mutating func sort(_ paths: [(parts: ArraySlice<ArraySlice<UInt8>>, member: ArchiveMember)]) {
        var found: [ArraySlice<UInt8>: Row] = [:]
        for (parts, member) in paths {
            guard let first = parts.first else { continue }
            let isFolder = member.isFolder || parts.count > 1
            var row = found[first] ?? Row(name: names.text(first), isFolder: isFolder, size: 0)
            row.isFolder = row.isFolder || isFolder
            if !member.isFolder {
                row.files += 1
                row.size = Self.sum(row.size, member.size)
            }
            found[first] = row
        }
        rowCount = found.count
        let named = found.map { (name: Array($0.key), row: $0.value) }
        rows = NaturalOrder.first(Self.mostRows, of: named) { a, b in
            a.row.isFolder == b.row.isFolder ? NaturalOrder.precedes(a.name, b.name) : a.row.isFolder
        }.map(\.row)
    }

    /// How many folders all members have in common, and nothing beside them.
    private static func commonDepth(_ paths: [(parts: [ArraySlice<UInt8>], isFolder: Bool)]) -> Int {
        var depth = 0
        while depth < deepestRoot, let name = paths.first(where: { $0.parts.count > depth })?.parts[depth] {
            let inside = paths.allSatisfy { path in
                guard path.parts.count > depth else { return path.isFolder }
                return path.parts[depth] == name && (path.parts.count > depth + 1 || path.isFolder)
            }
            guard inside, paths.contains(where: { $0.parts.count > depth + 1 }) else { break }
            depth += 1
        }
        return depth
    }

    private static func sum(_ a: Int64?, _ b: Int64?) -> Int64? {
        guard let a, let b else { return nil }
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? nil : sum
    }
}
