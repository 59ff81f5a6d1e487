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
    /// Of an option that may stand alone, whether a word behind it is its value; `nil` where it always has one.
    public var isValue: (@Sendable ([UInt8]) -> Bool)?

    /// Declares an option.
    /// - Parameters:
    ///   - choices: what can be written as its value. Default: a path where the value is called FILE, else anything.
    ///   - isValue: whether a word behind it is its value, so that it may stand alone. Default: every word is.
    public init(
        _ name: String, short: String? = nil, value: String? = nil, choices: ValueChoices? = nil, _ help: String,
        isValue: (@Sendable ([UInt8]) -> Bool)? = nil
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.choices = choices ?? (value == "FILE" ? .files : .anything)
        self.help = help
        self.isValue = isValue
    }

    /// The names and the value, as the help shows them.
    public var synopsis: String {
        let names = [short, name].compactMap { $0 }.joined(separator: ", ")
        return shownValue.map { "\(names) \($0)" } ?? names
    }

    /// What the value is called, in brackets where it may be left out.
    public var shownValue: String? { isValue == nil ? value : value.map { "[\($0)]" } }

    /// The same option where it belongs to one of a command's actions, or to another option, which its help says first.
    /// - Parameter other: that word, such as `add`.
    public func only(with other: String) -> OptionSpecification {
        var option = self
        option.help = "With \(other): \(help.prefix(1).lowercased())\(help.dropFirst())"
        return option
    }
}
