import Library
import PluginHost
import Vitrine
import VitrineKit

/// What the commands about the user's library have in common.
struct LibraryContext {
    /// The library, with its listeners and storages.
    let user: UserLibrary
    /// The library itself.
    var library: Library { user.library }
    private let workingFolder: [UInt8]

    /// Opens the user's library.
    init() throws(PluginError) {
        let plugins = PluginDirectory(scanning: .standard(), settings: try CommandContext.settings())
        user = try UserLibrary(
            at: Self.place(), plugins: plugins, accounts: AccountBook(environment: PluginSearchPath.environment))
        workingFolder = try CommandContext.workingFolder()
    }

    /// Where this user's library lies.
    static func place() throws(PluginError) -> LibraryPlace {
        try .standard(environment: PluginSearchPath.environment)
    }

    /// Runs what a command does with a library, and says when its backup could not be written.
    static func run(
        _ body: (LibraryContext) async throws(PluginError) -> CInt
    ) async throws(PluginError) -> CInt {
        let context = try LibraryContext()
        let code = try await body(context)
        if let error = context.library.failureOfBackup {
            Console.error("vitrine: the daily backup of the library failed: \(DisplayText.of(error.message))")
        }
        return code
    }

    /// A path or URI of a command line.
    func uri(_ operand: [UInt8]) throws(PluginError) -> SourceURI {
        try user.source(operand, workingFolder: workingFolder)
    }

    /// Refuses what something is to be kept about when it is a file that never was.
    /// - Throws: `notFound`.
    func check(isKnown subject: LibrarySubject) throws(PluginError) {
        guard let uri = subject.uri else { return }
        try user.check(isKnown: try SourceURI(uri)) { CommandContext.existingCatalog() }
    }

    /// The item that one operand, or the collection that `--collection`, names; `nil` when there is neither.
    func subject(_ operands: ArraySlice<[UInt8]>, _ arguments: ParsedArguments) throws(PluginError) -> LibrarySubject? {
        let collection = try arguments.bytes(CollectionOption.inPlaceOfFile.name).map { (bytes) throws(PluginError) in
            try Self.text(bytes)
        }
        guard operands.count + (collection == nil ? 0 : 1) <= 1 else {
            throw PluginError(.invalidArgument, "name one file, or one collection with --collection")
        }
        if let collection { return .collection(collection) }
        return try operands.first.map { (operand) throws(PluginError) in .item(try uri(operand).text) }
    }

    /// A name or text, which must be UTF-8.
    static func text(_ bytes: [UInt8]) throws(PluginError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PluginError(.invalidArgument, "'\(DisplayText.of(bytes))' is not text in UTF-8")
        }
        return text
    }

    /// Refuses options that belong to another one of a command's words.
    static func check(
        _ arguments: ParsedArguments, _ options: [OptionSpecification], allowed: Set<String>, word: String
    ) throws(PluginError) {
        for option in options where arguments.has(option.name) && !allowed.contains(option.name) {
            throw PluginError(.invalidArgument, "\(option.name) does not go with '\(word)'")
        }
    }

    /// What a subject is called in a table.
    static func name(_ subject: LibrarySubject) -> String {
        switch subject {
        case .item(let uri): ItemName.long(uri)
        case .collection(let name): "collection \(name)"
        }
    }
}

extension LibrarySubject {
    /// The item's URI.
    var uri: String? { if case .item(let uri) = self { uri } else { nil } }
    /// The collection's name.
    var collection: String? { if case .collection(let name) = self { name } else { nil } }
}
