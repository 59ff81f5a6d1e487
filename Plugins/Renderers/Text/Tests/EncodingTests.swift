import Foundation
import Testing
import VitrineKit
import VitrineTesting

@testable import TextRenderer

@Suite struct EncodingTests {
    private let encodings = TextEncodings()

    @Test("Texts in the encodings of the last century are read", arguments: EncodingSample.all)
    fileprivate func old(sample: EncodingSample) throws {
        #expect(try encodings.decode(sample.bytes, isWhole: true) == sample.text)
    }

    @Test("Unicode is read in all its forms, with and without marks")
    func unicode() throws {
        let text = String(repeating: "Größe 12 – plain words and a 😀\n", count: 10)
        func check(_ bytes: some Sequence<UInt8>, _ what: String) throws {
            #expect(try encodings.decode(Array(bytes), isWhole: true) == text, "\(what)")
        }
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let wide = text.unicodeScalars.flatMap { scalar in (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 255) } }
        try check(text.utf8, "UTF-8")
        try check([0xEF, 0xBB, 0xBF] + text.utf8, "UTF-8 with a mark")
        try check([0xFF, 0xFE] + little, "UTF-16LE")
        try check([0xFE, 0xFF] + big, "UTF-16BE")
        try check(little, "UTF-16LE without a mark")
        try check(big, "UTF-16BE without a mark")
        try check([0xFF, 0xFE, 0, 0] + wide, "UTF-32LE")
    }

    @Test("UTF-16 is read without a mark in any script", arguments: EncodingSample.scripts)
    fileprivate func wide(text: String) throws {
        for text in [text, String(repeating: text + "\n", count: 50), text + "\r\n1,5 % – x\r\n"] {
            let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            for bytes in [little, big] { #expect(try encodings.decode(bytes, isWhole: true) == text) }
        }
        #expect(encodings.found == "UTF-16")
    }

    @Test("What has zeros or control characters is not taken for UTF-16 for it")
    func narrow() {
        let texts = [
            Array("one\0two\0three\0four\0five\0".utf8), Array("a\u{1}b\u{2}c\u{1}dd\u{3}ee\n".utf8),
            Array(String(repeating: "1\t2\t3\n", count: 50).utf8), Array("日本語のテキスト\0日本\n".utf8),
            // Chinese in GB 2312, with one zero.
            [0, 0x0A] + [UInt8](repeating: 0xC4, count: 400), (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) },
        ]
        for text in texts { #expect(WideText(text) == nil, "\(text.prefix(20))") }
    }

    @Test("A letter that is cut by the end of what was read is left out")
    func cutLetter() throws {
        let bytes = Array("words 😀".utf8)
        for cut in 1...3 {
            #expect(try encodings.decode(Array(bytes.dropLast(cut)), isWhole: false) == "words ", "\(cut)")
        }
        #expect(try encodings.decode([0xFF, 0xFE, 0x41, 0, 0x3D], isWhole: false) == "A")
        #expect(try encodings.decode([0xFF, 0xFE, 0x41, 0, 0x3D, 0xD8], isWhole: false) == "A")
    }

    @Test("A few letters beyond ASCII are western")
    func few() throws {
        #expect(try encodings.decode(Array("caf".utf8) + [0xE9], isWhole: true) == "café")
        #expect(try encodings.decode([0x80], isWhole: true) == "€")
    }

    @Test("Korean of Windows is read with the syllables that EUC-KR lacks")
    func korean() throws {
        for words in EncodingSample.koreanOfWindows {
            let sample = EncodingSample(name: "CP949", text: words)
            let bytes = try sample.bytes
            #expect(try encodings.decode(bytes, isWhole: true) == words)
            #expect(encodings.found == "UHC", "\(words)")
            // Cut within its last syllable.
            let cut = try encodings.decode(Array(bytes.dropLast()), isWhole: false)
            #expect(cut.hasPrefix(words.dropLast()), "\(cut)")
        }
    }

    @Test("Pairs that Korean might have as well are none where other scripts, capitals or lines explain them")
    func noKorean() throws {
        let others: [(String, [UInt8])] = [
            ("kana", [0xA4, 0xB9, 0xA4, 0xD9, 0xA4, 0xC6, 0xA4, 0xCE, 0xBF, 0xCD, 0xB4, 0xD6, 0xA4, 0xCF]),
            ("capitals", [0xC5, 0x4C, 0xC4, 0x54, 0xC5, 0x53, 0xC4, 0x47, 0xC5, 0x52]),
            ("a line", [UInt8](repeating: 0xC4, count: 40)),
        ]
        for (what, bytes) in others {
            let text = try encodings.decode(bytes, isWhole: true, stated: "UHC")
            #expect(!KoreanPairs.fit(text, bytes), "\(what)")
        }
    }

    @Test("Any bytes end in letters or in a reason")
    func any() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                do throws(PluginError) { _ = try encodings.decode([first, second], isWhole: true) } catch {
                    #expect(error.code == .corrupt)
                }
            }
        }
    }
}

/// A text as it was once written.
private struct EncodingSample: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String

    var testDescription: String { name }

    /// Written by the program that comes with the C library.
    var bytes: [UInt8] {
        get throws {
            // In a file: what is written into a pipe whose reader has ended, ends this process.
            let folder = try ScratchFolder("encoding")
            let input = URL(filePath: folder.path + "/text")
            try Data(text.utf8).write(to: input)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/iconv")
            process.arguments = ["-f", "UTF-8", "-t", name]
            process.standardInput = try FileHandle(forReadingFrom: input)
            process.standardOutput = output
            try process.run()
            let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
            withExtendedLifetime(folder) {}
            return bytes
        }
    }

    private static let russian = "Все люди рождаются свободными и равными в своём достоинстве и правах.\n"
    private static let japanese = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n"
    private static let chinese = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。\n"
    private static let korean = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.\n"
    /// Syllables beyond EUC-KR, the last one at the end.
    static let koreanOfWindows = [
        "찦차를 타고 온 펲시맨과 쑛다리 똠방각하. 안녕하세요. 오늘은 날씨가 좋습니다. 뷁",
        String(repeating: "그는 햏자와 함께 펲시를 마셨다. 그 존엄과 권리에 있어 동등하다. 쀍 볠.\n", count: 3) + "뷁",
    ]
    private static let polish = "Zażółć gęślą jaźń. Źdźbło trawy, i pięć ślimaków na ścieżce.\n"
    private static let czech = "Příliš žluťoučký kůň úpěl ďábelské ódy, a šťastný býk žvýkal.\n"
    private static let hungarian = "Árvíztűrő tükörfúrógép, és a bőség zavara.\n"
    private static let german =
        "Alle Menschen sind frei und gleich an Würde geboren, fähig und natürlich über alles höflich.\n"
    /// Of no language.
    private static let list = "Größe, Überschrift, façade, naïve - Straße\r\n"
    private static let accents = "L'année dernière, un élève de la forêt a répété les mêmes leçons à sa mère.\n"
    private static let french = accents + "L’été–l’hiver, l’âme—l’être, là…où : «çà» et «là»\u{A0}!\n"

    /// Of signs that are letters in other encodings.
    private static let measures = "3±1 m³/h, a±b, x±y, 5¼×2 µm, kg·m²/s, ¶ §5¿ ü\r\n"
    private static let apple = "Élève à l’école, où ça coûte 5 œufs. Garçon été naïf.\n"
    private static let spanish = "¿Dónde está el niño? ¡Aquí, mañana será peor!\n"
    private static let greek = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.\n"
    private static let turkish =
        "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar, akıl ve vicdana sahiptirler.\n"
    private static let arabic = "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق"

    /// Texts of one line in Unicode.
    static let scripts = [russian, japanese + "1", chinese, korean, greek, arabic, polish + russian, "Привет"].map {
        $0.replacing("\n", with: $0 == "Привет" ? "" : " ")
    }

    static let all = [
        ("CP1251", russian), ("KOI8-R", russian), ("SHIFT_JIS", japanese), ("EUC-JP", japanese),
        ("ISO-2022-JP", japanese), ("GB18030", chinese), ("EUC-KR", korean), ("ISO-8859-1", german),
        ("CP1252", german), ("CP850", german), ("CP1252", list), ("CP850", list), ("CP1252", french),
        ("CP850", accents), ("MACINTOSH", german), ("MACINTOSH", list), ("MACINTOSH", accents), ("MACINTOSH", apple),
        ("ISO-8859-2", polish), ("CP1250", polish), ("ISO-8859-2", czech), ("CP1250", czech), ("ISO-8859-2", hungarian),
        ("ISO-2022-KR", korean), ("CP1252", measures), ("CP1252", spanish), ("CP1253", greek), ("ISO-8859-9", turkish),
    ].map { EncodingSample(name: $0.0, text: String(repeating: $0.1, count: 4)) }
}
