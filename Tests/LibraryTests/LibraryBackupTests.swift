import Foundation
import Library
import SQLite
import Testing
import VitrineKit

@Suite("A library's backup")
struct LibraryBackupTests {
    private func date(_ path: String, hoursAgo: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3600 * hoursAgo)], ofItemAtPath: path)
    }

    private func names(_ place: LibraryPlace) throws -> [String] {
        try Database(place.backup, access: .readOnly).rows("SELECT name FROM collection ORDER BY name") { $0.text(0) }
    }

    @Test("is written when there is something to keep, and for the user alone")
    func first() throws {
        let shelf = try Shelf()
        #expect(!FileManager.default.fileExists(atPath: shelf.place.backup))
        try shelf.library.createCollection("One")
        #expect(try names(shelf.place) == ["One"])
        let mode = try FileManager.default.attributesOfItem(atPath: shelf.place.backup)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("is renewed once it is a day old, when something has changed")
    func renewed() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("One")
        try date(shelf.place.backup, hoursAgo: 23)
        try shelf.library.createCollection("Two")
        #expect(try names(shelf.place) == ["One"])
        try date(shelf.place.backup, hoursAgo: 25)
        _ = try shelf.reopened()
        #expect(try names(shelf.place) == ["One", "Two"])

        let before = try FileManager.default.attributesOfItem(atPath: shelf.place.backup)[.systemFileNumber] as? UInt64
        try date(shelf.place.backup, hoursAgo: 25)
        _ = try shelf.reopened()
        let after = try FileManager.default.attributesOfItem(atPath: shelf.place.backup)[.systemFileNumber] as? UInt64
        #expect(before == after, "nothing had changed")
    }

    @Test("with a date in the future does not hold up the next one")
    func future() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("One")
        try date(shelf.place.backup, hoursAgo: -1000)
        try shelf.library.createCollection("Two")
        #expect(try names(shelf.place) == ["One", "Two"])
    }

    @Test("that cannot be written is told, and fails nothing else")
    func failing() throws {
        let shelf = try Shelf()
        try FileManager.default.createDirectory(atPath: shelf.place.backup, withIntermediateDirectories: false)
        try date(shelf.place.backup, hoursAgo: 48)
        try shelf.library.createCollection("One")
        #expect(shelf.library.failureOfBackup?.message.contains(shelf.place.backup) == true)
        #expect(try shelf.library.collections().count == 1)
        let left = try FileManager.default.contentsOfDirectory(atPath: shelf.place.folder)
        #expect(!left.contains { $0.hasPrefix("library.sqlite.backup-") })
    }

    @Test("leaves nothing of a process that was killed")
    func leftovers() throws {
        let shelf = try Shelf()
        // No process has this number: it is above the kernel's limit.
        let left = shelf.place.backup + "-4194305-abc"
        try Data([1]).write(to: URL(filePath: left))
        try shelf.library.createCollection("One")
        #expect(!FileManager.default.fileExists(atPath: left))
    }
}
