import Foundation
import Testing

/// `--password-command` and `--cache-encrypted`
@Suite struct PasswordTests {
    static let locked =
        ["pdf/user-password.pdf"] + ["docx", "odt", "doc", "xls"].map { "office/password.\($0)" }

    @Test(arguments: locked)
    func anEncryptedFileIsDrawnAndNotKept(_ fixture: String) async throws {
        let home = try UserHome()
        let file = try home.copy(fixture, as: String(fixture.drop { $0 != "/" }.dropFirst()))
        let picture = home.path + "/picture.png"
        let run = try await home.run("get", file, "--password-command", "echo vitrine", "-o", picture)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(try PNGFile(picture).longerSide == 256)
        #expect(try !pictures(home).contains { try PNGFile($0).longerSide > 1 })
        #expect(try !mentions("vitrine\n", below: home.cache))
    }

    @Test(arguments: [
        ("pdf/user-password.pdf", true), ("office/password.docx", true), ("comic/locked.cbz", false),
    ])
    func theOptionIsNamedWhereItHelps(_ fixture: String, helps: Bool) async throws {
        let home = try UserHome()
        let file = try home.copy(fixture, as: String(fixture.drop { $0 != "/" }.dropFirst()))
        let run = try await home.run("get", file)
        #expect(run.exitCode == 1 && run.errors.contains("password"), "\(run.errors)")
        #expect(run.errors.contains("; --password-command opens it") == helps, "\(run.errors)")
        let way = try await home.run("explain", file)
        #expect(way.text.contains("; --password-command opens it") == helps, "\(way.text)")
        let text = try await home.run("text", file)
        #expect(text.exitCode == 1, "\(text.errors)")
        #expect(text.errors.contains("; --password-command opens it") == helps, "\(text.errors)")
    }

    @Test func nobodyIsAskedForAPasswordThatOpensNothing() async throws {
        let home = try UserHome()
        let asked = home.path + "/asked"
        for (fixture, isAsked) in [
            ("comic/locked.cbz", false), ("archive/hidden.7z", false), ("pdf/user-password.pdf", true),
        ] {
            let file = try home.copy(fixture, as: String(fixture.drop { $0 != "/" }.dropFirst()))
            let run = try await home.run("get", file, "--password-command", "touch \(asked)")
            #expect(run.exitCode == 1 && run.errors.contains("password"), "\(run.errors)")
            #expect((access(asked, F_OK) == 0) == isAsked, "\(fixture)")
        }
    }

    @Test(arguments: ["pdf/user-password.pdf", "office/password.docx", "office/password.xls"])
    func theTextOfAnEncryptedFileIsPrintedAndNotKept(_ fixture: String) async throws {
        let home = try UserHome()
        let file = try home.copy(fixture, as: String(fixture.drop { $0 != "/" }.dropFirst()))
        let run = try await home.run("text", file, "--password-command", "echo vitrine")
        #expect(run.exitCode == 0 && run.text.contains { $0.isLetter }, "\(run.errors)")
        #expect(home.cached.isEmpty)
    }

    @Test func popplerTakesPasswordsToo() async throws {
        let home = try UserHome()
        try home.configure("[plugin pdfium]\nenabled = false\n")
        let file = try home.copy("pdf/user-password.pdf", as: "a.pdf")
        #expect(try await home.run("get", file).errors.contains("; --password-command opens it"))
        let run = try await home.run("get", file, "--password-command", "echo vitrine", "-o", home.path + "/a.png")
        #expect(run.exitCode == 0, "\(run.errors)")
        let foreign = try await home.run("get", file, "--password-command", "echo пароль", "-o", home.path + "/b.png")
        #expect(foreign.errors.contains("does not open it"), "\(foreign.errors)")
        let wrong = try await home.run("get", file, "--password-command", "echo no", "-o", home.path + "/b.png")
        #expect(wrong.errors.contains("does not open it") && wrong.errors.contains("poppler"), "\(wrong.errors)")
    }

    @Test func withoutAPlaceForItThePictureIsNotLost() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/user-password.pdf", as: "a.pdf")
        let run = try await home.run("get", file, "--password-command", "echo vitrine")
        #expect(run.exitCode == 1 && run.output.isEmpty)
        #expect(run.errors.contains("say with -o where it belongs"), "\(run.errors)")
    }

    @Test func aWrongPasswordIsAnErrorOfItsOwnAndNotRemembered() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/user-password.pdf", as: "a.pdf")
        let wrong = try await home.run("get", file, "--password-command", "echo Geheimnis9", "-o", home.path + "/a.png")
        #expect(wrong.exitCode == 1)
        #expect(wrong.errors.contains("the password that the password command gave does not open it"))
        #expect(!wrong.errors.contains("Geheimnis9"))
        #expect(!FileManager.default.fileExists(atPath: home.path + "/a.png"))
        #expect(try pictures(home).isEmpty)
        let none = try await home.run("get", file, "--password-command", "exit 1", "-o", home.path + "/a.png")
        #expect(none.exitCode == 1 && none.errors.contains("the password command knows none"), "\(none.errors)")
        #expect(!none.errors.contains("opens it"), "\(none.errors)")
        // That one is remembered, but not who was asked, and asked for again.
        let nobody = try await home.run("get", file)
        #expect(nobody.errors.contains("; --password-command opens it"), "\(nobody.errors)")
        #expect(!nobody.errors.contains("knows none"), "\(nobody.errors)")
        let right = try await home.run("get", file, "--password-command", "echo vitrine", "-o", home.path + "/a.png")
        #expect(right.exitCode == 0, "\(right.errors)")
    }

    @Test func nobodyIsAskedForWhatIsNotLocked() async throws {
        let home = try UserHome()
        for name in ["plain.pdf", "owner-password.pdf"] {
            let file = try home.copy("pdf/\(name)", as: name)
            let run = try await home.run("get", file, "--password-command", "touch '\(home.path)/asked'; echo x")
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.path + "/asked"))
    }

    @Test func oneQuestionServesAllPages() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/user-password.pdf", as: "a.pdf")
        let ask = "cat >> '\(home.path)/asked'; echo vitrine"
        let run = try await home.run(
            "get", file, "--pages", "1-3", "--password-command", ask, "-o", home.path + "/sheet.webp")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: home.path + "/sheet.webp"))
        #expect(try String(contentsOfFile: home.path + "/asked", encoding: .utf8) == "file://\(file)\n")
        #expect(try pictures(home).isEmpty)
    }

    @Test func aRunKeepsPreviewsOfEncryptedFilesOnlyWhenItIsToldTo() async throws {
        let home = try UserHome()
        try home.copy("pdf/user-password.pdf", as: "a.pdf")
        try home.copy("pdf/plain.pdf", as: "b.pdf")
        let refused = try await home.run("prebuild", home.files, "--password-command", "echo vitrine")
        #expect(refused.exitCode == 2 && refused.errors.contains("--cache-encrypted"), "\(refused.errors)")
        // In the settings it is no mistake, and nobody is asked.
        try home.configure("[passwords]\ncommand = touch '\(home.path)/asked'; echo vitrine\n")
        let first = try await home.run("prebuild", home.files)
        #expect(first.errors.contains("needs a password; --cache-encrypted opens it"), "\(first.errors)")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/asked"))
        let second = try await home.run("prebuild", home.files, "--cache-encrypted", "--progress", "json")
        #expect(try second.summary().made == 1 && second.summary().failed == 0, "\(second.text)")
        #expect(FileManager.default.fileExists(atPath: home.path + "/asked"))
        #expect(try await home.run("get", home.file("a.pdf")).exitCode == 0)
    }

    /// Whether the file was met, and failed, before there was a password.
    @Test(arguments: [false, true])
    func noOtherFileTakesOverThePictureOfAnEncryptedOne(_ failedBefore: Bool) async throws {
        let home = try UserHome()
        try home.copy("pdf/user-password.pdf", as: "a.pdf")
        if failedBefore { _ = try await home.run("prebuild", home.files) }
        let password = ["--password-command", "echo vitrine", "--cache-encrypted", "--progress", "json"]
        for more in [[], ["--format", "webp"]] {
            let run = try await home.run(bytes: (["prebuild", home.files] + password + more).map { Array($0.utf8) })
            #expect(try run.summary().made == 1, "\(run.text)")
        }
        try home.copy("pdf/user-password.pdf", as: "b.pdf")
        for more in [[], ["--format", "webp"]] {
            let run = try await home.run(
                bytes: (["prebuild", home.files, "--progress", "json"] + more).map { Array($0.utf8) })
            let summary = try run.summary()
            #expect(summary.valid == 1 && summary.made == 0 && summary.failed == 1, "\(run.text)")
        }
    }

    /// Whether somebody opens it with a password.
    @Test(arguments: [false, true])
    func whatAFileShowedBeforeItWasEncryptedDoesNotStay(_ isOpened: Bool) async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/plain.pdf", as: "a.pdf")
        _ = try await home.run("prebuild", "--size=normal,large,300", home.files)
        #expect(try pictures(home).count == 3)
        try home.copy("pdf/user-password.pdf", as: "a.pdf")
        if isOpened {
            let run = try await home.run(
                "get", file, "--password-command", "echo vitrine", "-o", home.path + "/picture.png")
            #expect(run.exitCode == 0, "\(run.errors)")
        } else {
            _ = try await home.run("prebuild", "--size=normal", home.files)
        }
        #expect(try pictures(home).filter { $0.contains("/normal/") || $0.contains("/large/") } == [])
        if !isOpened { #expect(try pictures(home).isEmpty) }
    }

    @Test func explainSaysThatAPasswordOpenedIt() async throws {
        let home = try UserHome()
        let file = try home.copy("pdf/user-password.pdf", as: "a.pdf")
        let run = try await home.run("explain", file, "--password-command", "echo vitrine")
        #expect(run.text.contains("rendered by pdf") && run.text.contains(", with a password"), "\(run.text)")
    }

    private func pictures(_ home: UserHome) throws -> [String] {
        let all = FileManager.default.enumerator(atPath: home.cache)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(".png") && !$0.contains("/fail/") }.map { home.cache + "/" + $0 }
    }

    private func mentions(_ text: String, below folder: String) throws -> Bool {
        let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return all.contains { name in
            (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)")))?.range(of: Data(text.utf8)) != nil
        }
    }
}
