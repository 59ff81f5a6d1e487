/// A command line that is being typed, up to the cursor.
struct TypedLine {
    /// What follows the program's name, without the word that is being typed.
    let words: [String]
    /// The word that is being typed, as far as it is; may be empty.
    let current: String

    /// - Parameter words: what follows the program's name; the last one is being typed.
    init(_ words: [String]) {
        self.words = words.dropLast()
        current = words.last ?? ""
    }

    /// What may stand in place of the word that is being typed, a line each; those that do not fit are the shell's business.
    var lines: [String] {
        guard let name = words.first else { return Completion.commands.map(\.line) }
        guard let command = CommandLineTool.command(named: name) else { return [] }
        return lines(of: command)
    }

    private func lines(of command: any Command.Type) -> [String] {
        let options = command.options + [ParsedArguments.help]
        var operands: [String] = []
        var waiting: OptionSpecification?
        var areOptionsOver = false
        for word in words.dropFirst() {
            if let option = waiting {
                waiting = nil
                if option.isValue?(Array(word.utf8)) ?? true { continue }
            }
            if word == "--", !areOptionsOver {
                areOptionsOver = true
            } else if word.first == "-", word != "-", !areOptionsOver {
                waiting = options.first { $0.value != nil && [$0.name, $0.short].contains(word) }
            } else {
                operands.append(word)
            }
        }
        if let waiting, waiting.isValue == nil { return lines(waiting.choices, before: "") }
        if current.first == "-", !areOptionsOver {
            if let mark = current.firstIndex(of: "="),
                let option = options.first(where: { $0.name == current[..<mark] })
            {
                return lines(option.choices, before: String(current[...mark]))
            }
            return options.flatMap { option in
                [option.name, option.short].compactMap { $0 }.map { Completion(word: $0, meaning: option.help).line }
            }
        }
        // A file that begins like an action is rarely meant.
        let actions = operands.isEmpty ? command.actions.filter { $0.hasPrefix(current) } : []
        if !actions.isEmpty { return actions.map { Completion(word: $0).line } }
        return command.choices(after: operands).flatMap { lines($0, before: "") }
    }

    /// - Parameter start: what stands in the word before the value.
    private func lines(_ choices: ValueChoices, before start: String) -> [String] {
        func lines(_ words: [String], _ start: String) -> [String] {
            words.map { Completion(word: start + $0).line }
        }
        switch choices {
        case .words(let words): return lines(words, start)
        case .list(let words):
            // What is typed of a list stays before its last word, and is not offered again.
            let typed = current.dropFirst(start.count)
            let before = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
            let named = before.split(separator: ",")
            return lines(words.filter { word in !named.contains { $0 == word } }, start + before)
        case .sources: return lines(KnownNames.sources, start)
        case .sourcesOrFiles: return lines(KnownNames.sources, start) + [Completion.files]
        case .collections: return lines(KnownNames.collections, start)
        case .accounts: return lines(KnownNames.accounts, start)
        case .commands: return Completion.commands.map(\.line)
        case .files: return [Completion.files]
        case .anything: return []
        }
    }
}

extension Command {
    /// The words that say what is done, such as `stats` of `vitrine cache`: those that the alternatives of the usage begin
    /// with. What is written in capitals stands for something else.
    static var actions: [String] {
        var actions: [String] = []
        for alternative in alternatives {
            for word in firstWords(of: alternative) where !actions.contains(word) { actions.append(word) }
        }
        return actions
    }

    /// What may be named behind operands, by the names that the usage has for it.
    static func choices(after operands: [String]) -> [ValueChoices] {
        let action = operands.first.flatMap { actions.contains($0) ? $0 : nil }
        let alternative = alternatives.first { alternative in
            action.map { firstWords(of: alternative).contains($0) } ?? true
        }
        guard let alternative else { return [] }
        // The first word is an action, unless it stands for something itself.
        let places = alternative.dropFirst(firstWords(of: alternative).isEmpty ? 0 : 1)
            .map { (names: names(in: $0), comesAgain: $0.contains("…")) }
            .filter { !$0.names.isEmpty && $0.names != ["OPTIONS"] }
        let place = operands.count - (action == nil ? 0 : 1)
        guard let last = places.firstIndex(where: { $0.comesAgain }) ?? places.indices.last,
            place <= last || places[last].comesAgain
        else { return [] }
        let kinds = places[min(place, last)].names
        var choices: [ValueChoices] = []
        for name in kinds {
            let choice = self.choices(of: name, after: action)
            if !choices.contains(choice) { choices.append(choice) }
        }
        return choices
    }

    /// The alternatives of the usage, each as its words.
    private static var alternatives: [[Substring]] {
        usage.split(separator: " | ").map { $0.split(whereSeparator: \.isWhitespace) }
    }

    private static func names(in word: Substring) -> [String] {
        word.split { "[]|…".contains($0) }.map(String.init).filter { $0.first?.isUppercase ?? false }
    }

    private static func firstWords(of alternative: [Substring]) -> [String] {
        (alternative.first ?? "").split { "[]|".contains($0) }.map(String.init).filter { $0.allSatisfy(\.isLowercase) }
    }
}
