import Testing
import VitrineKit

struct SourceURITests {
    @Test func partsAreTakenApart() throws {
        let uri = try SourceURI("DAVS://user@host:8443/a%20b/c?x=1&y=%2F")
        #expect(uri.scheme == "davs")
        #expect(uri.authority == "user@host:8443")
        #expect(uri.path == Array("/a b/c".utf8))
        #expect(uri.query == "x=1&y=%2F")
        #expect(uri.text == "davs://user@host:8443/a%20b/c?x=1&y=%2F")
    }

    @Test func aURIWithoutAnAuthorityHasNone() throws {
        let uri = try SourceURI("rclone:remote:path")
        #expect(uri.scheme == "rclone")
        #expect(uri.authority == nil)
        #expect(uri.path == Array("remote:path".utf8))
    }

    @Test(arguments: [
        ("file:///home/a/", "file:///home/a"), ("file:///home/a///", "file:///home/a"), ("file:///", "file:///"),
        ("s3://bucket", "s3://bucket"), ("s3://bucket/", "s3://bucket/"), ("s3://bucket/a/?v=2", "s3://bucket/a?v=2"),
    ])
    func trailingSlashesGo(_ text: String, _ expected: String) throws {
        #expect(try SourceURI(text).text == expected)
    }

    @Test(arguments: [
        "", "noscheme", "/path", "1a:x", ":x", "a b:x", "file:///%", "file:///%4", "file:///%zz", "file:///%00",
    ])
    func brokenURIsAreRefused(_ text: String) {
        let error = #expect(throws: PluginError.self) { try SourceURI(text) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func itemsAreAppended() throws {
        let item = try ItemPath("ä;b/c d.pdf")
        #expect(SourceURI(file: "/home/a".utf8).appending(item) == "file:///home/a/%C3%A4%3Bb/c%20d.pdf")
        #expect(SourceURI(file: "/".utf8).appending(try ItemPath("x")) == "file:///x")
        #expect(try SourceURI("s3://b/p?v=2").appending(try ItemPath("x")) == "s3://b/p/x?v=2")
        #expect(try SourceURI("s3://b").appending(try ItemPath("x")) == "s3://b/x")
        #expect(SourceURI(file: "/home/a".utf8).appending(.root) == "file:///home/a")
    }

    @Test func aPathSurvivesTheWayThroughTheText() throws {
        let path: [UInt8] = [0x2F] + (1...255).filter { $0 != 0x2F }
        #expect(try SourceURI(SourceURI(file: path).text).path == path)
    }
}
