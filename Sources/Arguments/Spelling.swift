/// What somebody meant who mistyped a word.
public enum Spelling {
    /// The known word that is nearest to one that is not known.
    /// - Parameters:
    ///   - word: what was typed.
    ///   - known: the words that mean something.
    /// - Returns: `nil` when none is so near that it may have been meant: one letter of three may be wrong, or left out at
    ///   the end of three letters or more.
    public static func nearest(to word: String, among known: [String]) -> String? {
        // Longer ones are no words; to compare them takes time.
        guard word.count <= 64 else { return nil }
        let near = known.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        if let near, near.distance <= max(word.count, near.word.count) / 3 { return near.word }
        let longer = known.filter { $0.hasPrefix(word) }
        return word.count >= 3 && longer.count == 1 ? longer.first : nil
    }

    /// The same as a part of a sentence, behind the word that was typed; empty when there is none.
    public static func guess(_ word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { " (did you mean '\($0)'?)" } ?? ""
    }

    /// How many letters must be added, taken out, replaced or swapped with their neighbours to make one word of the other:
    /// optimal string alignment.
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
        var (beforeLast, last) = ([Int](), Array(0...second.count))
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var least = min(last[column + 1] + 1, next[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last[second.count]
    }
}
