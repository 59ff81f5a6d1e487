import Glibc
import Library
import VitrineKit

/// `vitrine note`
enum NoteCommand: Command {
    static let name = "note"
    static let summary = "Write notes about files and collections, and find them."
    static let usage = """
        [list [FILE|URI]] | add FILE|URI [--title TITLE] | show N | edit N | delete N… | search WORDS… [OPTIONS]
        """
    static let details = """
        Where --title or --text is missing, 'add' opens $VISUAL or $EDITOR when a person sits at the terminal, and so does
        'edit' without both: the first line is the title, what follows the empty line below it the text. Who leaves nothing
        there changes nothing. 'search' finds notes that hold every word, in any script; words need not be whole.
        """
    static let options = [
        CollectionOption.inPlaceOfFile,
        OptionSpecification(
            "--title", short: "-t", value: "TITLE", "With add and edit: one line of at most 200 characters."),
        OptionSpecification("--text", value: "TEXT", "With add and edit: at most 1 MiB; - reads standard input."),
        JSONOption.lines,
    ]

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let operands = arguments.operands.dropFirst()
        let word = arguments.operands.first.map { String(decoding: $0, as: UTF8.self) } ?? "list"
        let allowed: Set<String> =
            switch word {
            case "list": [CollectionOption.inPlaceOfFile.name, JSONOption.name]
            case "add": [CollectionOption.inPlaceOfFile.name, "--title", "--text"]
            case "edit": ["--title", "--text"]
            case "show", "search": [JSONOption.name]
            default: []
            }
        try LibraryContext.check(arguments, options, allowed: allowed, word: word)
        let json = JSONOption.isGiven(arguments)
        return try await LibraryContext.run { (context) throws(PluginError) in
            switch (word, operands.count) {
            case ("list", _):
                let subject = try context.subject(operands, arguments)
                try list(context.library.notes(of: subject), json, areAll: subject == nil)
            case ("add", _): try add(operands, context, arguments)
            case ("show", 1): try show(context.library.note(try number(operands.first)), json)
            case ("edit", 1): try edit(try number(operands.first), context, arguments)
            case ("delete", 1...): return delete(operands, context)
            case ("search", 1...):
                let words = operands.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
                let notes = try context.library.findNotes(words)
                try list(notes, json)
                if notes.count == Library.foundNotes {
                    Console.error("these are the first \(notes.count); more words find fewer notes")
                }
            default:
                throw Action.wrongUsage(
                    word, of: name, among: ["list", "add", "show", "edit", "delete", "search"],
                    "write 'list', 'add FILE --title TITLE', 'show N', 'edit N', 'delete N…' or 'search WORDS…'")
            }
            return ExitCode.done
        }
    }

    /// Deletes what can be deleted, and names what cannot.
    private static func delete(_ operands: ArraySlice<[UInt8]>, _ context: LibraryContext) -> CInt {
        var code = ExitCode.done
        for operand in operands {
            do throws(PluginError) { try context.library.deleteNote(try number(operand)) } catch {
                Console.error("vitrine note: \(DisplayText.of(error.message))")
                code = error.code == .invalidArgument ? ExitCode.usage : ExitCode.failed
            }
        }
        return code
    }

    private static func add(
        _ operands: ArraySlice<[UInt8]>, _ context: LibraryContext, _ arguments: ParsedArguments
    ) throws(PluginError) {
        guard let subject = try context.subject(operands, arguments) else {
            throw PluginError(.invalidArgument, "name a file, or a collection with --collection")
        }
        try context.check(isKnown: subject)
        // Before anybody writes.
        try context.library.checkCanChange()
        let (title, text) = try given(arguments)
        if title == nil || text == nil, NoteEditor.isPossible {
            // Likewise a collection that is not there.
            if case .collection(let name) = subject { _ = try context.library.collection(named: name) }
            return try NoteEditor.edit(
                title: title ?? "", text: text ?? "", emptied: "nothing was written, and no note was added"
            ) { (title, text) throws(PluginError) in
                Console.print("note \(try context.library.addNote(to: subject, title: title, text: text).id)")
            }
        }
        guard let title else { throw PluginError(.invalidArgument, "give the note a title with --title") }
        Console.print("note \(try context.library.addNote(to: subject, title: title, text: text ?? "").id)")
    }

    private static func edit(
        _ id: Int64, _ context: LibraryContext, _ arguments: ParsedArguments
    ) throws(PluginError) {
        try context.library.checkCanChange()
        let (title, text) = try given(arguments)
        if title != nil || text != nil {
            try context.library.editNote(id, title: title, text: text)
            return
        }
        guard NoteEditor.isPossible else {
            throw PluginError(
                .invalidArgument, "say what to change with --title and --text; without a terminal there is no editor")
        }
        let note = try context.library.note(id)
        try NoteEditor.edit(
            title: note.title, text: note.text,
            emptied: "nothing was left of note \(id), which stays as it was; 'vitrine note delete \(id)' deletes it"
        ) { (title, text) throws(PluginError) in
            try context.library.editNote(id, title: title, text: text)
        }
    }

    /// Title and text as they were given. `--text -` is standard input.
    private static func given(_ arguments: ParsedArguments) throws(PluginError) -> (String?, String?) {
        let title = try arguments.bytes("--title").map { (bytes) throws(PluginError) in try LibraryContext.text(bytes) }
        guard var bytes = arguments.bytes("--text") else { return (title, nil) }
        if bytes.elementsEqual("-".utf8) {
            bytes = try TextFile.read(STDIN_FILENO, limit: Note.maximumText, name: "standard input")
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        }
        return (title, try LibraryContext.text(bytes))
    }

    private static func number(_ operand: [UInt8]?) throws(PluginError) -> Int64 {
        let text = String(decoding: operand ?? [], as: UTF8.self)
        guard let number = Int64(text), number > 0 else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(text))' is no number of a note; 'vitrine note list' shows them")
        }
        return number
    }

    private struct Line: Encodable {
        var id: Int64
        var uri: String?
        var collection: String?
        var title: String
        var text: String
        var created: String
        var modified: String

        init(_ note: Note) {
            id = note.id
            (uri, collection) = (note.subject.uri, note.subject.collection)
            (title, text) = (note.title, note.text)
            (created, modified) = (DateText.exact(note.created), DateText.exact(note.modified))
        }
    }

    /// - Parameter areAll: whether nothing was asked for that others could lack. Default: no.
    private static func list(_ notes: [Note], _ json: Bool, areAll: Bool = false) throws(PluginError) {
        if json {
            for note in notes { try JSONText.show(Line(note)) }
            return
        }
        if notes.isEmpty {
            return Console.error(
                areAll ? "there is no note; 'vitrine note add FILE' writes one" : "there is no such note")
        }
        let rows = notes.map { note in
            ["\(note.id)", DateText.short(note.modified), note.title, LibraryContext.name(note.subject)]
        }
        Table.show([["note", "changed", "title", "about"]] + rows)
    }

    private static func show(_ note: Note, _ json: Bool) throws(PluginError) {
        if json { return try JSONText.show(Line(note)) }
        Console.print(DisplayText.of(note.title))
        Console.print("about \(DisplayText.of(LibraryContext.name(note.subject)))")
        Console.print("written \(DateText.short(note.created)), changed \(DateText.short(note.modified))")
        guard !note.text.isEmpty else { return }
        Console.print("")
        // Line by line: a terminal is given no other control characters.
        for line in note.text.split(separator: "\n", omittingEmptySubsequences: false) {
            Console.print(DisplayText.of(String(line)))
        }
    }
}
