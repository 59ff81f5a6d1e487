/// Letters of languages beyond ASCII, by which an encoding is told that uchardet takes for another one.
enum LanguageLetters {
    /// Whether a text that was read in an encoding has letters of one of its languages, no other ones, and none where no writer
    /// puts them.
    /// - Parameters:
    ///   - text: the text.
    ///   - encoding: by uchardet's name.
    static func fit(_ text: String, _ encoding: String) -> Bool {
        guard let alphabets = alphabets[encoding] else { return false }
        var letters: Set<Unicode.Scalar> = []
        for scalar in text.unicodeScalars where !scalar.isASCII && !typographic.contains(scalar) {
            letters.insert(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
            // More than any language has.
            guard letters.count < 64 else { return false }
        }
        return letters.count >= fewest && alphabets.contains { letters.isSubset(of: $0) }
            && SignsInWords.count(in: text) == 0
    }

    /// Different letters that a text has at least: some may have been in it by chance.
    private static let fewest = 3

    private static let alphabets: [String: [Set<Unicode.Scalar>]] = [
        "ISO-8859-2": central, "WINDOWS-1250": central,
        // Western Europe, of whose languages texts mix words.
        "MACINTOSH": [Set("äöüßéèêëàâçîïôœùûÿñáíóúåæøãõìò".unicodeScalars)],
    ]

    /// Polish; Czech and Slovak; Hungarian; Slovene and Croatian.
    private static let central = [
        "ąćęłńóśźż", "áäčďéěíĺľňóôöřŕšťúůüýž", "áéíóöőúüű", "čćđšž",
    ].map { Set($0.unicodeScalars) }

    /// Signs that all of them use.
    private static let typographic = Set("’‘“”„‚«»‹›–—…•§©®°€\u{A0}¿¡".unicodeScalars)
}
