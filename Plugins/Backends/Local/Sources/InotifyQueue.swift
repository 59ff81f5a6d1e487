import Glibc
import Synchronization
import VitrineKit

/// What inotify told and nobody has asked for yet, and which watch stands for which folder.
final class InotifyQueue: Sendable {
    struct State {
        /// `-1` when nothing is read any more.
        var notices: CInt = -1
        var keepsOtherPaths = false
        var paths: [CInt: ItemPath] = [:]
        var watches: [ItemPath: CInt] = [:]
        /// Further paths of folders that links lead to.
        var otherPaths: [CInt: [ItemPath]] = [:]
        var changed: Set<ItemPath> = []
        var hasLost = false
        var end: PluginError?
        var waiting: CheckedContinuation<FolderChanges, Never>?
    }

    let state = Mutex(State())
    private let changeLimit: Int

    /// Between two reads. Whatever happens, and however often, it is read in few large pieces; the system keeps 16,384
    /// notices meanwhile.
    private static let pause: CInt = 50
    /// How many paths of one folder are kept.
    private static let pathLimit = 16

    init(changeLimit: Int) { self.changeLimit = changeLimit }

    /// Takes the descriptor that is read from.
    func open(_ notices: CInt, keepsOtherPaths: Bool) {
        state.withLock { state in
            if state.end == nil { state.notices = notices }
            state.keepsOtherPaths = keepsOtherPaths
        }
    }

    // MARK: Folders

    /// Watches a folder.
    /// - Parameters:
    ///   - limit: how many may be watched.
    ///   - watch: adds it to the descriptor and returns its number, or `-1` with `errno` set. Nothing is read meanwhile, so
    ///     that no notice comes before its number is known.
    /// - Returns: 0, or an error number.
    func add(_ folder: ItemPath, limit: Int, _ watch: (CInt) -> CInt) -> CInt {
        state.withLock { state in
            guard state.notices >= 0 else { return ENODEV }
            guard state.watches.count < limit || state.watches[folder] != nil else { return ENOSPC }
            let number = watch(state.notices)
            guard number >= 0 else { return errno }
            if let old = state.paths[number], old != folder {
                if state.keepsOtherPaths {
                    var others = state.otherPaths[number] ?? []
                    if !others.contains(old), others.count < Self.pathLimit { others.append(old) }
                    state.otherPaths[number] = others.filter { $0 != folder }
                } else if state.watches[old] == number {
                    state.watches[old] = nil
                }
            }
            state.paths[number] = folder
            // What had this path until now, as what a link led to, is at it no more.
            if let old = state.watches.updateValue(number, forKey: folder), old != number {
                Self.leave(folder, old, &state)
            }
            return 0
        }
    }

    /// Ends to watch a folder.
    func remove(_ folder: ItemPath) {
        state.withLock { state in
            guard let number = state.watches.removeValue(forKey: folder), state.notices >= 0 else { return }
            Self.leave(folder, number, &state)
        }
    }

    /// Takes a path from a watch, and gives the watch back with the last one.
    private static func leave(_ folder: ItemPath, _ number: CInt, _ state: inout State) {
        var others = (state.otherPaths[number] ?? []).filter { $0 != folder }
        if state.paths[number] == folder {
            state.paths[number] = others.popLast()
            if state.paths[number] == nil { _ = inotify_rm_watch(state.notices, number) }
        }
        state.otherPaths[number] = others.isEmpty ? nil : others
    }

    // MARK: Changes

    /// Waits for changes.
    func next() async -> FolderChanges {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> FolderChanges? in
                    if Task.isCancelled { return Self.cancelled }
                    if let changes = Self.take(&state) { return changes }
                    state.waiting = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiting.take() }
            waiting?.resume(returning: Self.cancelled)
        }
    }

    private static let cancelled = FolderChanges.ended(PluginError(.cancelled, "nobody waits for changes any more"))

    private static func take(_ state: inout State) -> FolderChanges? {
        if let end = state.end { return .ended(end) }
        defer {
            state.changed = []
            state.hasLost = false
        }
        if state.hasLost { return .everything }
        return state.changed.isEmpty ? nil : .folders(state.changed)
    }

    // MARK: Reading

    /// Reads notices until the other end of a connection is closed, and closes both descriptors. Blocks its thread.
    func read(_ notices: CInt, until end: CInt) {
        defer {
            finish(PluginError(.cancelled, "changes are not watched any more"))
            close(notices)
            close(end)
        }
        // From limits.h: a notice takes at most this and a name.
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var both = [
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
                pollfd(fd: notices, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&both, 2, -1) >= 0 || errno == EINTR else { return }
            if both[0].revents != 0 { return }
            let count = room.withUnsafeMutableBytes { Glibc.read(notices, $0.baseAddress, $0.count) }
            if count < 0, errno != EAGAIN, errno != EINTR { return }
            guard count > 0 else { continue }
            room.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if count < room.count / 2, poll(&both, 1, Self.pause) > 0 { return }
        }
    }

    /// Takes notices as the system writes them: watch, mask, cookie and the length of the name that follows, 32 bits each.
    private func take(_ bytes: UnsafeRawBufferPointer) {
        let (waiting, changes) = state.withLock { state in
            var departures = Departures()
            var offset = 0
            while offset + 16 <= bytes.count {
                let number = bytes.loadUnaligned(fromByteOffset: offset, as: CInt.self)
                let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: CInt.self)
                let move = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self)
                let length = bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self)
                let name = bytes.dropFirst(offset + 16).prefix(Int(length)).prefix { $0 != 0 }
                offset += 16 + Int(length)
                departures.take(mask, move) {
                    let places = Self.places(number, name, state)
                    // Of files only links lead to what is watched.
                    return mask & IN_ISDIR != 0 ? places : places.filter { state.watches[$0] != nil }
                }
                note(number, mask, name, &state)
            }
            giveBack(departures.places, &state)
            return Self.answer(&state)
        }
        if let changes { waiting?.resume(returning: changes) }
    }

    private func note(_ number: CInt, _ mask: CInt, _ name: Slice<UnsafeRawBufferPointer>, _ state: inout State) {
        if mask & CInt(IN_Q_OVERFLOW) != 0 {
            state.hasLost = true
            return
        }
        guard let path = state.paths[number] else { return }
        if path.isRoot, mask & CInt(IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED) != 0 {
            state.end = state.end ?? PluginError(.offline, "it is not there any more")
            return
        }
        let paths = (state.otherPaths[number] ?? []) + [path]
        if mask & CInt(IN_IGNORED) != 0 {
            state.paths[number] = nil
            state.otherPaths[number] = nil
            for path in paths where state.watches[path] == number { state.watches[path] = nil }
            return
        }
        for path in paths { changed(path, &state) }
        // A link may be one to a folder.
        guard mask & CInt(IN_MOVED_TO | IN_CREATE) != 0, mask & CInt(IN_ISDIR) != 0 || state.keepsOtherPaths else {
            return
        }
        for place in Self.places(number, name, state) { replaced(place, &state) }
    }

    /// The paths of what has a name in a watched folder.
    private static func places(_ number: CInt, _ name: Slice<UnsafeRawBufferPointer>, _ state: State) -> [ItemPath] {
        let folders = (state.otherPaths[number] ?? []) + (state.paths[number].map { [$0] } ?? [])
        return folders.compactMap { try? $0.appending(Array(name)) }
    }

    /// Another folder has the name of one that is watched, and its list tells that by nothing but its number: all that was
    /// known below that name was of the other one.
    private func replaced(_ place: ItemPath, _ state: inout State) {
        guard state.watches[place] != nil else { return }
        for path in state.watches.keys where path.below(place) != nil { changed(path, &state) }
    }

    /// Gives back the watches of folders that went to where nothing is watched, most often out of the source, and of all
    /// below them: nobody asks for what happens there any more, and the system allows a user only so many.
    ///
    /// Some may be in the source still, where their notices were read in two pieces: they are added before they are listed.
    /// And what took their place may have been added before the notice was read, so that it is told, to be added again.
    private func giveBack(_ places: Set<ItemPath>, _ state: inout State) {
        let gone = Set(places.filter { state.watches[$0] != nil }.map { $0.bytes[...] })
        guard !gone.isEmpty, state.notices >= 0 else { return }
        for (path, number) in state.watches where path.lies(in: gone) {
            state.watches[path] = nil
            Self.leave(path, number, &state)
            changed(path, &state)
        }
    }

    private func changed(_ path: ItemPath, _ state: inout State) {
        guard !state.hasLost else { return }
        guard state.changed.count < changeLimit || state.changed.contains(path) else {
            state.hasLost = true
            state.changed = []
            return
        }
        state.changed.insert(path)
    }

    private static func answer(
        _ state: inout State
    ) -> (CheckedContinuation<FolderChanges, Never>?, FolderChanges?) {
        guard state.waiting != nil, let changes = take(&state) else { return (nil, nil) }
        return (state.waiting.take(), changes)
    }

    /// Nothing comes any more.
    private func finish(_ error: PluginError) {
        let (waiting, changes) = state.withLock { state in
            state.notices = -1
            state.end = state.end ?? error
            return Self.answer(&state)
        }
        if let changes { waiting?.resume(returning: changes) }
    }
}

/// What notices that were read together say of folders that are at their places no more.
private struct Departures {
    /// Where folders were, and links, which may be ones to folders, by the number of their move.
    private var moved: [UInt32: [ItemPath]] = [:]
    /// Where links were that are deleted.
    private var deleted: Set<ItemPath> = []

    /// What left its place and was not seen to arrive at another one.
    var places: Set<ItemPath> { deleted.union(moved.values.joined()) }

    /// Takes a notice.
    /// - Parameters:
    ///   - move: a number that both notices of a move have.
    ///   - places: what it is about, unless nothing there can be watched.
    mutating func take(_ mask: CInt, _ move: UInt32, _ places: () -> [ItemPath]) {
        if mask & IN_MOVED_FROM != 0 { moved[move] = places() }
        if mask & IN_MOVED_TO != 0 { moved[move] = nil }
        // A folder that is deleted takes its watch along.
        if mask & IN_DELETE != 0, mask & IN_ISDIR == 0 { deleted.formUnion(places()) }
    }
}

extension ItemPath {
    /// Whether it is one of some places, or lies below one. Makes no paths on the way: all that are watched are asked.
    fileprivate func lies(in places: Set<ArraySlice<UInt8>>) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            if places.contains(rest) { return true }
            rest = rest[..<(rest.lastIndex(of: UInt8(ascii: "/")) ?? rest.startIndex)]
        }
        return false
    }
}
