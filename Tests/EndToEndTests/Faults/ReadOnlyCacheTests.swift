import Foundation
import Testing

/// What is only asked is answered where nothing can be written.
@Suite(.enabled(if: Ability.mounts, "mounting a file system read-only needs root's rights"))
struct ReadOnlyCacheTests {
    private let home: UserHome

    init() async throws {
        home = try UserHome()
        try home.copy("image/plain.jpg", as: "plain.jpg")
        #expect(try await home.run("source", "add", home.files, "--name", "pictures").exitCode == 0)
    }

    private var catalog: String { home.cache + "/vitrine/catalog.sqlite" }

    /// Runs the program while nothing can be written to the cache.
    private func ask(_ words: String...) async throws -> FinishedRun {
        try await home.run(withoutWritingTo: "XDG_CACHE_HOME", [home.program] + words)
    }

    private func killWriter() async throws {
        try await home.killWriter(of: catalog, after: "UPDATE meta SET value = value + 5 WHERE key = 'version'")
    }

    @Test func isReadAsItWasLeft() async throws {
        #expect(try await home.run("prebuild", "--progress=none", "pictures").exitCode == 0)
        let version = try await home.run("changes").text
        try #require(!FileManager.default.fileExists(atPath: catalog + "-wal"))
        for words in [["changes"], ["find", "plain"], ["source", "list"], ["cache", "stats"]] {
            let run = try await ask(words[0], words.count > 1 ? words[1] : "--json")
            #expect(run.exitCode == 0 && run.errors.isEmpty && !run.text.isEmpty, "\(words): \(run.errors)")
        }
        #expect(try await ask("find", "plain").text.contains("plain.jpg"))
        #expect(try await ask("source", "list").text.contains("complete"))
        #expect(try await ask("changes").text == version)
    }

    @Test func isReadWithWhatWasNotWrittenIntoTheFile() async throws {
        #expect(try await home.run("prebuild", "--progress=none", "pictures").exitCode == 0)
        let version = try #require(try await Int(home.run("changes").text.filter(\.isNumber)))
        try await killWriter()
        #expect(try await ask("changes").text == "version \(version + 5)\n")
        #expect(try await ask("find", "plain").text.contains("plain.jpg"))
        // Without the file that says where what is, nobody can read it there.
        try FileManager.default.removeItem(atPath: catalog + "-shm")
        let run = try await ask("changes")
        #expect(run.exitCode == 1 && run.text.isEmpty && run.errors.contains("catalog.sqlite-wal"), "\(run.errors)")
        let list = try await ask("source", "list")
        #expect(list.exitCode == 0 && list.text.contains("not known") && list.errors.contains("catalog.sqlite-wal"))
    }

    @Test func thatHoldsNoCatalogOrADamagedOneIsSaid() async throws {
        let none = try await ask("find", "plain")
        #expect(none.exitCode == 1 && none.errors.contains("nothing is indexed yet"), "\(none.errors)")
        #expect(try await ask("source", "list").text.contains("never indexed"))
        try FileManager.default.createDirectory(atPath: home.cache + "/vitrine", withIntermediateDirectories: true)
        try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: catalog))
        let damaged = try await ask("find", "plain")
        #expect(damaged.exitCode == 1 && damaged.errors.contains("it is damaged"), "\(damaged.errors)")
        #expect(FileManager.default.fileExists(atPath: catalog))
    }

    @Test func thatCannotBeMadeIsNamedWithWhatIsInTheWay() async throws {
        let run = try await ask("prebuild", "pictures")
        #expect(run.exitCode == 1, "\(run.errors)")
        let folder = home.cache + "/thumbnails"
        #expect(
            run.errors.contains("the cache's folder '\(folder)") && run.errors.contains("written to '\(home.cache)'"))
    }

    @Test func isReadByWhoMayNotWriteToIt() async throws {
        #expect(try await home.run("prebuild", "--progress=none", "pictures").exitCode == 0)
        chmod(home.cache, 0o755)
        for name in ["vitrine", "vitrine/catalog.sqlite"] { chmod("\(home.cache)/\(name)", 0o755) }
        let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", home.program]
        let run = try await home.run(program: nobody + ["find", "plain"])
        #expect(run.exitCode == 0 && run.text.contains("plain.jpg") && run.errors.isEmpty, "\(run.errors)")
        chmod(catalog, 0o600)
        let closed = try await home.run(program: nobody + ["find", "plain"])
        #expect(closed.exitCode == 1 && closed.errors.contains("Permission denied"), "\(closed.errors)")
    }
}
