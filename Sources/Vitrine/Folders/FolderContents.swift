import Timing
import VitrineKit

/// The files of a folder that may stand for it, the best first.
struct FolderContents {
    /// What a file shows of its folder.
    enum Rank: Int, Comparable {
        /// Somebody put it there to stand for the folder: `cover.jpg`, `folder.jpg`, `.folder.png` and the like.
        case chosen
        /// A picture or a film.
        case picture
        /// A document.
        case document
        /// Anything else that has a preview.
        case other

        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// A file.
    struct Candidate {
        var item: Item
        var rank: Rank
    }

    /// The names of files that a walk did not leave out, by their folders.
    typealias Walked = [ItemPath: Set<[UInt8]>]

    private(set) var candidates: [Candidate] = []
    /// Sub-folders, the newest first.
    private(set) var folders: [(path: ItemPath, modified: Timestamp?)] = []

    /// The most entries that are looked at in a folder, and in one of its sub-folders.
    static let mostEntries = 4000, mostEntriesBelow = 500
    /// The most sub-folders that are looked into, when there is not enough in the folder itself.
    static let mostFolders = 8
    /// The most pictures in the picture of a folder.
    static let mostPictures = 4
    /// The most files that are tried: those that have no preview make room for others.
    static let mostAttempts = 12

    /// Lists a folder, and some of its sub-folders when there is too little in it; never deeper.
    /// - Parameters:
    ///   - walked: the files that may be shown; `nil`: all but hidden ones.
    ///   - patience: after which no further sub-folder is listed.
    ///   - rank: how a file counts by its name; `nil` for one that has no preview.
    static func of(
        _ folder: ItemPath, in storage: Storage, _ walked: Walked?, patience: Duration, _ rank: (Entry) -> Rank?
    ) async throws(PluginError) -> FolderContents {
        let began = Moment.now
        var contents = FolderContents()
        try await contents.list(storage.list(folder), folder, storage, walked, most: mostEntries, rank)
        contents.folders.sort { Self.isNewer($0.modified, $1.modified) }
        if contents.candidates.count < mostPictures {
            for below in contents.folders.prefix(mostFolders) where Moment.now - began < patience {
                // One that cannot be listed leaves the others.
                try? await contents.list(
                    storage.list(below.path), below.path, storage, walked, most: mostEntriesBelow, rank)
            }
        }
        contents.candidates.sort { a, b in
            if a.rank != b.rank { return a.rank < b.rank }
            let (one, other) = (a.item.entry, b.item.entry)
            if one.modified != other.modified { return isNewer(one.modified, other.modified) }
            if one.size != other.size { return (one.size ?? 0) > (other.size ?? 0) }
            return a.item.path.bytes.lexicographicallyPrecedes(b.item.path.bytes)
        }
        return contents
    }

    private mutating func list<S: AsyncSequence<[Entry], PluginError>>(
        _ pages: S, _ folder: ItemPath, _ storage: Storage, _ walked: Walked?, most: Int, _ rank: (Entry) -> Rank?
    ) async throws(PluginError) {
        var seen = 0
        var iterator = pages.makeAsyncIterator()
        while seen < most, let page = try await iterator.next(isolation: nil) {
            for entry in page.prefix(most - seen) {
                let path = try folder.appending(entry.name)
                let isHidden = HiddenName(entry.name, isFolder: entry.kind == .folder) != nil
                if let walked {
                    let isWanted =
                        entry.kind == .folder
                        ? walked[path] != nil : walked[folder]?.contains(entry.name) == true
                    guard isWanted else { continue }
                }
                if entry.kind == .folder, !isHidden { folders.append((path, entry.modified)) }
                guard entry.kind == .file, let rank = rank(entry), !isHidden || rank == .chosen else { continue }
                candidates.append(Candidate(item: Item(storage: storage, path: path, entry: entry), rank: rank))
            }
            seen += page.count
        }
    }

    private static func isNewer(_ a: Timestamp?, _ b: Timestamp?) -> Bool {
        guard let a else { return false }
        return b.map { a > $0 } ?? true
    }

    /// How a file counts by its name and its type.
    /// - Parameters:
    ///   - name: the file's.
    ///   - type: its MIME type; a renderer draws it.
    static func rank(_ name: [UInt8], _ type: String) -> Rank {
        let isPicture = type.hasPrefix("image/")
        let text = String(decoding: name, as: UTF8.self).lowercased()
        if isPicture, let dot = text.lastIndex(of: "."), chosenNames.contains(String(text[..<dot])) { return .chosen }
        if isPicture || type.hasPrefix("video/") { return .picture }
        let documents = [
            "application/pdf", "application/vnd.oasis.", "application/vnd.openxmlformats", "application/vnd.ms-",
        ]
        return documents.contains(where: type.hasPrefix) || type == "application/msword" ? .document : .other
    }

    private static let chosenNames: Set<String> = ["cover", "folder", ".folder", "front", "poster"]
}
