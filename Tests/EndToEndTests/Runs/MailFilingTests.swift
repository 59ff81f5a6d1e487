import Foundation
import TestServers
import Testing

/// Messages that go into collections by their subjects, from the settings to the note.
@Suite struct MailFilingTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private var source: String { "maildir://" + home.file("mail") }

    private func deliver(_ name: String, _ message: [UInt8]) throws {
        for part in ["cur", "tmp"] { _ = try home.write("mail/\(part)/.keep", []) }
        _ = try home.write("mail/new/\(name)", message)
    }

    private func settle(_ lines: String) throws { try home.configure("[source \(source)]\n\(lines)\n") }

    private func copies(_ collection: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: home.path + "/data/vitrine/collections/\(collection)"))?
            .sorted() ?? []
    }

    private static let invoice = MailSample.message(
        from: "\"Alice\" <alice@Example.org>", subject: "[Taxes] Invoice for January", text: "Please pay.\n",
        fields: ["Authentication-Results: mx.example.org; dmarc=pass header.from=example.org"],
        files: [
            .init(Array("invoice.pdf".utf8), Array("%PDF".utf8)),
            .init(Array("invoice.pdf".utf8), Array("%PDF 2".utf8)),
        ])

    @Test func messagesOfKnownSendersAreFiledOnce() async throws {
        try deliver("1.host", Self.invoice)
        try deliver("2.host", MailSample.message(from: "mallory@example.com", subject: "[Taxes] Pay me", files: []))
        try deliver("3.host", MailSample.message(subject: "Re: [Taxes] no"))
        try deliver(
            "4.host",
            MailSample.message(from: "alice@example.org, mallory@example.com", subject: "[Taxes] two senders"))
        try settle("known-senders = bob@example.org; alice@EXAMPLE.org")
        let first = try await home.run("index", source)
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(first.text.contains("filed under 'Taxes': Invoice for January (2 files)"), "\(first.text)")
        #expect(first.text.contains("2 messages with a '[' in their subjects are from no known sender"))
        #expect(copies("Taxes") == ["invoice (2).pdf", "invoice.pdf"])
        let note = try await home.run("note", "search", "please", "pay")
        #expect(note.text.contains("Invoice for January"), "\(note.text)")
        // Also after the user took something out again, and when it comes from elsewhere.
        _ = try await home.run(
            "collection", "remove", "Taxes", home.path + "/data/vitrine/collections/Taxes/invoice.pdf")
        try deliver("5.host", Self.invoice)
        let second = try await home.run("prebuild", source)
        #expect(!second.text.contains("filed under"), "\(second.text)")
        #expect(try await home.run("collection", "show", "Taxes").text.split(separator: "\n").count == 2)
        let list = try await home.run("collection", "filed", "--json").text
        #expect(list.split(separator: "\n").count == 1 && list.contains(#""sender":"alice@example.org""#), "\(list)")
        #expect(try await home.run("config").text.contains("known-senders"))
    }

    @Test func twoProcessesFileAMessageOnce() async throws {
        for number in 0..<5 {
            try deliver(
                "\(number).host",
                MailSample.message(
                    subject: "[Taxes] Number \(number)" + String(repeating: "!", count: number),
                    files: [.init(Array("file.txt".utf8), Array(repeating: UInt8(number), count: 100_000))]))
        }
        try settle("known-senders = alice@example.org")
        let both = [try home.start("index", source), try home.start("index", source)]
        for run in both { #expect(try await run.finish().exitCode == 0) }
        #expect(copies("Taxes").count == 5)
        #expect(
            try await home.run("note", "list", "--collection", "Taxes", "--json").text.split(separator: "\n").count == 5
        )
        #expect(try await home.run("collection", "filed", "--json").text.split(separator: "\n").count == 5)
    }

    @Test func withAServerThatMustConfirmThemForgeriesAreLeftAlone() async throws {
        try deliver("1.host", Self.invoice)
        try deliver("2.host", MailSample.message(subject: "[Taxes] forged"))
        try deliver(
            "3.host",
            MailSample.message(
                subject: "[Taxes] refuted",
                fields: [
                    "Authentication-Results: mx.example.org; dmarc=fail",
                    "Authentication-Results: mx.example.org; dmarc=pass",
                ]))
        try settle("known-senders = alice@example.org\nauthenticated-by = mx.example.org")
        let run = try await home.run("index", source)
        #expect(run.text.contains("filed under 'Taxes': Invoice"), "\(run.text)")
        #expect(run.text.contains("2 messages say to be from a known sender, which the mail server did not confirm"))
        #expect(try await home.run("collection", "filed", "--json").text.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        "known-senders = alice", "known-senders = Alice <a@b>", "authenticated-by = a; b", "authenticated-by =",
    ])
    func settingsThatMeanNothingAreRefused(line: String) async throws {
        try settle(line)
        let run = try await home.run("config", "check")
        #expect(run.exitCode == 1 && run.errors.contains("line 2"), "\(run.errors)")
    }
}
