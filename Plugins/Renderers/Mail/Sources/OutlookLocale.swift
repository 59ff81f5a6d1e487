/// A language as Windows numbers them, with the country in the upper bits ([MS-LCID] 2.2).
enum OutlookLocale {
    private static let chinese = 0x04
    /// Where Chinese is written in the simpler signs: in China and in Singapore.
    private static let simplified: Set = [0x0804, 0x1004]
    /// Languages of two scripts in Cyrillic letters: Serbian in three countries, Bosnian, Azeri, Uzbek.
    private static let cyrillic: Set = [0x0C1A, 0x1C1A, 0x281A, 0x201A, 0x082C, 0x0843]

    /// Code pages by languages; what is missing is written in that of Western Europe.
    private static let pages = [
        0x01: 1256, 0x02: 1251, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949, 0x15: 1250,
        0x18: 1250, 0x19: 1251, 0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256, 0x22: 1251,
        0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x29: 1256, 0x2A: 1258, 0x2C: 1254, 0x2F: 1251,
        0x3F: 1251, 0x40: 1251, 0x43: 1254, 0x44: 1251, 0x50: 1251,
    ]

    /// The code page in which programs of that language write texts.
    /// - Parameter number: of the language and the country.
    static func codePage(_ number: Int) -> Int {
        if cyrillic.contains(number) { return 1251 }
        let language = number & 0x3FF
        if language == chinese { return simplified.contains(number) ? 936 : 950 }
        return pages[language] ?? 1252
    }
}
