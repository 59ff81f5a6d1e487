import Testing

@testable import Vitrine

@Suite struct FilingTests {
    @Test(
        "Subjects name collections",
        arguments: [
            ("[Taxes] Invoice", "Taxes", "Invoice"), ("[Taxes]", "Taxes", "Taxes"),
            ("[ Summer 2024 ]  x ", "Summer 2024", "x"),
            ("[a][b] c", "a", "[b] c"), ("[日本] 旅", "日本", "旅"), ("[a] b\u{202E}c", "a", "bc"),
            ("[Summer\u{A0}2024] x", "Summer 2024", "x"),
        ])
    func subjects(text: String, collection: String, title: String) {
        #expect(FiledSubject(text)?.collection == collection && FiledSubject(text)?.title == title)
    }

    @Test(
        "What names none is left alone",
        arguments: [
            "", "Taxes", "[Taxes", "Re: [Taxes] x", " [Taxes] x", "[] x", "[../x] y", "[..] y", "[a/b]", "[\u{202E}a]",
            "[a\u{200B}] x",
        ])
    func noSubjects(text: String) { #expect(FiledSubject(text) == nil) }

    @Test("Long titles are cut")
    func longTitles() throws {
        let subject = try #require(FiledSubject("[a] " + String(repeating: "ü", count: 5000)))
        #expect(subject.title.count == 200)
        let accents = try #require(FiledSubject("[a] e" + String(repeating: "\u{301}", count: 5000)))
        #expect(accents.title.utf8.count <= 800)
    }

    @Test(
        "Only the own server's first word counts",
        arguments: [
            (["mx.example.org; dmarc=pass header.from=example.com"], true),
            (["mx.example.org 1; spf=fail; dkim=pass (good) header.d=example.com header.s=x"], true),
            (["other.example; dmarc=pass", "MX.example.org; dmarc=pass"], true),
            (["mx.example.org; dmarc=fail", "mx.example.org; dmarc=pass"], false),
            (["mx.example.org; dkim=pass header.d=mallory.example"], false),
            (["mx.example.org; dmarc=pass header.from=mallory.example"], false),
            (["other.example; dmarc=pass"], false), (["mx.example.org; none"], false), ([], false), ([""], false),
            (["mx.example.org; dmarc=fail (dmarc=pass)"], false),
            (["mx.example.org; spf=pass smtp=\"; dmarc=pass\""], false),
            (["mx.example.org; dkim=pass"], false), (["mx.example.org.mallory.example; dmarc=pass"], false),
        ])
    func authentication(fields: [String], isProven: Bool) {
        #expect(AuthenticationResults.prove(fields, by: "mx.example.org", domain: "example.com") == isProven)
    }
}
