import Testing
import VitrineKit

@testable import Vitrine

/// What the names of a list lead to.
@Suite struct FileListTests {
    private func source(_ name: String, _ separator: FileList.Separator) throws(PluginError) -> String {
        let list = try FileList(
            Array("/dev/null".utf8), separatedBy: separator, workingFolder: Array("/w".utf8))
        return try list.source(Array(name.utf8), schemes: ["file", "rclone", "feed", "davs", "archive"]).text
    }

    @Test(arguments: [
        "file:etc/a.pdf", "file:/etc/a.pdf", "rclone:drive", "feed:a.pdf", "archive:a.zip!/b", "archive:feed:a.pdf",
        "a://b",
    ])
    func `a path is one, whatever scheme it begins with`(name: String) throws {
        let uri = "file:///w/" + name.replacing("//", with: "/")
        #expect(try source(name, .lineFeed) == uri)
        #expect(try source(name, .null) == uri)
    }

    @Test(arguments: ["file:///a.pdf", "davs://h/a.pdf", "s3://b/a.pdf", "archive:file:///a.zip!/b"])
    func `two slashes behind the scheme make a line a URI, and no other name`(name: String) throws {
        #expect(try source(name, .lineFeed) == name)
        #expect(try source(name, .null) == "file:///w/" + name.replacing("///", with: "/").replacing("//", with: "/"))
    }
}
