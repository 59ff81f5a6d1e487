import Library
import Testing
import VitrineKit

@Suite("Notes")
struct LibraryNoteTests {
    @Test("belong to items and collections, and numbers are not used twice")
    func kept() throws {
        let shelf = try Shelf()
        let library = shelf.library
        try library.createCollection("C")
        let one = try library.addNote(to: .item("file:///a"), title: "One", text: "first\nsecond")
        let two = try library.addNote(to: .collection("C"), title: "Two")
        #expect(try library.notes() == [one, two])
        #expect(try library.notes(of: .item("file:///a")) == [one])
        #expect(try library.notes(of: .collection("C")) == [two])
        #expect(try library.collection(named: "C").noteCount == 1)
        try library.deleteNote(two.id)
        #expect(try library.addNote(to: .collection("C"), title: "Three").id > two.id)
        #expect(code { _ = try library.note(two.id) } == .notFound)
        #expect(code { try library.addNote(to: .collection("D"), title: "x") } == .notFound)
    }

    @Test("are edited, and what stays the same is no change")
    func edited() throws {
        let shelf = try Shelf()
        let note = try shelf.library.addNote(to: .item("file:///a"), title: "Old", text: "apple")
        _ = shelf.news()
        #expect(try shelf.library.editNote(note.id, title: "New").text == "apple")
        #expect(try shelf.library.editNote(note.id, text: "pear").title == "New")
        try shelf.library.editNote(note.id, title: "New", text: "pear")
        #expect(shelf.news() == Array(repeating: .noteChanged(note.id, .item("file:///a")), count: 2))
        #expect(try shelf.library.findNotes("apple").isEmpty && shelf.library.findNotes("Old").isEmpty)
        #expect(try shelf.library.findNotes("pear").map(\.id) == [note.id])
        #expect(code { try shelf.library.editNote(note.id + 1, text: "x") } == .notFound)
    }

    @Test("refuse what is no title and no text")
    func refused() throws {
        let library = try Shelf().library
        for title in ["", "  ", "a\nb", "a\u{1B}[2J", String(repeating: "a", count: 201)] {
            #expect(code { try library.addNote(to: .item("file:///a"), title: title) } == .invalidArgument)
        }
        for text in ["a\0b", String(repeating: "a", count: 1_048_577)] {
            #expect(code { try library.addNote(to: .item("file:///a"), title: "t", text: text) } == .invalidArgument)
        }
        try library.addNote(to: .item("file:///a"), title: "t", text: String(repeating: "a", count: 1_048_576))
        #expect(try library.notes().count == 1)
    }

    static let searches: [(String, Set<String>)] = [
        ("invoice", ["en"]), ("INVOICE march", ["en"]), ("invoi", ["en"]), ("voice", ["en"]), ("ch", ["en", "signs"]),
        ("cafe", ["fr"]), ("Café", ["fr"]), ("creme", ["fr"]), ("éle", ["fr"]), ("cafe invoice", []),
        ("日本語", ["ja"]), ("報告", ["ja"]), ("語", ["ja"]), ("報告書 日本", ["ja"]),
        ("会议", ["zh"]), ("记录", ["zh"]), ("议记录", ["zh"]), ("한국", ["ko"]), ("보고서", ["ko"]), ("서", ["ko"]),
        ("カタカナ", ["ja"]), ("100%", ["signs"]), ("0%", ["signs"]), ("_", ["signs"]), ("a_b", ["signs"]),
        ("C++", ["signs"]), ("++", ["signs"]), ("\"", ["signs"]), ("\"quoted\"", ["signs"]), ("\\", ["signs"]),
        ("NOT", ["signs"]), ("title:invoice", []), ("in*", []), ("AND (", []), ("zebra", []), ("", []), ("  ", []),
        ("\0", []), ("ünïcode", []),
    ]

    @Test("are found by their words in any script, short ones too", arguments: searches)
    func found(_ query: String, _ expected: Set<String>) throws {
        let library = try Shelf().library
        for (name, title, text) in [
            ("en", "Invoice", "paid in March"), ("fr", "Crème du café", "à l’élève"),
            ("ja", "日本語の報告書", "カタカナとひらがな"), ("zh", "会议记录", "二〇二五年预算"), ("ko", "한국어 보고서", "예산안"),
            ("signs", "C++ notch", "100% a_b \"quoted\" back\\slash NOT"),
        ] {
            try library.addNote(to: .item("file:///\(name)"), title: title, text: text)
        }
        let found = try library.findNotes(query).map { note in
            if case .item(let uri) = note.subject { String(uri.dropFirst("file:///".count)) } else { "" }
        }
        #expect(Set(found) == expected && found.count == expected.count, "\(found)")
    }

    @Test("with the words in their titles come first, and no more than are asked for")
    func order() throws {
        let library = try Shelf().library
        let title = try library.addNote(to: .item("file:///a"), title: "Taxes")
        let text = try library.addNote(to: .item("file:///a"), title: "Other", text: "taxes")
        #expect(try library.findNotes("taxes") == [title, text])
        #expect(try library.findNotes("taxes", limit: 1).count == 1)
        #expect(try library.findNotes(String(repeating: "taxes ", count: 500)).count == 2)
    }
}
