import Glibc
import SQLite
import Synchronization
public import VitrineKit

/// What a user told Vitrine and no run can find out again: registered sources, collections, notes, favourites.
///
/// One SQLite file. Items are named by their URIs, as `SourceURI.appending` writes them, never by numbers of the
/// catalog, which may be rebuilt at any time. May be used from any thread and by several processes at once; calls
/// block for a short time, at most ten seconds when another process writes.
///
/// A file that is damaged, or that a newer Vitrine wrote, is refused with a sentence and left as it is. Once a day a
/// copy is written beside it, see ``backUp()``.
public final class Library: Sendable {
    /// Where it lies.
    public let place: LibraryPlace
    let database: Mutex<Database>
    let backupFailure = Mutex<PluginError?>(nil)
    private let announce: @Sendable (LibraryEvent) -> Void
    /// Why it can only be read; `nil` when it can be changed. See ``openToRead(at:announce:)``.
    let refusal: PluginError?
    /// Whether there is none, and none can be made.
    let isAbsent: Bool
    /// How the file was found, when nobody may change it.
    private let frozen: FrozenFile?

    /// Opens a library; makes an empty one, and its folder for the user alone, when there is none.
    /// - Parameters:
    ///   - place: where it lies.
    ///   - announce: called after each change, on the thread of who made it; must not wait. Default: nobody listens.
    /// - Throws: `corrupt` when it is damaged or missing beside its backup, `unsupported` when a newer Vitrine wrote
    ///   it or it is something else, `forbidden`, `io`.
    public init(
        at place: LibraryPlace, announce: @escaping @Sendable (LibraryEvent) -> Void = { _ in }
    ) throws(PluginError) {
        self.place = place
        self.announce = announce
        (refusal, isAbsent, frozen) = (nil, false, nil)
        try Self.prepare(place)
        do throws(PluginError) { database = Mutex(try Self.connect(place)) } catch {
            throw Self.explained(error, place)
        }
        backUpIfDue()
    }

    /// Opens one that can only be read, or an empty one in place of one that cannot be made.
    init(reading place: LibraryPlace, since refusal: PluginError) throws(PluginError) {
        if let (database, frozen) = try Self.frozen(place, since: refusal) {
            self.database = Mutex(database)
            (self.frozen, isAbsent) = (frozen, false)
        } else {
            database = Mutex(try Self.empty())
            (frozen, isAbsent) = (nil, true)
        }
        (self.place, self.refusal) = (place, refusal)
        // Nothing changes.
        announce = { _ in }
    }

    /// A number that grows with every change, whichever process made it.
    public var version: Int64 {
        get throws(PluginError) {
            try read { (database) throws(PluginError) in try Self.version(database) }
        }
    }

    /// Why the last daily backup could not be written; `nil` when it was, or was not due.
    public var failureOfBackup: PluginError? { backupFailure.withLock { $0 } }

    func read<Answer: Sendable>(
        _ body: (Database) throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        try database.withLock { (database) throws(PluginError) in
            do throws(PluginError) {
                let answer = try body(database)
                try frozen?.check()
                return answer
            } catch {
                // What was changed while it was read looks damaged.
                try frozen?.check()
                throw Self.explained(error, place)
            }
        }
    }

    /// Changes something as a whole or not at all, and tells of it afterwards.
    /// - Parameter body: adds an event for each change; without one nothing has changed.
    func change<Answer: Sendable>(
        _ body: (Database, inout [LibraryEvent]) throws(PluginError) -> Answer
    ) throws(PluginError) -> Answer {
        try checkCanChange()
        let (answer, events) = try read { (database) throws(PluginError) in
            try database.transaction { () throws(PluginError) -> (Answer, [LibraryEvent]) in
                var events: [LibraryEvent] = []
                let answer = try body(database, &events)
                if !events.isEmpty { try database.run("UPDATE state SET version = version + 1") }
                return (answer, events)
            }
        }
        for event in events { announce(event) }
        if !events.isEmpty { backUpIfDue() }
        return answer
    }

    static func version(_ database: Database) throws(PluginError) -> Int64 {
        try database.first("SELECT version FROM state") { $0.integer(0) } ?? 0
    }

    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }
}
