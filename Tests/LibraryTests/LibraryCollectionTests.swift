import Library
import Testing
import VitrineKit

@Suite("Collections and favourites")
struct LibraryCollectionTests {
    @Test("hold items of any source, each once, in the order in which they came")
    func items() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Mixed")
        #expect(try shelf.library.add("s3://b/z.pdf", to: "Mixed"))
        #expect(try shelf.library.add("file:///a.pdf", to: "Mixed"))
        #expect(try !shelf.library.add("s3://b/z.pdf", to: "Mixed"))
        #expect(try shelf.library.items(of: "Mixed").map(\.uri) == ["s3://b/z.pdf", "file:///a.pdf"])
        #expect(try shelf.library.collections(of: "file:///a.pdf") == ["Mixed"])
        #expect(code { try shelf.library.add("file:///a.pdf", to: "None") } == .notFound)
        try shelf.library.remove("s3://b/z.pdf", from: "Mixed")
        #expect(code { try shelf.library.remove("s3://b/z.pdf", from: "Mixed") } == .notFound)
        #expect(
            shelf.news() == [
                .collectionCreated("Mixed"), .itemAdded(uri: "s3://b/z.pdf", collection: "Mixed"),
                .itemAdded(uri: "file:///a.pdf", collection: "Mixed"),
                .itemRemoved(uri: "s3://b/z.pdf", collection: "Mixed"),
            ])
    }

    @Test("tell of everything that goes with them when they are deleted")
    func deleted() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Gone")
        try shelf.library.add("file:///a", to: "Gone")
        let note = try shelf.library.addNote(to: .collection("Gone"), title: "Why")
        let other = try shelf.library.addNote(to: .item("file:///a"), title: "Stays")
        _ = shelf.news()
        #expect(try shelf.library.deleteCollection("Gone").map(\.uri) == ["file:///a"])
        #expect(
            shelf.news() == [
                .itemRemoved(uri: "file:///a", collection: "Gone"), .noteDeleted(note.id, .collection("Gone")),
                .collectionDeleted("Gone"),
            ])
        #expect(try shelf.library.notes() == [other])
        #expect(try shelf.library.findNotes("Why").isEmpty)
        #expect(code { try shelf.library.deleteCollection("Gone") } == .notFound)
    }

    @Test("keep a copy under its own URI and find it by its origin")
    func copies() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("C")
        let item = try shelf.library.addCopy(of: "s3://b/a", to: "C") { () throws(PluginError) in "file:///copy/a" }
        #expect(item.origin == "s3://b/a" && item.uri == "file:///copy/a")
        var wasCalled = false
        let again = try shelf.library.addCopy(of: "s3://b/a", to: "C") { () throws(PluginError) in
            wasCalled = true
            return "file:///copy/b"
        }
        #expect(again == item && !wasCalled)
        #expect(
            code {
                _ = try shelf.library.addCopy(of: "s3://b/c", to: "C") { () throws(PluginError) in
                    throw PluginError(.noSpace, "full")
                }
            } == .noSpace)
        #expect(try shelf.library.remove("s3://b/a", from: "C") == item)
        #expect(try shelf.library.items(of: "C").isEmpty)
    }

    @Test("favourites are items and collections")
    func favorites() throws {
        let shelf = try Shelf()
        try shelf.library.createCollection("Best")
        try shelf.library.add("file:///a", to: "Best")
        #expect(try shelf.library.setFavorite(.item("file:///a"), true))
        #expect(try !shelf.library.setFavorite(.item("file:///a"), true))
        #expect(try shelf.library.setFavorite(.collection("Best"), true))
        #expect(try !shelf.library.setFavorite(.collection("Best"), true))
        #expect(code { try shelf.library.setFavorite(.collection("None"), true) } == .notFound)
        #expect(try shelf.library.favorites().map(\.subject) == [.collection("Best"), .item("file:///a")])
        #expect(try shelf.library.collection(named: "Best").isFavorite)
        #expect(try shelf.library.items(of: "Best").map(\.isFavorite) == [true])
        #expect(try shelf.library.isFavorite(.item("file:///a")))
        #expect(try shelf.library.setFavorite(.item("file:///a"), false))
        #expect(try shelf.library.setFavorite(.collection("Best"), false))
        #expect(try shelf.library.favorites().isEmpty)
        #expect(
            shelf.news().suffix(2) == [.favoriteRemoved(.item("file:///a")), .favoriteRemoved(.collection("Best"))])
    }

    @Test("follow an item that moves, also to where something is kept already")
    func moved() throws {
        let shelf = try Shelf()
        let library = shelf.library
        for name in ["One", "Two"] { try library.createCollection(name) }
        try library.add("file:///a", to: "One")
        try library.add("file:///a", to: "Two")
        try library.add("file:///b", to: "Two")
        try library.setFavorite(.item("file:///a"), true)
        let note = try library.addNote(to: .item("file:///a"), title: "N")
        _ = shelf.news()
        try library.moved("file:///a", to: "file:///b")
        #expect(shelf.news() == [.itemMoved(from: "file:///a", to: "file:///b")])
        #expect(try library.items(of: "One").map(\.uri) == ["file:///b"])
        #expect(try library.items(of: "Two").map(\.uri) == ["file:///b"])
        #expect(try library.isFavorite(.item("file:///b")) && !library.isFavorite(.item("file:///a")))
        #expect(try library.note(note.id).subject == .item("file:///b"))
        try library.moved("file:///x", to: "file:///y")
        #expect(shelf.news().isEmpty)
    }

    @Test("forget an item altogether when the user deletes it")
    func forgotten() throws {
        let shelf = try Shelf()
        let library = shelf.library
        try library.createCollection("One")
        try library.add("file:///a", to: "One")
        try library.setFavorite(.item("file:///a"), true)
        let note = try library.addNote(to: .item("file:///a"), title: "N")
        _ = shelf.news()
        try library.forget("file:///a")
        #expect(
            shelf.news() == [
                .itemRemoved(uri: "file:///a", collection: "One"), .noteDeleted(note.id, .item("file:///a")),
                .favoriteRemoved(.item("file:///a")), .itemForgotten("file:///a"),
            ])
        try library.forget("file:///a")
        #expect(shelf.news().isEmpty)
    }

    @Test("topics cover what they name and nothing else")
    func topics() {
        let added = LibraryEvent.itemAdded(uri: "file:///a", collection: "One")
        let note = LibraryEvent.noteAdded(1, .collection("One"))
        let source = LibraryEvent.sourceRemoved(name: "S", uri: "file:///")
        let moved = LibraryEvent.itemMoved(from: "file:///a", to: "file:///b")
        func heard(_ topic: LibraryTopic) -> [LibraryEvent] { [added, note, source, moved].filter(topic.covers) }
        #expect(heard(.everything).count == 4)
        #expect(heard(.collection("One")) == [added, note])
        #expect(heard(.collection("on")).isEmpty)
        #expect(heard(.item("file:///a")) == [added, moved])
        #expect(heard(.item("file:///b")) == [moved])
        #expect(heard(.source("file:///")) == [source])
    }
}
