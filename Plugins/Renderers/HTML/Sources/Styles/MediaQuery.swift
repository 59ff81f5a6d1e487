/// The media that rules are meant for: litehtml holds for true what it does not know.
enum MediaQuery {
    /// Features of users, who are not here, and of other media.
    private static let features = [
        "prefers-", "forced-colors", "inverted-colors", "hover", "pointer", "display-mode", "print", "speech",
    ]
    /// Of these what is the case where nothing else was chosen.
    private static let usual = ["(prefers-color-scheme: light)", "no-preference)", "not print", "not speech"]

    /// Writes a list of queries anew.
    /// - Parameter list: in lower case.
    /// - Returns: `nil` where all of them are meant for other media.
    static func written(_ list: Substring) -> String? {
        let kept = list.split(separator: ",").compactMap { query -> String? in
            guard features.contains(where: query.contains) else { return ranges(String(query)) }
            let plain = query.replacing(":light", with: ": light")
            return usual.contains(where: plain.contains) ? "all" : nil
        }
        return kept.isEmpty ? nil : kept.joined(separator: ",")
    }

    /// Writes bounds as features of their own (Media Queries 4, 2.4.3).
    private static func ranges(_ query: String) -> String {
        guard query.contains("<") || query.contains(">") else { return query }
        var query = query
        for name in ["width", "height"] {
            for (sign, prefix) in [(">=", "min-"), ("<=", "max-"), (">", "min-"), ("<", "max-")] {
                for space in [" ", ""] {
                    query = query.replacing("(\(name)\(space)\(sign)", with: "(\(prefix)\(name):")
                }
            }
        }
        return query
    }
}
