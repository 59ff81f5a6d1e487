extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: SubSequence {
        var rest = drop { $0.isWhitespace }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return rest
    }

    /// What stands before the parenthesis that closes one before the text.
    var untilClosed: SubSequence {
        var depth = 1
        return prefix { letter in
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            return depth > 0
        }
    }

    /// Parts between letters that are in no parentheses.
    func parts(between isSeparator: (Character) -> Bool) -> [SubSequence] {
        var depth = 0
        return split { letter in
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            return depth == 0 && isSeparator(letter)
        }
    }
}
