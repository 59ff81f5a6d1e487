import CPlatform
import VitrineKit
import Workers

/// What an archive holds, as folders and files with paths that lead nowhere else.
///
/// Names of members are bytes that a stranger chose. `.` and doubled slashes are removed, as unpacking does. Those that
/// climb (`..`), begin at the root (`/`), hold a NUL byte, are empty, too long or too deep are refused, with the reason.
/// Of several members of one name the last counts, and a folder before a file.
struct MemberTree: Sendable {
    /// One file or folder.
    struct Node: Sendable {
        var entry: Entry
        /// Its position in ``members``; `nil` for folders that only paths tell of.
        var index: Int?
    }

    /// All members, in the archive's order.
    let members: [ContainerMember]
    /// How they are read.
    let isSequential: Bool
    /// Why the list is not complete; `nil` when it is.
    private(set) var failure: PluginError?
    /// How many members cannot be reached.
    private(set) var refusedCount = 0
    /// Why, for the first of them.
    private(set) var refusals: [PluginError] = []
    private var nodes: [ItemPath: Node] = [:]
    private var children: [ItemPath: [ItemPath]] = [:]
    /// Bytes of all paths in ``nodes``, those of folders that only paths tell of included.
    private(set) var pathBytes = 0
    private let version: String

    /// The most parts of a path.
    private static let depthLimit = 64
    /// The most files and folders: paths of many parts make more folders than there are members.
    private static let nodeLimit = 4 * MemberList.memberLimit
    /// The most bytes of paths. Few members of long paths in folders of their own make many long paths: 64 for each member,
    /// of two kilobytes on average, while the list of them packs to nearly nothing.
    static let pathBytesLimit = 32 << 20
    /// How many refusals are kept as sentences.
    private static let refusalLimit = 16

    /// Sorts a list.
    /// - Parameters:
    ///   - list: what the worker told.
    ///   - archive: what the storage says of the archive; members without a time have the archive's.
    init(_ list: MemberList, of archive: Entry) {
        members = list.members
        isSequential = list.outline.isSequential
        failure = list.outline.failure
        version = archive.versionMark
        for (index, member) in members.enumerated() {
            guard nodes.count < Self.nodeLimit else {
                failure = PluginError(
                    .limitExceeded, "the archive has more than the \(Self.nodeLimit) files and folders that are listed")
                return
            }
            guard pathBytes < Self.pathBytesLimit else {
                failure = PluginError(
                    .limitExceeded,
                    "the paths of the archive's files and folders have more than the \(Self.pathBytesLimit >> 20) MiB that "
                        + "are listed")
                return
            }
            do throws(PluginError) {
                guard let path = try Self.path(of: member) else { continue }
                add(member, index, at: path, archive)
            } catch { refuse(error) }
        }
    }

    /// What lies at a path; `nil` for nothing. The root is a folder.
    subscript(path: ItemPath) -> Node? {
        path.isRoot ? Node(entry: Entry(name: [], kind: .folder)) : nodes[path]
    }

    /// What lies in a folder, one level.
    func entries(in folder: ItemPath) -> [Entry] { children[folder, default: []].compactMap { nodes[$0]?.entry } }

    /// The path of a member that is reached by it; `nil` for those that are refused or hidden by another.
    var paths: [Int: ItemPath] {
        var paths: [Int: ItemPath] = [:]
        for (path, node) in nodes { if let index = node.index { paths[index] = path } }
        return paths
    }

    private mutating func add(_ member: ContainerMember, _ index: Int, at path: ItemPath, _ archive: Entry) {
        addFolders(above: path)
        var entry = Entry(name: path.name, kind: member.kind, modified: member.modified ?? archive.modified)
        if member.kind == .file {
            entry.size = member.size
            entry.etag = etag(of: member, index)
        }
        let node = Node(entry: entry, index: index)
        guard let other = nodes[path] else {
            nodes[path] = node
            pathBytes += path.bytes.count
            children[path.parent ?? .root, default: []].append(path)
            return
        }
        switch (other.entry.kind == .folder, member.kind == .folder) {
        case (true, true): nodes[path]?.entry.modified = entry.modified
        case (true, false): refuse(Self.refusal(member.path, "a folder has the same name"))
        case (false, true):
            refuse(Self.refusal(member.path, "a folder has the same name"))
            nodes[path] = node
        case (false, false):
            refuse(Self.refusal(member.path, "a later member has the same name"))
            nodes[path] = node
        }
    }

    private mutating func addFolders(above path: ItemPath) {
        var below = path
        while let folder = below.parent, !folder.isRoot {
            if nodes[folder]?.entry.kind == .folder { return }
            if nodes[folder] != nil {
                refuse(Self.refusal(folder.bytes, "a folder has the same name"))
            } else {
                children[folder.parent ?? .root, default: []].append(folder)
                pathBytes += folder.bytes.count
            }
            nodes[folder] = Node(entry: Entry(name: folder.name, kind: .folder))
            below = folder
        }
    }

    /// The mark of a member's version: of its content where the archive keeps a checksum, else of the whole archive, so that
    /// what is added to a zip file leaves the previews of all others valid.
    private func etag(of member: ContainerMember, _ index: Int) -> String {
        if let checksum = member.checksum { return "\(String(checksum, radix: 16))-\(member.size ?? -1)" }
        return "\(version)-\(index)"
    }

    private mutating func refuse(_ reason: PluginError) {
        refusedCount += 1
        if refusals.count < Self.refusalLimit { refusals.append(reason) }
    }

    /// A member's path; `nil` for what stands for the root itself.
    private static func path(of member: ContainerMember) throws(PluginError) -> ItemPath? {
        let slash = UInt8(ascii: "/")
        let name = member.path
        guard !name.isEmpty else { throw refusal(name, "it has no name") }
        guard name.count <= ContainerMember.pathLimit else {
            throw refusal(Array(name.prefix(60)) + Array("…".utf8), "its name is longer than 4096 bytes")
        }
        guard name.first != slash else { throw refusal(name, "its name begins at the root of the file system") }
        guard !name.contains(0) else { throw refusal(name, "its name holds a NUL byte") }
        let parts = name.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        guard !parts.contains(where: { $0.elementsEqual("..".utf8) }) else {
            throw refusal(name, "its name climbs out of the archive")
        }
        guard parts.count <= depthLimit else { throw refusal(name, "it lies deeper than \(depthLimit) folders") }
        return parts.isEmpty ? nil : try ItemPath(Array(parts.joined(separator: [slash])))
    }

    private static func refusal(_ name: [UInt8], _ why: String) -> PluginError {
        PluginError(.unsupported, "the member '\(DisplayText.of(name))' is left out: \(why)")
    }
}

extension Entry {
    /// A mark of a file's version that is as long for every file.
    var versionMark: String {
        let time = modified.map { "\($0.seconds).\($0.nanoseconds)" } ?? ""
        let text = "\(size ?? -1)\n\(time)\n\(identifier ?? 0)\n\(etag ?? "")"
        return String(vp_hash64(text, text.utf8.count), radix: 16)
    }
}
