import Foundation
import TestSupport
import Testing

@testable import Vitrine

@Suite("A copy's file")
struct CollectionFileTests {
    static let names: [(String, String, String)] = [
        ("file.doc", "file.doc", "file(1).doc"), ("a.tar.gz", "a.tar.gz", "a(1).tar.gz"),
        ("map.svg.gz", "map.svg.gz", "map(1).svg.gz"), ("log.gz", "log.gz", "log(1).gz"),
        ("README", "README", "README(1)"), (".profile", "_profile", "_profile(1)"),
        ("v1.2 final", "v1.2 final", "v1.2 final(1)"), ("report 2.0", "report 2.0", "report 2.0(1)"),
        ("a:b?.pdf", "a_b_.pdf", "a_b_(1).pdf"), ("line\nbreak\u{202E}.txt", "line_break_.txt", "line_break_(1).txt"),
        ("dots...", "dots", "dots(1)"), ("\u{7F}", "_", "_(1)"), ("...", "file", "file(1)"),
        ("日本語.pdf", "日本語.pdf", "日本語(1).pdf"), ("file(1).doc", "file(1).doc", "file(1)(1).doc"),
        ("..\\..\\x.doc", "_._.._x.doc", "_._.._x(1).doc"),
    ]

    @Test("has a name that every file system takes, and keeps its extension", arguments: names)
    func named(_ name: String, _ first: String, _ second: String) {
        let safe = CollectionFileName(Array(name.utf8))
        #expect(safe.text(0) == first)
        #expect(safe.text(1) == second)
    }

    @Test("has a name of at most 255 bytes, whole letters and all of the extension")
    func long() {
        let name = CollectionFileName(Array((String(repeating: "é", count: 200) + ".tar.gz").utf8))
        for number in [0, 1, 9999] {
            let text = name.text(number)
            #expect(text.utf8.count <= 255 && text.utf8.count > 250)
            #expect(text.hasSuffix(".tar.gz") && text.hasPrefix("éé") && !text.contains("\u{FFFD}"))
        }
        #expect(CollectionFileName([0xFF, 0x61, 0x2E, 0x74, 0x78, 0x74]).text(0) == "_a.txt")
    }

    @Test("has no name before it is placed, never replaces another, and leaves nothing", arguments: [true, false])
    func placed(unnamed: Bool) throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.path + "/collections/C"
        let name = CollectionFileName(Array("file.doc".utf8))
        for (number, expected) in ["file.doc", "file(1).doc", "file(2).doc"].enumerated() {
            let file = try CollectionFile(in: folder, unnamed: unnamed)
            try file.write([UInt8(number)])
            try file.flush()
            #expect(try visible(folder).count == number)
            #expect(try file.place(name) == "\(folder)/\(expected)")
        }
        do {
            let abandoned = try CollectionFile(in: folder, unnamed: unnamed)
            try abandoned.write([9])
        }
        let all = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(all == ["file(1).doc", "file(2).doc", "file.doc"])
        #expect(try Data(contentsOf: URL(filePath: folder + "/file.doc")) == Data([0]))
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/file.doc")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("that a killed process left is removed by the next one")
    func leftovers() throws {
        let scratch = try TemporaryFolder()
        func makeOld(_ name: String) {
            let moment = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
            utimensat(AT_FDCWD, scratch.path + "/" + name, [moment, moment], 0)
        }
        // Whatever process has the number by now, and one that is just made.
        let (old, fresh) = (".vitrine-copy-\(getpid())-ab", ".vitrine-copy-4194305-cd")
        try scratch.write(old, Data([1]))
        makeOld(old)
        try scratch.write(fresh, Data([1]))
        let copy = try CollectionFile(in: scratch.path, unnamed: false)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(names.count == 2 && names.contains(fresh) && !names.contains(old))
        // One that is still written, however long that takes.
        let mine = try #require(names.first { $0 != fresh })
        makeOld(mine)
        let other = try CollectionFile(in: scratch.path, unnamed: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).contains(mine))
        withExtendedLifetime((copy, other)) {}
    }

    private func visible(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
    }
}
