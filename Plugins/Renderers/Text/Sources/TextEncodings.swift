internal import CLetters
internal import VitrineKit

/// Turns the bytes of a text into letters, whatever encoding they have.
///
/// The tables of the C library's converters are opened once, since no file can be opened later.
final class TextEncodings {
    private var converters: [String: iconv_t] = [:]
    /// The encoding of what was decoded last, by the name that people know it by.
    private(set) var found = "UTF-8"

    /// Encodings that texts still have, by uchardet's names; and the C library's name where a wider one is meant.
    private static let known: [(name: String, table: String)] = [
        ("SHIFT_JIS", "CP932"), ("EUC-JP", "EUC-JP"), ("ISO-2022-JP", "ISO-2022-JP"), ("GB18030", "GB18030"),
        ("HZ-GB-2312", "GB18030"), ("BIG5", "BIG5-HKSCS"), ("EUC-TW", "EUC-TW"), ("EUC-KR", korean), (korean, korean),
        (dosLatin, "CP850"), ("KOI8-R", "KOI8-R"), ("IBM866", "IBM866"), ("IBM855", "IBM855"), ("IBM852", "IBM852"),
        ("IBM437", "CP437"), ("IBM737", "CP737"), ("IBM857", "CP857"), ("IBM860", "CP860"), ("IBM861", "CP861"),
        ("IBM863", "CP863"), ("IBM865", "CP865"), ("WINDOWS-1254", "CP1254"),
        ("TIS-620", "CP874"), (escapedKorean, "ISO-2022-KR"), (macRoman, "MACINTOSH"),
        ("MAC-CYRILLIC", "MAC-CYRILLIC"), ("MAC-CENTRALEUROPE", "MAC-CENTRALEUROPE"), ("VISCII", "VISCII"),
        ("WINDOWS-1250", "CP1250"), ("WINDOWS-1251", "CP1251"),
        ("WINDOWS-1252", "CP1252"), ("WINDOWS-1253", "CP1253"), ("WINDOWS-1255", "CP1255"), ("WINDOWS-1256", "CP1256"),
        ("WINDOWS-1257", "CP1257"), ("WINDOWS-1258", "CP1258"), ("ISO-8859-1", "CP1252"), ("ISO-8859-2", "ISO-8859-2"),
        ("ISO-8859-3", "ISO-8859-3"), ("ISO-8859-4", "ISO-8859-4"), ("ISO-8859-5", "ISO-8859-5"),
        ("ISO-8859-6", "ISO-8859-6"), ("ISO-8859-7", "ISO-8859-7"), ("ISO-8859-8", "ISO-8859-8"),
        ("ISO-8859-9", "CP1254"), ("ISO-8859-10", "ISO-8859-10"), ("ISO-8859-11", "CP874"),
        ("ISO-8859-13", "ISO-8859-13"), ("ISO-8859-15", "ISO-8859-15"), ("ISO-8859-16", "ISO-8859-16"),
    ]

    /// What is left when nothing else fits: a table in which nearly every byte has a letter.
    private static let lastResort = "WINDOWS-1252"

    /// What DOS had in Western Europe, which uchardet does not know.
    private static let dosLatin = "IBM850"

    /// What the Macintosh had in Western Europe, which uchardet does not know either.
    private static let macRoman = "MACINTOSH"

    /// What Windows has in Korea.
    private static let korean = "UHC"

    /// What mails in Korean were once written in.
    private static let escapedKorean = "ISO-2022-KR"

    /// Encodings of more than one byte for a letter.
    private static let wideEncodings: Set = [
        "SHIFT_JIS", "EUC-JP", "ISO-2022-JP", "GB18030", "HZ-GB-2312", "BIG5", "EUC-TW", "EUC-KR", korean,
        escapedKorean,
    ]

    /// Letters beyond ASCII below which a guess at the encoding is worth nothing.
    private static let fewLetters = 8

    /// One control character in so many letters is forgiven.
    private static let lettersPerControl = 50

    /// Letters beside which any number of zeros is forgiven, in a text in UTF-8 that is sound but for them: a machine that went
    /// down leaves blocks of them in its logs, a log that is cut while it is written begins with them (of those within what is read of
    /// it, another one is none), and lists are filled up.
    private static let lettersAmongZeros = 64

    /// Opens the tables. Those that the C library does not have are left out.
    init() {
        for (name, table) in Self.known {
            let converter = iconv_open("UTF-8", table)
            if cletters_is_converter(converter) != 0 { converters[name] = converter }
        }
    }

    deinit { for converter in converters.values { iconv_close(converter) } }

    /// Decodes the beginning of a text.
    /// - Parameters:
    ///   - bytes: what was read of it.
    ///   - isWhole: whether that is all; else the last letter may be cut.
    ///   - stated: the encoding that it says to have, by uchardet's name; taken where it is known and the text not UTF-8.
    /// - Throws: `corrupt` when it is no text.
    func decode(_ bytes: [UInt8], isWhole: Bool, stated: String? = nil) throws(PluginError) -> String {
        let text = try letters(of: bytes, isWhole: isWhole, stated: stated)
        var (zeros, controls, strangers, total) = (0, 0, 0, 0)
        for scalar in text.unicodeScalars {
            total += 1
            if scalar == "\0" {
                zeros += 1
            } else if scalar.isControl {
                if !Self.isUsual(scalar) { controls += 1 }
            } else if !scalar.isASCII, scalar == "\u{FFFD}" || scalar.properties.generalCategory == .unassigned {
                strangers += 1
            }
        }
        let isSound = found == "UTF-8" && controls == 0 && strangers == 0 && total - zeros >= Self.lettersAmongZeros
        guard isSound || (zeros + controls) * Self.lettersPerControl <= total && strangers * 4 <= total else {
            throw PluginError(.corrupt, "the file is no text: it is full of bytes that no text has")
        }
        return text
    }

    /// Control characters that texts have: ends of lines and pages, tabs, backspace, escape, DOS's end of file, and what parts
    /// the nodes and names of Texinfo's manuals.
    private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x08...0x0D, 0x1A, 0x1B, 0x1F, 0x7F, 0x85: true
        default: false
        }
    }

    private func letters(of bytes: [UInt8], isWhole: Bool, stated: String?) throws(PluginError) -> String {
        found = "UTF-8"
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if let wide = WideText(bytes) {
            found = wide.width == 4 ? "UTF-32" : "UTF-16"
            return wide.text
        }
        // A letter has at most four bytes, of which the last three may be missing.
        for cut in 0...(isWhole ? 0 : 3) where cut < bytes.count {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self), !Self.hasEscapedLetters(text) {
                return text
            }
        }
        if let stated, converters[stated] != nil {
            found = stated
            return convert(bytes, from: stated)
        }
        found = bytes.firstRange(of: Self.koreanMark) == nil ? guess(bytes) : Self.escapedKorean
        return doubted(convert(bytes, from: found), bytes)
    }

    /// Tries others where a guess puts signs into words: short lists tell uchardet little of their language.
    private func doubted(_ guessed: String, _ bytes: [UInt8]) -> String {
        guard !Self.wideEncodings.contains(found) else { return guessed }
        var (best, signs) = (guessed, SignsInWords.count(in: guessed))
        for name in [Self.lastResort, Self.dosLatin] where signs > 0 && name != found {
            let other = convert(bytes, from: name)
            let count = SignsInWords.count(in: other)
            // What is about as bad is no better.
            if count * 2 < signs { (best, signs, found) = (other, count, name) }
        }
        guard signs >= Self.manySigns else { return best }
        for name in ["ISO-8859-2", "WINDOWS-1250", Self.macRoman] where name != found {
            let other = convert(bytes, from: name)
            if LanguageLetters.fit(other, name) {
                found = name
                return other
            }
        }
        return best
    }

    /// Signs in words that are no chance.
    private static let manySigns = 3

    /// Whether ASCII alone says letters of other scripts, as in ISO-2022-JP and ISO-2022-KR.
    private static func hasEscapedLetters(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
            && (text.contains("\u{1B}$B") || text.contains("\u{1B}$@") || text.utf8.firstRange(of: koreanMark) != nil)
    }

    /// With which texts in ISO-2022-KR begin (RFC 1557), be it behind the head of a mail.
    private static let koreanMark = Array("\u{1B}$)C".utf8)

    private func guess(_ bytes: [UInt8]) -> String {
        guard bytes.count(where: { $0 >= 0x80 || $0 == 0x1B }) >= Self.fewLetters, let detector = uchardet_new() else {
            return Self.lastResort
        }
        defer { uchardet_delete(detector) }
        bytes.withUnsafeBytes { buffer in
            _ = uchardet_handle_data(detector, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        uchardet_data_end(detector)
        let name = uchardet_get_charset(detector).map { String(cString: $0).uppercased() } ?? ""
        if name.isEmpty, KoreanPairs.fit(convert(bytes, from: Self.korean), bytes) { return Self.korean }
        return converters[name] == nil ? Self.lastResort : name
    }

    /// Converts bytes; those that mean nothing become the replacement character.
    private func convert(_ bytes: [UInt8], from name: String) -> String {
        guard let converter = converters[name] else { return String(decoding: bytes, as: UTF8.self) }
        iconv(converter, nil, nil, nil, nil)
        var input = bytes.map { CChar(bitPattern: $0) }
        // No table makes more than four bytes of one.
        var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                Self.run(converter, input, output)
            }
        }
        return String(decoding: output[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func run(
        _ converter: iconv_t, _ input: UnsafeMutableBufferPointer<CChar>, _ output: UnsafeMutableBufferPointer<CChar>
    ) -> Int {
        var (from, left) = (input.baseAddress, input.count)
        var (to, room) = (output.baseAddress, output.count)
        let replacement: [CChar] = [0xEF, 0xBF, 0xBD].map { CChar(bitPattern: $0) }
        while left > 0 {
            let before = left
            if iconv(converter, &from, &left, &to, &room) != -1 { break }
            guard left > 0, room > replacement.count, let next = to else { break }
            next.update(from: replacement, count: replacement.count)
            to = next + replacement.count
            room -= replacement.count
            from = from.map { $0 + 1 }
            left -= 1
            if left >= before { break }
        }
        return output.count - room
    }
}
