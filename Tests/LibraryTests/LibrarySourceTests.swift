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
        #expect(name.contains("'Docs'") && name.contains(" /home/a/Docs;") && name.contains("--name"))
        let uri = sentence { try shelf.library.addSource("Other", SourceURI("file:///home/a/Docs")) }
        #expect(uri.contains("as 'Docs'"))
        #expect(try shelf.library.sources().count == 1)
    }

    @Test("are renamed and removed")
    func changed() throws {
        let shelf = try Shelf()
        try shelf.library.addSource("One", SourceURI("file:///one"))
        try shelf.library.addSource("Two", SourceURI("file:///two"))
        #expect(code { try shelf.library.renameSource("One", to: "Two") } == .exists)
        #expect(code { try shelf.library.renameSource("Three", to: "Four") } == .notFound)
        try shelf.library.renameSource("One", to: "Eins")
        _ = shelf.news()
        #expect(try shelf.library.removeSource("Two").uri == "file:///two")
        #expect(shelf.news() == [.sourceRemoved(name: "Two", uri: "file:///two")])
        #expect(code { try shelf.library.removeSource("Two") } == .notFound)
        #expect(try shelf.library.sources().map(\.name) == ["Eins"])
    }

    @Test("are moved with what is kept about their items")
    func moved() throws {
        let shelf = try Shelf()
        let library = shelf.library
        try library.addSource("One", SourceURI("file:///one"), options: SourceOptions(hidden: true))
        try library.addSource("Two", SourceURI("file:///two"))
        try library.createCollection("Both")
        for uri in ["file:///one/a", "file:///else/b"] { try library.add(uri, to: "Both") }
        try library.setFavorite(.item("file:///one/a"), true)
        try library.addNote(to: .item("file:///one/c"), title: "T", text: "")
        _ = shelf.news()
        func follow(_ uri: String) -> String? {
            uri.hasPrefix("file:///one/") ? uri.replacing("file:///one/", with: "file:///new/") : nil
        }
        #expect(
            code { try library.moveSource("One", to: SourceURI("file:///two"), follow: follow) } == .exists)
        #expect(code { try library.moveSource("None", to: SourceURI("file:///new"), follow: follow) } == .notFound)
        #expect(try library.knows("file:///one/a") && library.knows("file:///one/c"))
        #expect(try library.moveSource("One", to: SourceURI("file:///new"), follow: follow) == 2)
        let source = try #require(try shelf.reopened().source(named: "One"))
        #expect(source.uri == "file:///new" && source.options.hidden == true)
        #expect(try library.items(of: "Both").map(\.uri).sorted() == ["file:///else/b", "file:///new/a"])
        #expect(try library.isFavorite(.item("file:///new/a")) && !library.knows("file:///one/a"))
        #expect(try library.knows("file:///new/c") && !library.knows("file:///one/c"))
        let news = shelf.news()
        #expect(news.contains(.itemMoved(from: "file:///one/c", to: "file:///new/c")) && news.count == 3)
        let event = LibraryEvent.sourceMoved(name: "One", from: "file:///one", to: "file:///new")
        #expect(news.last == event)
        for uri in ["file:///one", "file:///new"] { #expect(LibraryTopic.source(uri).covers(event)) }
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

    @Test(
        "and collections refuse names that look like others, and say why",
        arguments: [
            ("a\u{200B}b", "U+200B (ZERO WIDTH SPACE)"), ("a\u{AD}b", "U+00AD (SOFT HYPHEN)"), ("\u{FEFF}a", "U+FEFF"),
            ("a\u{2060}", "U+2060"), ("a\u{3164}", "U+3164"), ("a\u{FE00}", "U+FE00"), ("a\u{FFF9}b", "U+FFF9"),
            ("a\u{200D}b", "U+200D"), ("a\u{200C}b", "U+200C"), ("1\u{FE0F}", "U+FE0F"), ("a\u{FE0F}", "U+FE0F"),
            ("\u{2764}\u{FE0F}\u{FE0F}", "U+FE0F"), ("\u{1F600}\u{200D}", "U+200D"),
            ("\u{1F3F4}\u{E0067}\u{E007F}", "U+E0067"), ("\u{627}\u{200C}\u{645}", "U+200C"),
            ("a\u{A0}b", "U+00A0 (NO-BREAK SPACE), which looks like a blank"), ("a\u{2003}b", "U+2003"),
            ("a\u{2800}", "U+2800"), ("\u{A0}a", "begins or ends"), ("a\u{3000}", "begins or ends"),
            ("a\u{2003}", "begins or ends"),
        ])
    func unseen(_ name: String, _ why: String) throws {
        let shelf = try Shelf()
        let (source, collection) = (
            sentence { try shelf.library.addSource(name, SourceURI("file:///a")) },
            sentence { try shelf.library.createCollection(name) }
        )
        #expect(source.contains(why) && collection.contains(why), "\(source) \(collection)")
        #expect(shelf.news().isEmpty)
    }

    @Test(
        "and collections take names whose joiners are seen",
        arguments: [
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308} a",
            "\u{1F469}\u{1F3FD}\u{200D}\u{2695}\u{FE0F}", "\u{2764}\u{FE0F}", "1\u{FE0F}\u{20E3}", "\u{1F1E9}\u{1F1EA}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "\u{645}\u{6CC}\u{200C}\u{62E}",
            "\u{915}\u{94D}\u{200D}\u{937}", "\u{65E5}\u{3000}\u{672C}", "a b",
        ])
    func joined(_ name: String) throws {
        let shelf = try Shelf()
        try shelf.library.addSource(name, SourceURI("file:///a"))
        try shelf.library.createCollection(name)
        #expect(try shelf.library.collection(named: name).name == name)
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
        #expect(code { try shelf.library.createCollection("Cafe\u{301}") } == .exists)
        try shelf.library.add("file:///a", to: "Cafe\u{301}")
        #expect(try shelf.library.collection(named: "Caf\u{E9}").itemCount == 1)
        try shelf.library.createCollection("caf\u{E9}")
        // Nor does the mark of an emoji make another one of it.
        try shelf.library.createCollection("\u{2764}\u{FE0F}")
        #expect(code { try shelf.library.createCollection("\u{2764}") } == .exists)
        #expect(try shelf.library.collection(named: "\u{2764}").name.unicodeScalars.count == 2)
        try shelf.library.addSource("\u{2764}", SourceURI("file:///a"))
        #expect(code { try shelf.library.addSource("\u{2764}\u{FE0F}", SourceURI("file:///b")) } == .exists)
    }
}
