import Library
import VitrineKit

/// `vitrine library`
enum LibraryCommand: Command {
    static let name = "library"
    static let summary = "Check, back up or restore sources, collections, notes and favorites."
    static let usage = "check | backup | restore | path"
    static let details = """
        They lie in $XDG_DATA_HOME/vitrine/library.sqlite. A copy is written beside it once a day, when something has
        changed, and at once by 'backup'. 'restore' brings the copy back; the library that it replaces is kept, under
        a name that ends in .damaged and the date. End other commands before it.
        """
    static let options = [
        OptionSpecification("--force", short: "-f", "With restore: also when the library is sound.")
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let place = try LibraryContext.place()
        let words = arguments.operands.map { String(decoding: $0, as: UTF8.self) }
        try LibraryContext.check(
            arguments, options, allowed: words.first == "restore" ? ["--force"] : [], word: words.first ?? "library")
        switch words {
        case ["path"]: Console.print(DisplayText.of(place.file))
        case ["check"]:
            let found = try LibraryCare.check(place)
            for finding in found { Console.error(DisplayText.of(finding)) }
            guard found.isEmpty else {
                Console.error("the library is damaged; 'vitrine library restore' brings back its backup")
                return ExitCode.failed
            }
            Console.print("The library is sound.")
        case ["backup"]:
            try Library(at: place).backUp()
            Console.print("The library is copied to '\(DisplayText.of(place.backup))'.")
        case ["restore"]:
            if !arguments.has("--force") { try refuseSound(place) }
            let done = try LibraryCare.restore(place)
            if let aside = done.aside { Console.print("The library is now '\(DisplayText.of(aside))'.") }
            Console.print(
                done.restored ? "Its backup is in its place." : "There was no backup: the next command begins anew.")
        default:
            throw Action.wrongUsage(
                words.first, of: name, among: ["check", "backup", "restore", "path"],
                "write 'check', 'backup', 'restore' or 'path'")
        }
        return ExitCode.done
    }

    /// Only a damaged library is exchanged for its backup, not one that is newer or in use.
    private static func refuseSound(_ place: LibraryPlace) throws(PluginError) {
        do throws(PluginError) { if try !LibraryCare.check(place).isEmpty { return } } catch {
            if error.code == .corrupt { return }
            throw error
        }
        throw PluginError(.io, "the library is sound; with --force it is set aside all the same, for its last backup")
    }
}
