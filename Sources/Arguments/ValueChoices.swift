/// What can be written where a value is wanted, as far as that is known beforehand: what the completions of shells offer.
public enum ValueChoices: Hashable, Sendable {
    /// One of these words. Others may be allowed, such as numbers.
    case words([String])
    /// One of these words, or several with commas between.
    case list([String])
    /// The name of a registered source.
    case sources
    /// The name of a registered source, or a path.
    case sourcesOrFiles
    /// The name of a collection.
    case collections
    /// The name of an account.
    case accounts
    /// The name of a command.
    case commands
    /// A path.
    case files
    /// Nothing that could be told.
    case anything
}
