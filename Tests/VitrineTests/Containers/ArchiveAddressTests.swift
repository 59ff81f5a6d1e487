import Testing
import VitrineKit

@testable import Vitrine

@Suite struct ArchiveAddressTests {
    private static func parse(_ text: String) throws(PluginError) -> SourceURI {
        try ItemLocation.parse(
            Array(text.utf8), workingFolder: Array("/home/alice".utf8),
            schemes: ["file", "s3", "rclone", "dav", "archive"])
    }

    static let written: [(String, String)] = [
        ("archive:photos.zip", "archive:file:///home/alice/photos.zip!"),
        ("archive:photos.zip/", "archive:file:///home/alice/photos.zip!"),
        ("archive:photos.zip!/", "archive:file:///home/alice/photos.zip!"),
        ("archive:./a/../photos.zip!/holiday/1.jpg", "archive:file:///home/alice/photos.zip!/holiday/1.jpg"),
        ("archive:/mnt/a b.zip!/ü 1.jpg", "archive:file:///mnt/a%20b.zip!/%C3%BC%201.jpg"),
        ("archive:file:///mnt/a%20b.zip!/%C3%BC%201.jpg", "archive:file:///mnt/a%20b.zip!/%C3%BC%201.jpg"),
        ("archive:file:///mnt/wow%21/a.zip!/b!/c.jpg", "archive:file:///mnt/wow%21/a.zip!/b!/c.jpg"),
        ("archive:file:///mnt/wow!.zip!/b.jpg", "archive:file:///mnt/wow%21.zip!/b.jpg"),
        ("ARCHIVE:FILE:///mnt/a.zip", "archive:file:///mnt/a.zip!"),
        ("archive:rclone:drive:a/b.zip!/c.jpg", "archive:rclone:drive:a/b.zip!/c.jpg"),
        ("archive:s3://b/a.zip!/c.jpg?endpoint=https://h", "archive:s3://b/a.zip!/c.jpg?endpoint=https://h"),
        ("archive:s3://b/a.zip?endpoint=https://h!/c.jpg", "archive:s3://b/a.zip!/c.jpg?endpoint=https://h"),
    ]

    @Test(arguments: written) func `what people write becomes one URI`(text: String, uri: String) throws {
        let source = try Self.parse(text)
        #expect(source.text == uri)
        #expect(try Self.parse(uri).text == uri)
    }

    @Test func `it says where the archive is and what is meant in it`() throws {
        let uri = try Self.parse("archive:dav://u@h:1/a/b.zip!/c/d.jpg")
        let address = try #require(try ArchiveAddress(uri))
        #expect(address.archive.text == "dav://u@h:1/a/b.zip")
        #expect(address.source.text == "archive:dav://u@h:1/a/b.zip!")
        #expect(address.path == (try ItemPath("c/d.jpg")))
        let location = try ItemLocation(item: uri)
        #expect(location.source == address.source && location.path == address.path)
        #expect(location.uri == uri.text)
        #expect(ArchiveAddress.isWhole(address.source) && !ArchiveAddress.isWhole(uri))
        #expect(try ArchiveAddress(SourceURI("file:///a!/b")) == nil)
    }

    @Test func `names that are no UTF-8 stay what they are`() throws {
        let uri = try ItemLocation.parse(
            Array("archive:/a.zip!/".utf8) + [0xFF, 0x0A], workingFolder: [], schemes: ["file", "archive"])
        #expect(uri.text == "archive:file:///a.zip!/%FF%0A")
        #expect(try ItemLocation(item: uri).path.bytes == [0xFF, 0x0A])
    }

    @Test(arguments: [
        "archive:", "archive:a.zip!/../b", "archive:archive:file:///a.zip!/b.zip!/c", "archive:file:///a.zip!/b//c",
    ])
    func `what leads nowhere is refused with a sentence`(text: String) {
        #expect(throws: PluginError.self) { try ItemLocation(item: try Self.parse(text)) }
    }

    @Test func `folders of an archive lie in it, and in no other`() throws {
        let whole = try Self.parse("archive:/a.zip")
        let folder = try Self.parse("archive:/a.zip!/b")
        #expect(folder.path(below: whole) == (try ItemPath("b")))
        #expect(whole.path(below: whole) == .root)
        #expect(whole.path(below: folder) == nil)
        #expect(try Self.parse("archive:/b.zip!/b").path(below: whole) == nil)
        #expect(try folder.path(below: SourceURI("file:///")) == nil)
    }

    @Test(arguments: [
        ("file:///home/a/x!.zip", ["archive:file:///home/a/x%21.zip", "archive:file:///home/a/x%21.zip!"]),
        ("s3://b/a.zip?endpoint=e", ["archive:s3://b/a.zip?endpoint=e", "archive:s3://b/a.zip!?endpoint=e"]),
        ("archive:file:///a.zip!", []),
    ])
    func placesOfWhatIsInArchives(_ text: String, _ places: [String]) throws {
        let uri = try SourceURI(text)
        #expect(uri.archivePlaces == places)
        if !places.isEmpty {
            #expect(try ArchiveAddress(archive: uri, path: []).source.text == places.last)
        }
    }
}
