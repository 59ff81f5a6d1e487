import Arguments

/// `--json`: what is printed is for programs.
enum JSONOption {
    static let name = "--json"
    /// Of commands that print any number of objects.
    static let lines = OptionSpecification(name, "Print one JSON object a line, for programs.")
    /// Of commands that print one.
    static let object = OptionSpecification(name, "Print one JSON object, for programs.")

    /// Of commands that do either.
    /// - Parameters:
    ///   - list: the action that prints any number of objects.
    ///   - check: the action that prints one.
    static func either(linesWith list: String, objectWith check: String) -> OptionSpecification {
        OptionSpecification(
            name, "Print JSON, for programs: with \(list) one object a line, with \(check) one object.")
    }

    static func isGiven(_ arguments: ParsedArguments) -> Bool { arguments.has(name) }
}
