import Foundation
import TestServers
import Testing

/// Mailboxes as sources, and what is in them, by the URIs that a user is shown.
@Suite struct MailSourceTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    @Test func whatIsFoundCanBeNamed() async throws {
        let picture = try UserHome.fixture("image/rgb-8.png")
        for part in ["cur", "tmp"] { _ = try home.write("mail/\(part)/.keep", []) }
        _ = try home.write(
            "mail/new/1.host",
            MailSample.message(subject: "Holiday: 50 %", files: [.init(Array("sea side.png".utf8), picture)]))
        #expect(try await home.run("index", "maildir://" + home.file("mail")).exitCode == 0)
        let found = try await home.run("find", "sea", "--type", "image", "--json")
        let line = try #require(found.text.split(separator: "\n").first, "\(found.errors)")
        let uri =
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["uri"] as? String
        let attachment = try #require(uri)
        #expect(try await home.run("collection", "create", "Sea").exitCode == 0)
        for words in [
            ["get"], ["explain"], ["prebuild"], ["collection", "add", "Sea"], ["copy"],
        ] {
            let operands = [attachment] + (words == ["copy"] ? [home.file("copies")] : [])
            let run = try await home.run(program: [home.program] + words + operands)
            #expect(run.exitCode == 0, "\(words): \(run.errors)")
        }
        #expect(FileManager.default.fileExists(atPath: home.path + "/data/vitrine/collections/Sea/sea side.png"))
        #expect(try [UInt8](Data(contentsOf: URL(filePath: home.file("copies/sea side.png")))) == picture)
    }

    @Test func whatIsNoMailboxSaysSoAndNotWhatIsAboveIt() async throws {
        _ = try home.write("inv/a.txt", [1])
        for (place, reason) in [
            ("maildir:///nosuch", "'nosuch' is not in"), ("maildir://" + home.file("inv"), "is no Maildir"),
        ] {
            let run = try await home.run("prebuild", place)
            #expect(run.exitCode == 1 && (run.text + run.errors).contains(reason), "\(run.text)\(run.errors)")
        }
        let remote = try await home.run("prebuild", "rclone:drive:photos")
        let said = remote.text + remote.errors
        #expect(remote.exitCode == 1 && !said.contains("names no remote"), "\(said)")
    }
}
