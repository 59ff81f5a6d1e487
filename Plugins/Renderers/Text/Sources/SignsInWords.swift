/// Finds what no writer puts into words, and what stands there when a text is read in the wrong encoding.
enum SignsInWords {
    /// Counts signs between two letters, and capitals behind small letters: those beyond ASCII alone.
    static func count(in text: String) -> Int {
        var count = 0
        var (first, middle): (Unicode.Scalar, Unicode.Scalar) = (" ", " ")
        for scalar in text.unicodeScalars {
            if !middle.isASCII, first.properties.isAlphabetic {
                if middle.properties.isAlphabetic {
                    if middle.properties.isUppercase, first.properties.isLowercase { count += 1 }
                } else if scalar.properties.isAlphabetic, !joining.contains(middle), !isMark(middle) {
                    count += 1
                }
            }
            (first, middle) = (middle, scalar)
        }
        return count
    }

    /// Apostrophes, dashes, ellipsis, the dot of Catalan, the blank that breaks no line, and the hyphen that is not seen.
    private static let joining: Set<Unicode.Scalar> = [
        "\u{2019}", "\u{2018}", "\u{B4}", "\u{2013}", "\u{2014}", "\u{2026}", "\u{B7}", "\u{A0}", "\u{AD}",
    ]

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
