import PlaceNames
import Testing
import VitrineKit

@testable import Vitrine

/// What people read in place of URIs.
@Suite struct PlaceNameTests {
    @Test(arguments: [
        ("file:///home/anna/my%20docs/%C3%BC.pdf", "/home/anna/my docs/ü.pdf"),
        ("file:///", "/"),
        ("archive:file:///home/a%20b.zip!", "archive:/home/a b.zip!"),
        ("archive:file:///home/a%20b.zip!/c%20d!/%C3%BC.jpg", "archive:/home/a b.zip!/c d!/ü.jpg"),
        ("file:///wow!/100%25", "/wow!/100%"),
    ])
    func whatLiesHereIsAPathThatCanBeTyped(_ uri: String, _ name: String) throws {
        #expect(PlaceName.of(uri) == name)
        let typed = try ItemLocation.parse(Array(name.utf8), workingFolder: [], schemes: ["file", "archive"])
        #expect(typed.text == uri && PlaceName.of(typed) == name)
    }

    @Test(arguments: [
        "s3://bucket/a%20b.pdf?endpoint=https://host", "archive:s3://bucket/a%20b.zip!/c", "rclone:drive:a%20b",
        // Its own path would seem to end at the first mark.
        "archive:file:///home/wow%21/a%20b.zip!/c",
    ])
    func whatLiesElsewhereIsItsURI(_ uri: String) { #expect(PlaceName.of(uri) == uri) }

    @Test func nothingSteersATerminal() {
        #expect(PlaceName.of("file:///a%0Ab%1B%5B31m") == "/a\\nb\\u{1B}[31m")
        #expect(PlaceName.of("file:///%FF") == "/\u{FFFD}")
        #expect(PlaceName.of("file:///broken%2") == "file:///broken%2")
        #expect(PlaceName.of("x:\n") == "x:\\n")
    }
}
