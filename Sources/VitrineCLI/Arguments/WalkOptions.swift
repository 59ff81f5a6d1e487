import Library
import Vitrine

/// `--hidden`, `--follow-links` and `--cross-file-systems`: how far folders are walked.
enum WalkOptions {
    static let hidden = OptionSpecification(
        "--hidden", "Include what is hidden: names with a dot, trash, backups, unfinished downloads.")
    static let followLinks = OptionSpecification("--follow-links", "Follow symbolic links.")
    static let crossFileSystems = OptionSpecification("--cross-file-systems", "Enter folders on other file systems.")

    /// Of commands that look for files.
    static let specifications = [hidden, followLinks, crossFileSystems]
    /// Of a command that copies, which takes what is hidden along.
    static let ofCopies = [
        OptionSpecification(followLinks.name, "Copy what symbolic links point to. Default: they are left out."),
        crossFileSystems,
    ]

    /// The walk of a run that was asked for.
    static func apply(_ arguments: ParsedArguments, to options: inout PrebuildOptions) {
        options.includesHidden = arguments.has(hidden.name)
        options.followsLinks = arguments.has(followLinks.name)
        options.crossesFileSystems = arguments.has(crossFileSystems.name)
    }

    /// The walk of a copy that was asked for.
    static func apply(_ arguments: ParsedArguments, to options: inout CopyOptions) {
        options.followsLinks = arguments.has(followLinks.name)
        options.crossesFileSystems = arguments.has(crossFileSystems.name)
    }

    /// What is kept with a source; what was not asked for is left open.
    static func ofSource(_ arguments: ParsedArguments) -> SourceOptions {
        func flag(_ option: OptionSpecification) -> Bool? { arguments.has(option.name) ? true : nil }
        return SourceOptions(
            hidden: flag(hidden), followsLinks: flag(followLinks), crossesFileSystems: flag(crossFileSystems))
    }
}
