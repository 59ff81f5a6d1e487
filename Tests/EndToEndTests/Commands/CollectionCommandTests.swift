import Foundation
import TestSupport
import Testing

/// `vitrine collection` and `vitrine favorite`
@Suite struct CollectionCommandTests {
    private func folder(_ home: UserHome) -> String { home.path + "/data/vitrine/collections/Taxes" }

    private func copies(_ home: UserHome) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder(home)))?.sorted() ?? []
    }

    @Test func localFilesAreReferredTo() async throws {
        let home = try UserHome()
        let file = try home.write("a b.doc", [1])
        #expect(try await home.run("collection", "create", "Taxes").exitCode == 0)
        let clash = try await home.run("collection", "create", "Taxes")
        #expect(clash.exitCode == 1 && clash.errors.contains("'Taxes' already"))
        let added = try await home.run("collection", "add", "Taxes", file, home.files, home.file("none"))
        #expect(added.exitCode == 1)
        #expect(added.errors.contains("no regular file") && added.errors.contains(home.file("none")))
        #expect(try await home.run("collection", "show", "Taxes").text == file + "\n")
        #expect(try await home.run("collection", "add", "Taxes", file).errors.contains("already"))
        let json = try await home.run("collection", "list", "--json").text
        #expect(
            json.contains(#""items":1"#) && json.contains(#""name":"Taxes""#) && json.contains(#""favorite":false"#))
        #expect(try await home.run("collection", "remove", "Taxes", file).exitCode == 0)
        #expect(try await home.run("collection", "remove", "Taxes", file).exitCode == 1)
        #expect(try await home.run("collection", "delete", "Taxes").exitCode == 0)
        #expect(try await home.run("collection", "show", "Taxes").exitCode == 1)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func copiesHaveNamesOfTheirOwnAndStayUntilTheUserSaysSo() async throws {
        let home = try UserHome()
        _ = try await home.run("collection", "create", "Taxes")
        for number in UInt8(0)..<3 {
            let file = try home.write("\(number)/file.doc", [number])
            let run = try await home.run("collection", "add", "Taxes", "--copy", file)
            #expect(run.exitCode == 0 && run.text.contains(" is copied to "), "\(run.errors)")
        }
        #expect(copies(home) == ["file(1).doc", "file(2).doc", "file.doc"])
        #expect(try Data(contentsOf: URL(filePath: folder(home) + "/file(2).doc")) == Data([2]))
        // By what it was copied from.
        let one = try await home.run("collection", "remove", "Taxes", home.file("1/file.doc"), "--delete-copies")
        #expect(one.exitCode == 0)
        #expect(copies(home) == ["file(2).doc", "file.doc"])
        let kept = try await home.run("collection", "remove", "Taxes", folder(home) + "/file.doc")
        #expect(kept.errors.contains("a copy stays") && kept.errors.contains("deleted it") && copies(home).count == 2)
        #expect(try await home.run("collection", "delete", "Taxes", "--delete-copies").exitCode == 0)
        #expect(copies(home) == ["file.doc"])
    }

    @Test func aCopyThatWasDeletedIsMadeAgain() async throws {
        let home = try UserHome()
        _ = try await home.run("collection", "create", "Taxes")
        let file = try home.write("file.doc", [7])
        #expect(try await home.run("collection", "add", "Taxes", "--copy", file).exitCode == 0)
        #expect(try await home.run("collection", "add", "Taxes", "--copy", file).errors.contains("already"))
        try FileManager.default.removeItem(atPath: folder(home) + "/file.doc")
        let again = try await home.run("collection", "add", "Taxes", "--copy", file)
        #expect(again.exitCode == 0 && again.text.contains(" is copied to "), "\(again.errors)")
        #expect(copies(home) == ["file.doc"])
        #expect(try await home.run("collection", "show", "Taxes").text.hasPrefix(folder(home) + "/file.doc"))
        // What cannot be copied any more stays in mind.
        try FileManager.default.removeItem(atPath: folder(home) + "/file.doc")
        try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
        #expect(try await home.run("collection", "add", "Taxes", "--copy", file).exitCode == 1)
        #expect(try await home.run("collection", "show", "Taxes").text.hasPrefix(folder(home) + "/file.doc"))
        // What is referred to is no copy.
        let other = try home.write("other.doc", [8])
        #expect(try await home.run("collection", "add", "Taxes", other).exitCode == 0)
        let refused = try await home.run("collection", "add", "Taxes", "--copy", other)
        #expect(refused.exitCode == 1 && refused.errors.contains("'vitrine collection remove'"), "\(refused.errors)")
    }

    @Test(arguments: [SIGINT, SIGKILL]) func anInterruptedCopyLeavesNothing(_ signal: CInt) async throws {
        let home = try UserHome()
        _ = try await home.run("collection", "create", "Taxes")
        let file = try home.write("big.bin", [])
        truncate(file, 2 << 30)
        let program = try home.start("collection", "add", "Taxes", "--copy", file)
        let place = folder(home)
        try await Condition.met("the copy is under way", every: .milliseconds(1)) {
            ProcessTable.openFiles(of: program.pid).contains { $0.hasPrefix(place) } || program.hasEnded
        }
        program.send(signal)
        let run = try await program.finish()
        #expect(run.exitCode == (signal == SIGINT ? 130 : nil), "\(run.errors)")
        #expect(copies(home).isEmpty)
        #expect(try await home.run("collection", "list", "--json").text.contains(#""items":0"#))
    }

    @Test func aFileThatDoesNotFitIsAnErrorThatLeavesNothing() async throws {
        let home = try UserHome(prefix: ["/usr/bin/prlimit", "--fsize=1000000"])
        _ = try await home.run("collection", "create", "Taxes")
        let file = try home.write("big.bin", [UInt8](repeating: 1, count: 3_000_000))
        let run = try await home.run("collection", "add", "Taxes", "--copy", file)
        #expect(run.exitCode == 1 && run.errors.contains("not enough space"), "\(run.errors)")
        #expect(copies(home).isEmpty)
    }

    @Test func storagesThatNobodyServesAreNamed() async throws {
        let home = try UserHome()
        _ = try await home.run("collection", "create", "Taxes")
        let run = try await home.run("collection", "add", "Taxes", "gopher://host/a.pdf")
        #expect(run.exitCode == 1 && run.errors.contains("no plugin serves the scheme 'gopher'"))
    }

    @Test func favoritesAreFilesAndCollections() async throws {
        let home = try UserHome()
        let file = try home.write("a.doc", [1])
        _ = try await home.run("collection", "create", "Taxes")
        #expect(try await home.run("favorite", "add", file, "--collection", "Taxes").exitCode == 0)
        #expect(try await home.run("favorite").text == "collection Taxes\n\(file)\n")
        let json = try await home.run("favorite", "list", "--json").text
        #expect(json.contains(#""collection":"Taxes""#) && json.contains("\"uri\":\"file://\(file)\""))
        #expect(try await home.run("favorite", "remove", file).exitCode == 0)
        // As of what is not in a collection.
        let again = try await home.run("favorite", "remove", file)
        #expect(again.exitCode == 1 && again.errors.contains("is no favorite"), "\(again.errors)")
        #expect(try await home.run("favorite").text == "collection Taxes\n")
        #expect(try await home.run("favorite", "add").exitCode == 2)
        #expect(try await home.run("favorite", "add", "-c", "None").exitCode == 1)
    }
}
