import Accounts
import Glibc
import Library
import PluginHost
import VitrineKit

/// Names that this user gave, for the completions of shells. Where they cannot be read there are none: who completes a word
/// sees no errors.
enum KnownNames {
    static var sources: [String] {
        shown(library { (library) throws(PluginError) in try library.sources().map(\.name) })
    }

    static var collections: [String] {
        shown(library { (library) throws(PluginError) in try library.collections().map(\.name) })
    }

    static var accounts: [String] {
        shown((try? AccountBook(environment: PluginSearchPath.environment)?.accounts().map(\.name)) ?? [])
    }

    private static func library(_ names: (Library) throws(PluginError) -> [String]) -> [String] {
        do throws(PluginError) {
            let place = try LibraryContext.place()
            // Pressing a key makes no library.
            guard access(place.file, F_OK) == 0 else { return [] }
            return try names(.openToRead(at: place))
        } catch { return [] }
    }

    /// Those that a terminal shows as they are.
    private static func shown(_ names: [String]) -> [String] { names.filter { DisplayText.of($0) == $0 } }
}
