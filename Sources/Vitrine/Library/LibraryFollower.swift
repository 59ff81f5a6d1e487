import Glibc
import Library
import Synchronization

/// Lets notes, favourites and places in collections follow items that are moved.
final class LibraryFollower: Sendable {
    private let place: LibraryPlace
    private let library = Mutex<Library?>(nil)

    init(_ place: LibraryPlace) { self.place = place }

    /// Takes note of a move. Nobody who has no library gets one by it; what fails is no reason to stop a run.
    func moved(_ old: String, _ new: String) {
        library.withLock { library in
            if library == nil, access(place.file, F_OK) == 0 { library = try? Library(at: place) }
            try? library?.moved(old, to: new)
        }
    }
}
