/// An option as a command declares it.
public struct OptionSpecification: Sendable {
    /// The long name, with its dashes.
    public var name: String
    /// The short name, such as `-o`.
    public var short: String?
    /// What the value is called in the help; `nil` for a switch.
    public var value: String?
    /// What can be written as its value.
    public var choices: ValueChoices
    /// One line.
    public var help: String

    /// Declares an option.
    /// - Parameter choices: what can be written as its value. Default: a path where the value is called FILE, else anything.
    public init(
        _ name: String, short: String? = nil, value: String? = nil, choices: ValueChoices? = nil, _ help: String
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.choices = choices ?? (value == "FILE" ? .files : .anything)
        self.help = help
    }

    /// The names and the value, as the help shows them.
    public var synopsis: String {
        let names = [short, name].compactMap { $0 }.joined(separator: ", ")
        return value.map { "\(names) \($0)" } ?? names
    }

    /// The same option where it belongs to one of a command's actions, or to another option, which its help says first.
    /// - Parameter other: that word, such as `add`.
    public func only(with other: String) -> OptionSpecification {
        var option = self
        option.help = "With \(other): \(help.prefix(1).lowercased())\(help.dropFirst())"
        return option
    }
}
