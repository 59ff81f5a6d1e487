import Library
import Testing
import VitrineKit

@Suite("Registered sources")
struct LibrarySourceTests {
    @Test("are kept with their options")
    func kept() throws {
        let shelf = try Shelf()
        let uri = try SourceURI("s3://bucket/prefix")
        try shelf.library.addSource("Cloud", uri, options: SourceOptions(hidden: true, followsLinks: false))
        try shelf.library.addSource("Archive", SourceURI(file: [0x2F, 0xFF]))
        let reopened = try shelf.reopened()
        #expect(try reopened.sources().map(\.name) == ["Archive", "Cloud"])
        let cloud = try #require(try reopened.source(at: "s3://bucket/prefix"))
        #expect(cloud.options == SourceOptions(hidden: true, followsLinks: false, crossesFileSystems: nil))
        #expect(try reopened.source(named: "Archive")?.uri == "file:///%FF")
        #expect(try reopened.source(named: "archive") == nil)
        #expect(
            shelf.news() == [
                .sourceAdded(name: "Cloud", uri: "s3://bucket/prefix"),
                .sourceAdded(name: "Archive", uri: "file:///%FF"),
            ])
    }

    @Test("have one name and one URI each, and a clash says which")
    func clashes() throws {
        let shelf = try Shelf()
        try shelf.library.addSource("Docs", SourceURI("file:///home/a/Docs"))
        let name = sentence { try shelf.library.addSource("Docs", SourceURI("file:///srv/Docs")) }
        #expect(name.contains("'Docs'") && name.contains("file:///home/a/Docs") && name.contains("--name"))
        let uri = sentence { try shelf.library.addSource("Other", SourceURI("file:///home/a/Docs")) }
        #expect(uri.contains("as 'Docs'"))
        #expect(try shelf.library.sources().count == 1)
    }

    @Test("are renamed and removed")
    func changed() throws {
        let shelf = try Shelf()
        try shelf.library.addSource("One", SourceURI("file:///one"))
        try shelf.library.addSource("Two", SourceURI("file:///two"))
        #expect(code { try shelf.library.renameSource("One", to: "Two") } == .invalidArgument)
        #expect(code { try shelf.library.renameSource("Three", to: "Four") } == .notFound)
        try shelf.library.renameSource("One", to: "Eins")
        _ = shelf.news()
        #expect(try shelf.library.removeSource("Two").uri == "file:///two")
        #expect(shelf.news() == [.sourceRemoved(name: "Two", uri: "file:///two")])
        #expect(code { try shelf.library.removeSource("Two") } == .notFound)
        #expect(try shelf.library.sources().map(\.name) == ["Eins"])
    }

    @Test(
        "and collections refuse names that are none",
        arguments: [
            "", ".", "..", "a/b", "a\\b", "a\nb", "a\u{0}b", "a\u{202E}b", " a", "a ", "\u{7F}",
            String(repeating: "a", count: 65), String(repeating: "\u{65}\u{301}\u{302}\u{303}\u{304}", count: 60),
        ])
    func names(_ name: String) throws {
        let shelf = try Shelf()
        #expect(code { try shelf.library.addSource(name, SourceURI("file:///a")) } == .invalidArgument)
        #expect(code { try shelf.library.createCollection(name) } == .invalidArgument)
        #expect(shelf.news().isEmpty)
    }

    @Test("have names that cannot be taken for a URI and can stand in brackets", arguments: ["a:b", "[a", "a]"])
    func sourceNames(_ name: String) throws {
        let shelf = try Shelf()
        #expect(code { try shelf.library.addSource(name, SourceURI("file:///a")) } == .invalidArgument)
        try shelf.library.createCollection(name)
    }

    @Test("that look the same are the same, however their letters are written")
    func equivalentNames() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Caf\u{E9}")
        #expect(code { try shelf.library.createCollection("Cafe\u{301}") } == .invalidArgument)
        try shelf.library.add("file:///a", to: "Cafe\u{301}")
        #expect(try shelf.library.collection(named: "Caf\u{E9}").itemCount == 1)
        try shelf.library.createCollection("caf\u{E9}")
    }
}
