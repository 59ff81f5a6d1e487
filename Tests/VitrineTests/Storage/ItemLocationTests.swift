import PluginHost
import Testing
import VitrineKit

@testable import Vitrine

@Suite struct ItemLocationTests {
    static let paths: [(String, String)] = [
        ("/a/b.pdf", "file:///a/b.pdf"), ("b.pdf", "file:///home/u/b.pdf"), ("./b.pdf", "file:///home/u/b.pdf"),
        ("../b.pdf", "file:///home/b.pdf"), ("/a//b/./c/../d", "file:///a/b/d"), ("/", "file:///"),
        ("/..", "file:///"), (".", "file:///home/u"), ("/a/b/", "file:///a/b"),
        ("a b;[é].pdf", "file:///home/u/a%20b%3B%5B%C3%A9%5D.pdf"),
        ("file:///a/%62.pdf", "file:///a/b.pdf"), ("s3:x", "file:///home/u/s3:x"), ("dav://h/p", "dav://h/p"),
        ("FILE:///a", "file:///a"), ("file:/a", "file:///a"), ("file://LocalHost/a", "file:///a"),
        ("-rf", "file:///home/u/-rf"),
    ]

    @Test(arguments: paths) func `a path or URI becomes the URI that file managers use`(text: String, uri: String)
        throws
    {
        let source = try ItemLocation.parse(
            Array(text.utf8), workingFolder: Array("/home/u".utf8), schemes: ["file", "dav"])
        #expect(source.text == uri)
    }

    @Test func `bytes that are not UTF-8 stay what they are`() throws {
        let source = try ItemLocation.parse([0x2F, 0xFF, 0x0A], workingFolder: [], schemes: ["file"])
        #expect(source.text == "file:///%FF%0A")
        let location = try ItemLocation(item: source)
        #expect(location.path.bytes == [0xFF, 0x0A])
        #expect(location.source.text == "file:///")
        #expect(location.uri == "file:///%FF%0A")
    }

    @Test func `an item's URI is that of its folder and its name`() throws {
        for text in ["file:///a/b/c.pdf", "file:///c.pdf", "dav://host:8080/a/b.pdf", "dav://host/b?k=v"] {
            #expect(try ItemLocation(item: SourceURI(text)).uri == text)
        }
        #expect(try ItemLocation(item: SourceURI("file:///a/b/c.pdf")).source.text == "file:///a/b")
        let remote = try ItemLocation(item: SourceURI("rclone:drive:a.pdf"))
        #expect(remote.source.text == "rclone:drive:" && remote.path.bytes == Array("a.pdf".utf8))
    }

    @Test(arguments: ["dav://anna:pw@host/a", "sftp://:pw@host", "archive:dav://anna:pw@host/a.zip!/b.jpg"])
    func `an address with a password is refused, and not repeated`(text: String) throws {
        let schemes: Set<String> = ["file", "dav", "archive"]
        let error = #expect(throws: PluginError.self) {
            try ItemLocation.parse(Array(text.utf8), workingFolder: [0x2F], schemes: schemes)
        }
        #expect(error?.code == .invalidArgument && error?.message.contains("pw") == false)
        for fine in ["dav://anna@host/a:b@c", "dav://host:8080/a@b:c", "rclone:drive:a:b@c"] {
            _ = try ItemLocation.parse(Array(fine.utf8), workingFolder: [0x2F], schemes: schemes)
        }
    }

    @Test func `a whole archive is called as its file is`() throws {
        for (text, name) in [
            ("archive:file:///a/b.zip!", "b.zip"), ("archive:s3://a/b.zip!?x=y", "b.zip"), ("file:///a/b!", "b!"),
            ("archive:file:///a/b.zip!/c!", "c!"), ("dav://host", ""),
        ] { #expect(try SourceURI(text).lastName == Array(name.utf8), "\(text)") }
    }

    @Test func `what is no path is refused`() {
        for text in [[], [0x61, 0]] as [[UInt8]] {
            #expect(throws: PluginError.self) {
                try ItemLocation.parse(text, workingFolder: [0x2F], schemes: ["file"])
            }
        }
        #expect(throws: PluginError.self) {
            try ItemLocation.parse(Array("file:///%zz".utf8), workingFolder: [0x2F], schemes: ["file"])
        }
        #expect(throws: PluginError.self) { try ItemLocation(item: SourceURI("file:///")) }
    }

    @Test(arguments: ["file://other.example.org/etc/passwd", "file://localhost:80/a", "file://alice@/a"])
    func `a file of another machine is not taken for one of this`(text: String) async throws {
        #expect(throws: PluginError.self) { try parse(text) }
        // Nor when it comes by another way: as an archive, an item, or a source of the engine.
        #expect(throws: PluginError.self) { try parse("archive:\(text)!/a.jpg") }
        #expect(throws: PluginError.self) { try ArchiveAddress(SourceURI("archive:\(text)!/a.jpg")) }
        #expect(throws: PluginError.self) { try ItemLocation(item: SourceURI(text)) }
        let storages = StorageRegistry(
            factory: BackendFactory(PluginDirectory(scanning: PluginSearchPath(folders: []))))
        let refused = await #expect(throws: PluginError.self) {
            try await storages.storage(for: SourceURI(text), BackendSettings())
        }
        #expect(refused?.message.contains("is not on this machine") == true)
    }

    @Test func `a file that names this machine is one of it`() throws {
        let own = try #require(SourceURI.ownHost)
        for host in ["", "localhost", "LocalHost", own, own.uppercased()] {
            #expect(try parse("file://\(host)/a/../b.zip").text == "file:///b.zip")
            #expect(try parse("archive:file://\(host)/b.zip!/c").text == "archive:file:///b.zip!/c")
            #expect(try ItemLocation(item: SourceURI("file://\(host)/b.zip")).uri == "file:///b.zip")
        }
    }

    private func parse(_ text: String) throws(PluginError) -> SourceURI {
        try ItemLocation.parse(Array(text.utf8), workingFolder: [0x2F], schemes: ["file", "archive"])
    }
}
