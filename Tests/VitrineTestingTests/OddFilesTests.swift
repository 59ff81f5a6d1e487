import Glibc
import Testing
import VitrineKit
import VitrineTesting

@Suite struct OddFilesTests {
    private func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    @Test func makesOneOfEverything() throws {
        let scratch = try ScratchFolder("odd")
        let odd = OddFiles(in: scratch.path)
        try odd.everything(content: [1, 2, 3])
        #expect(kind(scratch.path + "/pipe.pdf") == S_IFIFO)
        #expect(kind(scratch.path + "/socket.pdf") == S_IFSOCK)
        #expect(kind(scratch.path + "/unreadable") == S_IFDIR)
        #expect(kind(scratch.path + "/device.pdf") == S_IFLNK)
        #expect(open(scratch.path + "/dangling.pdf", O_RDONLY) == -1 && errno == ENOENT)
        #expect(open(scratch.path + "/loop", O_RDONLY) == -1 && errno == ELOOP)
        var status = stat()
        #expect(stat(scratch.path + "/sparse.pdf", &status) == 0 && status.st_size == 1 << 40)
        #expect(status.st_blocks == 0)
        #expect(stat(scratch.path + "/itself/itself/two\nlines.pdf", &status) == 0 && status.st_size == 3)
        #expect(stat(scratch.path + "/unreadable.pdf", &status) == 0 && status.st_mode & 0o777 == 0)
    }

    @Test func everyNameIsMadeByteForByte() throws {
        let scratch = try ScratchFolder("names")
        let odd = OddFiles(in: scratch.path)
        for name in OddFiles.names { try odd.file(name, content: []) }
        var found: Set<[UInt8]> = []
        let folder = try #require(opendir(scratch.path))
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(\.self) }
            if bytes != [UInt8(ascii: ".")], bytes != Array("..".utf8) { found.insert(bytes) }
        }
        #expect(found == Set(OddFiles.names))
        #expect(OddFiles.names.contains { $0.count == 255 })
        #expect(OddFiles.names.contains { String(validating: $0, as: UTF8.self) == nil })
    }

    @Test func scratchFoldersGoWithAllThatTheyHold() throws {
        var scratch: ScratchFolder? = try ScratchFolder("gone")
        let path = try #require(scratch?.path)
        let odd = OddFiles(in: path)
        try odd.everything(content: [1])
        try odd.subfolder(Array("locked".utf8))
        try OddFiles(in: path + "/locked").file(Array("inside".utf8), content: [1])
        #expect(chmod(path + "/locked", 0) == 0)
        #expect(kind(path) == S_IFDIR)
        scratch = nil
        #expect(kind(path) == nil)
    }

    @Test func failuresNameTheFile() throws {
        let odd = OddFiles(in: "/there/is/no/such/folder")
        let error = #expect(throws: PluginError.self) { try odd.pipe(Array("a\nb".utf8)) }
        #expect(error?.code == .notFound)
        #expect(error?.message.contains("a\\nb") == true)
    }
}
