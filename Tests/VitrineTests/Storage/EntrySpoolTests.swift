import Foundation
import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

/// Folders that wait on disk.
struct EntrySpoolTests {
    @Test func `entries come back from the disk as they were`() throws {
        var full = Entry(name: [0xFF, 0x0A, 0x20], kind: .file, size: 1 << 40)
        full.modified = Timestamp(seconds: -1, nanoseconds: 999_999_999)
        full.etag = "ä\u{0}\""
        full.identifier = .max
        full.volume = 7
        full.contentType = "image/png"
        var half = Entry(name: Array("a".utf8), kind: .file, size: -1)
        half.etag = ""
        let bare = [Entry.Kind.folder, .link, .special, .file].map { Entry(name: [0x61], kind: $0) }
        let many = (0..<Int64(5000)).map { Entry(name: Array("\($0)".utf8), kind: .file, size: $0) }
        let spool = try #require(SpoolRoom.shared.spool())
        for page in [[full, half], [], bare, many] { #expect(spool.add(page)) }
        #expect(spool.count == 4)
        #expect(try spool.page(3) == many && spool.page(2) == bare)
        #expect(try spool.page(0) == [full, half] && spool.page(1).isEmpty)
    }

    @Test func `files for large folders have no name and share their room`() throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path + "/spool"
        #expect(SpoolRoom(in: folder).spool() == nil)
        #expect(mkdir(folder, 0o700) == 0)
        for unnamed in [true, false] {
            let descriptor = NamelessFile.open(in: folder, unnamed: unnamed)
            defer { close(descriptor) }
            #expect(descriptor >= 0 && fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
        let many = (0..<Int64(100)).map { Entry(name: Array("\($0)".utf8), kind: .file, size: $0) }
        let room = SpoolRoom(in: folder, bytes: 5000, files: 2)
        do {
            let first = try #require(room.spool())
            let second = try #require(room.spool())
            #expect(room.spool() == nil)
            #expect(first.add(many) && !second.add(many) && !first.add(many))
            #expect(try first.page(0) == many)
        }
        let next = try #require(room.spool())
        #expect(next.add(many))
    }
}
