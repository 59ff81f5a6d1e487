import Testing

@testable import ArchiveRenderer

/// Names as Python writes them in a code page.
struct PagedName: Sendable, CustomTestStringConvertible {
    var text: String
    var bytes: [UInt8]
    var testDescription: String { text }

    /// CP932.
    static let japanese: [Self] = [
        Self(
            text: "会議資料.xlsx",
            bytes: [0x89, 0xEF, 0x8B, 0x63, 0x8E, 0x91, 0x97, 0xBF, 0x2E, 0x78, 0x6C, 0x73, 0x78]),
        Self(
            text: "お知らせ.doc",
            bytes: [0x82, 0xA8, 0x92, 0x6D, 0x82, 0xE7, 0x82, 0xB9, 0x2E, 0x64, 0x6F, 0x63]),
        Self(
            text: "写真",
            bytes: [0x8E, 0xCA, 0x90, 0x5E]),
        Self(
            text: "議事録（案）.docx",
            bytes: [
                0x8B, 0x63, 0x8E, 0x96, 0x98, 0x5E, 0x81, 0x69, 0x88, 0xC4, 0x81, 0x6A, 0x2E, 0x64, 0x6F, 0x63, 0x78,
            ]),
    ]
    /// GBK.
    static let chinese: [Self] = [
        Self(
            text: "报告.doc",
            bytes: [0xB1, 0xA8, 0xB8, 0xE6, 0x2E, 0x64, 0x6F, 0x63]),
        Self(
            text: "新建文件夹",
            bytes: [0xD0, 0xC2, 0xBD, 0xA8, 0xCE, 0xC4, 0xBC, 0xFE, 0xBC, 0xD0]),
        Self(
            text: "简历（终稿）.docx",
            bytes: [
                0xBC, 0xF2, 0xC0, 0xFA, 0xA3, 0xA8, 0xD6, 0xD5, 0xB8, 0xE5, 0xA3, 0xA9, 0x2E, 0x64, 0x6F, 0x63, 0x78,
            ]),
        Self(
            text: "北京",
            bytes: [0xB1, 0xB1, 0xBE, 0xA9]),
    ]
    /// CP949.
    static let korean: [Self] = [
        Self(
            text: "하위 셸 실행 프로그램.txt",
            bytes: [
                0xC7, 0xCF, 0xC0, 0xA7, 0x20, 0xBC, 0xD0, 0x20, 0xBD, 0xC7, 0xC7, 0xE0, 0x20, 0xC7, 0xC1, 0xB7, 0xCE,
                0xB1, 0xD7, 0xB7, 0xA5, 0x2E, 0x74, 0x78, 0x74,
            ]),
        Self(
            text: "보고서.txt",
            bytes: [0xBA, 0xB8, 0xB0, 0xED, 0xBC, 0xAD, 0x2E, 0x74, 0x78, 0x74]),
        Self(
            text: "계약.txt",
            bytes: [0xB0, 0xE8, 0xBE, 0xE0, 0x2E, 0x74, 0x78, 0x74]),
        Self(
            text: "사진",
            bytes: [0xBB, 0xE7, 0xC1, 0xF8]),
        Self(
            text: "회의록(최종).hwp",
            bytes: [0xC8, 0xB8, 0xC0, 0xC7, 0xB7, 0xCF, 0x28, 0xC3, 0xD6, 0xC1, 0xBE, 0x29, 0x2E, 0x68, 0x77, 0x70]),
    ]
    /// CP866.
    static let cyrillic: [Self] = [
        Self(
            text: "ПРИВЕТ.txt",
            bytes: [0x8F, 0x90, 0x88, 0x82, 0x85, 0x92, 0x2E, 0x74, 0x78, 0x74]),
        Self(
            text: "ЛОГО.png",
            bytes: [0x8B, 0x8E, 0x83, 0x8E, 0x2E, 0x70, 0x6E, 0x67]),
        Self(
            text: "Новая папка",
            bytes: [0x8D, 0xAE, 0xA2, 0xA0, 0xEF, 0x20, 0xAF, 0xA0, 0xAF, 0xAA, 0xA0]),
        Self(
            text: "ГОДОВОЙ ОТЧЁТ",
            bytes: [0x83, 0x8E, 0x84, 0x8E, 0x82, 0x8E, 0x89, 0x20, 0x8E, 0x92, 0x97, 0xF0, 0x92]),
        Self(
            text: "КамАЗ",
            bytes: [0x8A, 0xA0, 0xAC, 0x80, 0x87]),
    ]
    /// CP437.
    static let western: [Self] = [
        Self(
            text: "Übersicht.txt",
            bytes: [0x9A, 0x62, 0x65, 0x72, 0x73, 0x69, 0x63, 0x68, 0x74, 0x2E, 0x74, 0x78, 0x74]),
        Self(
            text: "créée.txt",
            bytes: [0x63, 0x72, 0x82, 0x82, 0x65, 0x2E, 0x74, 0x78, 0x74]),
        Self(
            text: "élève",
            bytes: [0x82, 0x6C, 0x8A, 0x76, 0x65]),
        Self(
            text: "château",
            bytes: [0x63, 0x68, 0x83, 0x74, 0x65, 0x61, 0x75]),
        Self(
            text: "ñandú",
            bytes: [0xA4, 0x61, 0x6E, 0x64, 0xA3]),
        Self(
            text: "müßig",
            bytes: [0x6D, 0x81, 0xE1, 0x69, 0x67]),
    ]
    /// What is written in other pages, and looks like none of these.
    static let others: [Self] = [
        Self(
            text: "São João",
            bytes: [0x53, 0xC6, 0x6F, 0x20, 0x4A, 0x6F, 0xC6, 0x6F]),
        Self(
            text: "informações",
            bytes: [0x69, 0x6E, 0x66, 0x6F, 0x72, 0x6D, 0x61, 0x87, 0xE4, 0x65, 0x73]),
        Self(
            text: "RELATÓRIO",
            bytes: [0x52, 0x45, 0x4C, 0x41, 0x54, 0xE0, 0x52, 0x49, 0x4F]),
        Self(
            text: "檔案管理.txt",
            bytes: [0xC0, 0xC9, 0xAE, 0xD7, 0xBA, 0xDE, 0xB2, 0x7A, 0x2E, 0x74, 0x78, 0x74]),
    ]
}

/// Names of zip files that were packed in East Asia.
@Suite struct EastAsianNamesTests {
    private func shown(_ names: [[UInt8]]) -> [String] {
        let all = MemberNames(names, isZip: true)
        return names.map { all.text($0) }
    }

    @Test(
        "A name alone is told from those in other pages",
        arguments: PagedName.japanese + PagedName.chinese + PagedName.korean + PagedName.cyrillic + PagedName.western)
    func aloneInItsPage(sample: PagedName) { #expect(shown([sample.bytes]) == [sample.text]) }

    @Test(
        "So are all names together",
        arguments: [PagedName.japanese, PagedName.chinese, PagedName.korean, PagedName.cyrillic, PagedName.western])
    func together(samples: [PagedName]) { #expect(shown(samples.map(\.bytes)) == samples.map(\.text)) }

    @Test("What is in none of these pages stays as it was", arguments: PagedName.others)
    func inNoPage(sample: PagedName) { #expect(EastAsianPage(of: [sample.bytes]) == nil) }

    @Test("Too little to tell is no reason: a name that others tell of is read with them")
    func tooLittle() {
        // 表紙.jpg, in whose bytes page 437 has letters only.
        let cover: [UInt8] = [0x95, 0x5C, 0x8E, 0x86, 0x2E, 0x6A, 0x70, 0x67]
        #expect(EastAsianPage(of: [cover]) == nil)
        #expect(shown([cover] + PagedName.japanese.map(\.bytes)).first == "表紙.jpg")
        #expect(EastAsianPage(of: [[0x81], [0x82, 0xA0, 0x82]]) == nil && EastAsianPage(of: [] as [[UInt8]]) == nil)
        #expect(shown(PagedName.japanese.map(\.bytes) + [Array("日本.txt".utf8)]).last == "日本.txt")
    }

    @Test("Any bytes are some text, and outside of zip files no page is looked for")
    func anything() {
        for seed in 0..<200 {
            let name = (0..<20).map { UInt8(truncatingIfNeeded: ($0 + 3) &* (seed &* 31 + 7) &* 37 >> 2) }
            _ = MemberNames([name] + PagedName.japanese.map(\.bytes), isZip: true).parts(name)
            #expect(!shown([name])[0].isEmpty)
        }
        let names = PagedName.chinese.map(\.bytes)
        #expect(MemberNames(names, isZip: false).text(names[0]).contains("\u{FFFD}"))
    }

    @Test("The second byte of a letter divides no folders")
    func folders() {
        let names = MemberNames(PagedName.japanese.map(\.bytes), isZip: true)
        // ソフト\能力.txt, with two letters that end in the byte of a backslash.
        let path: [UInt8] = [
            0x83, 0x5C, 0x83, 0x74, 0x83, 0x67, 0x5C, 0x94, 0x5C, 0x97, 0xCD, 0x2E, 0x74, 0x78, 0x74,
        ]
        #expect(names.parts(path).map { names.text($0) } == ["ソフト", "能力.txt"])
        #expect(names.parts(Array("a\\.\\b\\".utf8)).map { names.text($0) } == ["a", "b"])
        #expect(names.parts(Array("./a//b\\c/".utf8)).map { names.text($0) } == ["a", "b\\c"])
        #expect(names.parts([0x83, 0x5C, 0x83]).count == 1 && names.parts([]).isEmpty)
    }
}
