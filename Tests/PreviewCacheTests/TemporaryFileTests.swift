import Foundation
import Testing

@testable import PreviewCache

/// Files on their way to the name of an entry.
struct TemporaryFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func partsFollowOneAnother() throws {
        let long = [UInt8](repeating: 7, count: 1 << 20)
        var file = try TemporaryFile(in: scratch.path)
        try file.write([[1, 2][...], [][...], long[...], [9, 3][1...]])
        try file.write([])
        try file.commit(to: scratch.path + "/entry")
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/entry")) == Data([1, 2] + long + [3]))
        #expect(scratch.files == ["entry"])
    }

    @Test func aNewNameIsTakenOnlyWhereThereIsNone() throws {
        try scratch.file("old", [1])
        for name in ["old", "new", "folder/new"] {
            var file = try TemporaryFile(in: scratch.path)
            try file.write([[UInt8(name.utf8.count)][...]])
            let isTaken = try file.commit(toNew: scratch.path + "/" + name)
            #expect(isTaken == (name == "new"))
            if !isTaken { try file.commit(to: scratch.path + "/" + name) }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/old")) == Data([3]))
        #expect(scratch.files.sorted() == ["folder/new", "new", "old"])
    }

    @Test func whatIsNotNamedIsDeleted() throws {
        try scratch.file("old", [1])
        do {
            var file = try TemporaryFile(in: scratch.path)
            try file.write([[2][...]])
            #expect(try !file.commit(toNew: scratch.path + "/old"))
        }
        #expect(scratch.files == ["old"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/old")) == Data([1]))
    }
}
