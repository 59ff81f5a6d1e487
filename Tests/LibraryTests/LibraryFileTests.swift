import Foundation
import SQLite
import TestSupport
import Testing
import VitrineKit

@testable import Library

@Suite("A library's file")
struct LibraryFileTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("is the user's alone, also when it was open to others before")
    func modes() throws {
        let shelf = try Shelf()
        #expect(try mode(shelf.place.folder) == 0o700)
        #expect(try mode(shelf.place.file) == 0o600)
        #expect(try mode(shelf.place.file + "-wal") == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: shelf.place.file)
        _ = try shelf.reopened()
        #expect(try mode(shelf.place.file) == 0o600)
    }

    @Test("lies where the specification says")
    func places() throws {
        #expect(try LibraryPlace.standard(environment: ["XDG_DATA_HOME": "/d/"]).file == "/d/vitrine/library.sqlite")
        #expect(
            try LibraryPlace.standard(environment: ["XDG_DATA_HOME": "d", "HOME": "/h"]).folder
                == "/h/.local/share/vitrine")
        #expect(try LibraryPlace.standard(environment: ["HOME": "h"]).folder.hasSuffix("/.local/share/vitrine"))
    }

    @Test("keeps what another connection wrote, and counts each change once")
    func versions() throws {
        let shelf = try Shelf()
        let other = try shelf.reopened()
        #expect(try shelf.library.version == 0)
        try other.createCollection("Taxes")
        #expect(try shelf.library.collections().map(\.name) == ["Taxes"])
        #expect(try shelf.library.version == 1)
        try shelf.library.add("file:///a", to: "Taxes")
        try shelf.library.add("file:///a", to: "Taxes")
        #expect(code { try shelf.library.createCollection("Taxes") } == .exists)
        #expect(try other.version == 2)
    }

    @Test("of a newer version is refused and not touched")
    func newer() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Taxes")
        try Database(shelf.place.file).execute("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try Data(contentsOf: URL(filePath: shelf.place.file))
        let text = sentence { _ = try shelf.reopened() }
        #expect(text.contains("newer version") && text.contains(shelf.place.file))
        #expect(code { _ = try shelf.reopened() } == .unsupported)
        #expect(try Data(contentsOf: URL(filePath: shelf.place.file)) == before)
    }

    @Test("of another program is refused and not touched", arguments: [0, 3])
    func foreign(version: Int) throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        try Database(place.file).execute("CREATE TABLE t(a); PRAGMA user_version = \(version)")
        #expect(code { _ = try Library(at: place) } == .unsupported)
        let tables = try Database(place.file).rows("SELECT name FROM sqlite_master") { $0.text(0) }
        #expect(tables == ["t"])
    }

    @Test(
        "that is not there or empty, and cannot be written to, holds nothing, and who changes something is told why",
        arguments: [PluginError.Code.noSpace, .forbidden], [true, false])
    func empty(reason: PluginError.Code, isThere: Bool) throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        if isThere { try Data().write(to: URL(filePath: place.file)) }
        let library = try Library(reading: place, since: PluginError(reason, "the disk says no"))
        #expect(try library.sources() == [] && library.collections() == [] && library.version == 0)
        for change in [{ try library.checkCanChange() }, { try library.createCollection("Taxes") }] {
            #expect(code(change) == reason)
            #expect(sentence(change) == "there is no library yet, and none can be made: the disk says no")
        }
        #expect(FileManager.default.fileExists(atPath: place.file) == isThere)
    }

    @Test(
        "that can only be read refuses changes for the reason why", arguments: [PluginError.Code.noSpace, .forbidden])
    func unchangeable(reason: PluginError.Code) throws {
        let shelf = try Shelf()
        let library = try Library(reading: shelf.place, since: PluginError(reason, "the disk says no"))
        for change in [{ try library.checkCanChange() }, { try library.createCollection("Taxes") }] {
            #expect(code(change) == reason && sentence(change).hasSuffix("can only be read: the disk says no"))
        }
        #expect(code { try shelf.library.checkCanChange() } == nil)
    }

    @Test("that a killed process left half written is as it was before")
    func halfWritten() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Taxes")
        let copy = LibraryPlace(folder: shelf.place.folder + "/copy")
        try LibraryPlace.make(copy.folder)
        let source = shelf.place.folder + "/plain.sqlite"
        try Database(shelf.place.file).run("VACUUM INTO ?", .text(source))
        let writer = try Database(source)
        try writer.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 2; BEGIN IMMEDIATE")
        try writer.execute("UPDATE collection SET name = 'Half'")
        for number in 0..<200 {
            try writer.run(
                "INSERT INTO note(uri, title, text, created, modified) VALUES ('file:///a', ?, hex(randomblob(2000)), 0, 0)",
                .text("\(number)"))
        }
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: source + suffix, toPath: copy.file + suffix)
        }
        let library = try Library(at: copy)
        #expect(try library.collections().map(\.name) == ["Taxes"] && library.notes().isEmpty)
        #expect(try LibraryCare.check(copy).isEmpty)
    }

    @Test("that is damaged is refused, kept, and set aside only when the user says so")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        let rubbish = Data(repeating: 0x5A, count: 8192)
        try rubbish.write(to: URL(filePath: place.file))
        let text = sentence { _ = try Library(at: place) }
        #expect(text.contains("damaged") && text.contains("vitrine library restore"))
        #expect(try Data(contentsOf: URL(filePath: place.file)) == rubbish)

        let done = try LibraryCare.restore(place)
        let aside = try #require(done.aside)
        #expect(!done.restored)
        #expect(aside.hasPrefix(place.file + ".damaged-20"))
        #expect(try Data(contentsOf: URL(filePath: aside)) == rubbish)
        #expect(try Library(at: place).collections().isEmpty)
    }

    @Test("is restored from its backup, and the damaged one stays beside it")
    func restored() throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        do {
            let library = try Library(at: place)
            try library.createCollection("Taxes")
            try library.addNote(to: .collection("Taxes"), title: "Receipts", text: "in the blue folder")
            try library.backUp()
        }
        let file = try FileHandle(forWritingTo: URL(filePath: place.file))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
        #expect(code { _ = try Library(at: place) } == .corrupt)
        #expect(try LibraryCare.restore(place).restored)
        let library = try Library(at: place)
        #expect(try library.notes().map(\.title) == ["Receipts"])
        #expect(try library.findNotes("blue").count == 1)
        #expect(try LibraryCare.check(place).isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.contains("damaged") }.count == 1)
        #expect(names.contains("library.sqlite.backup"))
    }

    @Test("that is gone while its backup is there is not begun anew")
    func lost() throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        try Library(at: place).createCollection("Taxes")
        #expect(FileManager.default.fileExists(atPath: place.backup))
        for suffix in ["", "-wal", "-shm"] { unlink(place.file + suffix) }
        #expect(sentence { _ = try Library(at: place) }.contains("vitrine library restore"))
        #expect(!FileManager.default.fileExists(atPath: place.file))
        #expect(try LibraryCare.restore(place) == (nil, true))
        #expect(try Library(at: place).collections().map(\.name) == ["Taxes"])
    }

    @Test("damaged in the middle says what to do when the damage is met")
    func partlyDamaged() throws {
        let folder = try TemporaryFolder()
        let place = LibraryPlace(folder: folder.path)
        do {
            let library = try Library(at: place)
            for number in 0..<200 {
                try library.addNote(
                    to: .item("file:///\(number)"), title: "n", text: String(repeating: "x \(number) ", count: 50))
            }
        }
        try Database(place.file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: place.file)[.size] as? Int)
        let file = try FileHandle(forWritingTo: URL(filePath: place.file))
        try file.seek(toOffset: UInt64(4096 * 4))
        try file.write(contentsOf: Data(repeating: 0xFF, count: size - 4096 * 4))
        try file.close()
        let before = try Data(contentsOf: URL(filePath: place.backup))
        let text = sentence {
            let library = try Library(at: place)
            _ = try library.notes()
        }
        #expect(text.contains("damaged") && text.contains("vitrine library restore"), "\(text)")
        #expect(code { try Library(at: place).backUp() } == .corrupt)
        #expect(try Data(contentsOf: URL(filePath: place.backup)) == before)
    }
}
