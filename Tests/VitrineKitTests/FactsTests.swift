import Testing
import VitrineKit

/// Values that come out of strangers' files.
@Suite struct FactsTests {
    @Test func `a line is one line, clean, and no longer than allowed`() {
        #expect(Facts.line(" a\n\tb\u{A0}c ") == "a b c")
        #expect(Facts.line("a\u{1B}[2J\u{202E}b\u{0}") == "a [2Jb")
        #expect(Facts.line(" \n\u{200F}") == nil && Facts.line("") == nil)
        #expect(Facts.line(String(repeating: "é", count: 1000))?.utf8.count == FactValue.textLimit)
        #expect(Facts.line("ab cd", limit: 3) == "ab")
        let blanks = String(repeating: "\u{200F}", count: 1_000_000) + "x"
        #expect(Facts.line(blanks) == nil)
    }

    @Test func `what is set is cleaned, and what says nothing is left out`() {
        var facts = Facts()
        facts.set(.author, " Alice\n")
        facts.set(.frameRate, Double.nan)
        facts.set(.sheetNames, ["One", "", "\u{7}", "Two"])
        #expect(facts.details == [.author: .text("Alice"), .sheetNames: .list(["One", "Two"])])
        facts.set(.author, " ")
        facts.set(.sheetNames, (0..<1000).map { "\($0)" })
        guard case .list(let names) = facts.details[.sheetNames] else {
            Issue.record("there is no list")
            return
        }
        #expect(facts.text(.author) == nil && names.count == FactValue.listLimit)
    }

    @Test(arguments: ["", "Author", "1a", "a b", "a-b", "é", String(repeating: "a", count: 33)])
    func `a name that is no key is none`(name: String) { #expect(FactName(rawValue: name) == nil) }

    @Test(arguments: [
        ("2024", "2024"), ("2024-05", "2024-05"), ("2024-05-03", "2024-05-03"),
        ("2024-05-03T14:02:11Z", "2024-05-03T14:02:11Z"), ("2024-05-03T14:02:11.123+0200", "2024-05-03T14:02:11+02:00"),
        ("2024:05:03 14:02:11", "2024-05-03T14:02:11"), ("D:20240503140211-05'30'", "2024-05-03T14:02:11-05:30"),
        ("D:20240503140211Z00'00'", "2024-05-03T14:02:11Z"), ("D:20240503", "2024-05-03"), ("20240503", "2024-05-03"),
        ("2024-05-03T14:02", "2024-05-03T14:02:00"), ("2024-05-03T14", "2024-05-03"),
        ("2024-05-03T14:02:11+99:00", "2024-05-03T14:02:11"), ("2024-01-31 12:00", "2024-01-31T12:00:00"),
    ])
    func `dates are read as programs write them`(written: String, text: String) {
        #expect(FactDate(written)?.text == text)
    }

    @Test(arguments: [
        "", "soon", "0000:00:00 00:00:00", "2024-13-01", "2024-02-32", "2024-01-01T25:00:00", "99", "D:",
    ])
    func `what is no date is none`(written: String) { #expect(FactDate(written) == nil) }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
        (1_714_744_931, "2024-05-03T14:02:11Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (-11_644_473_600, "1601-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    ])
    func `moments of the clock are dates`(seconds: Int64, text: String) {
        #expect(FactDate(secondsSince1970: seconds)?.text == text)
    }

    @Test func `moments beyond four digits of years are none`() {
        for seconds in [Int64.min, .max, 253_402_300_800, -62_135_596_801] {
            #expect(FactDate(secondsSince1970: seconds) == nil)
        }
    }

    @Test(
        arguments: [
            (595.0, 842.0, "A4"), (842, 595, "A4 landscape"), (612, 792, "Letter"), (595.3, 841.9, "A4"),
            (500, 500, nil),
            (612, 1008, "Legal"),
        ] as [(Double, Double, String?)])
    func `papers have names`(width: Double, height: Double, name: String?) {
        var facts = Facts()
        facts.setPage(pointsWide: width, high: height)
        #expect(facts.text(.pageFormat) == name)
        #expect(facts.details[.pageWidth] != nil)
    }

    @Test func `pages without a size have none`() {
        var facts = Facts()
        for side in [0, -5, Double.nan, .infinity, 1e12] { facts.setPage(width: side, height: 100) }
        #expect(facts == Facts())
        #expect(Place(latitude: 91, longitude: 0) == nil && Place(latitude: .nan, longitude: 0) == nil)
    }
}
