import Library
import Synchronization
import TestSupport
import VitrineKit

/// A library of one test, and what it told.
final class Shelf: Sendable {
    private let scratch: TemporaryFolder
    private let told: Told
    let library: Library

    init() throws {
        let (scratch, told) = (try TemporaryFolder(), Told())
        self.scratch = scratch
        self.told = told
        library = try Library(at: LibraryPlace(folder: scratch.path + "/vitrine")) { told.add($0) }
    }

    var place: LibraryPlace { library.place }

    /// The same file, opened again.
    func reopened() throws -> Library { try Library(at: place) }

    /// The events since the last call.
    func news() -> [LibraryEvent] { told.take() }

    private final class Told: Sendable {
        private let events = Mutex<[LibraryEvent]>([])
        func add(_ event: LibraryEvent) { events.withLock { $0.append(event) } }
        func take() -> [LibraryEvent] {
            events.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }
}

/// The code of what a body throws.
func code(_ body: () throws -> Void) -> PluginError.Code? {
    do { try body() } catch { return (error as? PluginError)?.code }
    return nil
}

/// The sentence of what a body throws.
func sentence(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as? PluginError)?.message ?? "\(error)" }
    return ""
}
