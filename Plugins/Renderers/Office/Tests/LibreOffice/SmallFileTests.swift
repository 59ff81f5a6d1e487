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
}
