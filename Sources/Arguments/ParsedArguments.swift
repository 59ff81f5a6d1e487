public import VitrineKit

/// The words of a command line, told apart.
///
/// GNU's conventions: `--name VALUE`, `--name=VALUE`, `-o VALUE`, `-oVALUE`; options may stand anywhere; after `--`
/// all words are operands, also those that begin with a dash; a lone `-` is an operand. An option whose value may be left out
/// takes the next word where that looks like one.
public struct ParsedArguments: Sendable {
    /// What is no option, as bytes.
    public private(set) var operands: [[UInt8]] = []
    private var values: [String: [[UInt8]]] = [:]

    /// The option that every command knows.
    public static let help = OptionSpecification("--help", short: "-h", "Show this help.")

    /// Tells the words apart.
    /// - Parameters:
    ///   - words: what follows the command.
    ///   - options: those of the command; `--help` is always known.
    /// - Throws: `invalidArgument` for an option that is not known, or whose value is missing or not wanted.
    public init(_ words: [[UInt8]], options: [OptionSpecification]) throws(PluginError) {
        let known = options + [Self.help]
        var rest = words[...]
        while let word = rest.popFirst() {
            if word.elementsEqual("--".utf8) {
                operands += rest
                return
            }
            guard word.first == UInt8(ascii: "-"), word.count > 1 else {
                operands.append(word)
                continue
            }
            let (option, attached) = try Self.match(word, known)
            if option.value == nil {
                guard attached == nil else {
                    throw PluginError(.invalidArgument, "the option \(option.name) takes no value")
                }
                values[option.name, default: []].append([])
            } else if let attached {
                // As of a variable that is not set, where standing alone would mean something.
                guard option.isValue == nil || !attached.isEmpty else {
                    throw PluginError(
                        .invalidArgument, "nothing stands behind '\(option.name)=': \(option.synopsis)")
                }
                values[option.name, default: []].append(attached)
            } else if let isValue = option.isValue {
                let follows = rest.first.map(isValue) ?? false
                values[option.name, default: []].append(follows ? rest.removeFirst() : [])
            } else if let value = rest.popFirst() {
                values[option.name, default: []].append(value)
            } else {
                throw PluginError(.invalidArgument, "the option \(option.name) wants a value: \(option.synopsis)")
            }
        }
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The bytes of an option's value; the last one counts. Empty where the option stands alone.
    public func bytes(_ name: String) -> [UInt8]? { values[name]?.last }

    /// The bytes of all values of an option that was given several times, in their order.
    public func all(_ name: String) -> [[UInt8]] { values[name] ?? [] }

    /// The value as text.
    public func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The value as a whole number.
    /// - Throws: `invalidArgument` when it is none, or out of range.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(PluginError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(text))' is no value for \(name): write a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    private static func match(
        _ word: [UInt8], _ options: [OptionSpecification]
    ) throws(PluginError) -> (OptionSpecification, [UInt8]?) {
        let text = String(decoding: word, as: UTF8.self)
        if text.hasPrefix("--") {
            let mark = word.firstIndex(of: UInt8(ascii: "=")) ?? word.endIndex
            let name = String(decoding: word[..<mark], as: UTF8.self)
            if let option = options.first(where: { $0.name == name }) {
                return (option, mark < word.endIndex ? Array(word[(mark + 1)...]) : nil)
            }
        } else if let option = options.first(where: { $0.short.map { text.hasPrefix($0) } ?? false }) {
            if word.count == 2 { return (option, nil) }
            if option.value != nil { return (option, Array(word[2...])) }
        }
        let name = String(text.prefix { $0 != "=" })
        let guess = name.hasPrefix("--") ? Spelling.nearest(to: name, among: options.map(\.name)) : nil
        throw PluginError(
            .invalidArgument,
            "the option '\(DisplayText.of(text))' is not known\(guess.map { " (did you mean \($0)?)" } ?? ""); "
                + "if it is a file's name, write -- before it")
    }
}
