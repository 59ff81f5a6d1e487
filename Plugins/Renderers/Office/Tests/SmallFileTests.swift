import Glibc
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

@Suite struct SmallFileTests {
    @Test func writesNewFilesOnly() throws {
        let folder = try ScratchFolder("small-file")
        let path = folder.path + "/a"
        try SmallFile.write("one", to: path)
        try SmallFile.write("two", to: path)
        #expect(SmallFile.read(path) == "one")
        #expect(throws: PluginError.self) { try SmallFile.write("one", to: folder.path + "/none/a") }
    }

    /// A limit on the size of files takes the first part, as a full disk does.
    @Test func leavesNoHalfFile() throws {
        let folder = try ScratchFolder("small-file")
        let path = folder.path + "/a"
        signal(SIGXFSZ, SIG_IGN)
        var before = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before)
        // More than any other test of this process writes.
        var short = rlimit(rlim_cur: 64 << 20, rlim_max: before.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &short)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
        #expect {
            try SmallFile.write([UInt8](repeating: 7, count: 65 << 20), to: path)
        } throws: {
            ($0 as? PluginError)?.message.contains("settings: ") == true
        }
        #expect(access(path, F_OK) != 0)
    }
}
