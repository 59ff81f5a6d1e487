import VitrineKit

@testable import ArchiveReading
@testable import EbookRenderer

extension FuzzTarget {
    private static let readLimit = 300_000

    /// The members of archives of all kinds, which comics, books and archives are made of.
    static let archiveMembers = FuzzTarget(
        name: "archive-members", maximumLength: 1 << 16, fixtures: ["archive", "comic"],
        words: [
            "PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK\u{3}\u{4}", "7z", "Rar!\u{1A}\u{7}", "ustar", "070707", "!<arch>\n",
        ],
        check: { bytes in
            let input = CountedInput(bytes, limit: readLimit)
            do throws(PluginError) {
                let archive = try Archive(input, limits: ArchiveLimits())
                for member in archive.members.prefix(8) where member.isFile {
                    // What is wrong with one says nothing about the others.
                    _ = try? archive.contents(of: member, limit: 1 << 16)
                }
                for (one, other) in zip(archive.members, archive.members.dropFirst()) {
                    if NaturalOrder.precedes(one.name, other.name), NaturalOrder.precedes(other.name, one.name) {
                        throw PluginError(.invalidAnswer, "two names come before one another")
                    }
                }
                if archive.members.contains(where: { ($0.size ?? 0) < 0 }) {
                    throw PluginError(.invalidAnswer, "a member has less than no bytes")
                }
            } catch { return try rejected(error, input) }
            try reads(of: input)
        })

    /// Electronic books, the EPUB's description by itself, since no change to what is compressed reaches it. The first byte
    /// says which.
    static let book = FuzzTarget(
        name: "book", maximumLength: 1 << 15, fixtures: ["ebook"], fixturePrefix: [0],
        seeds: {
            [
                "1<package xmlns='a'><metadata><title>a</title><creator>b</creator><date>2024</date><meta name='cover' content='c'/></metadata><manifest><item id='c' href='c%20.png' media-type='image/png' properties='cover-image'/><item id='x' href='x.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='x'/></spine><guide><reference type='cover' href='y'/></guide></package>",
                "2<FictionBook xmlns:l='l'><description><title-info><author><first-name>a</first-name></author><book-title>b</book-title><coverpage><image l:href='#i'/></coverpage></title-info></description><body><p>c</p></body><binary id='i'>iVBORw0KGgo=</binary></FictionBook>",
            ].map { Array($0.utf8) }
        },
        words: [
            "<item ", "href='../../x'", "%", "<binary id='i'>", "BOOKMOBI", "MOBI", "EXTH", "<!ENTITY a 'b'>", "&a;",
        ],
        check: { bytes in
            guard let kind = bytes.first else { return }
            let content = Array(bytes.dropFirst())
            let input = CountedInput(content, limit: readLimit)
            do throws(PluginError) {
                var book: Book?
                switch kind {
                case UInt8(ascii: "1"): _ = try EPUBPackage(content).covers
                case UInt8(ascii: "2"): book = try FictionBook.book(input, wantsText: true)
                default:
                    let head = content.dropFirst(60).prefix(8)
                    if head.elementsEqual("BOOKMOBI".utf8) {
                        book = try MobipocketBook.book(input)
                    } else if content.starts(with: [0x50, 0x4B]) {
                        book = try EPUBBook(input).book(wantsText: true)
                    } else {
                        book = try FictionBook.book(input, wantsText: true)
                    }
                }
                for text in [book?.title, book?.author] where (text?.count ?? 0) > 500 {
                    throw PluginError(.invalidAnswer, "a title has \(text?.count ?? 0) letters")
                }
            } catch { return try rejected(error, input) }
            try reads(of: input)
        })

    private static func rejected(_ error: PluginError, _ input: CountedInput) throws {
        try reads(of: input)
        try error.mustBe(.corrupt, .locked, .empty, .unsupported, .limitExceeded)
    }

    private static func reads(of input: CountedInput) throws {
        try hold(input.reads <= readLimit, "more than \(readLimit) reads of \(input.size) bytes: a chain without end?")
        try hold(input.negativeOffsets == 0, "something before the beginning was read")
    }
}
