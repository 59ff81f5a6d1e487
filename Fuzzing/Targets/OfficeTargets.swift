import CompoundFiles
import VitrineKit

@testable import OfficeRenderer

extension FuzzTarget {
    /// More reads than any document of the targets' length may cost: 64 short sectors, each at the end of two chains
    /// of 1,024 sectors, with a look into the table for each.
    private static let readLimit = 300_000

    private static func rejected(_ error: PluginError, _ input: CountedInput) throws {
        try reads(of: input)
        try error.mustBe(.corrupt, .encrypted, .empty, .unsupported, .limitExceeded)
    }

    private static func reads(of input: CountedInput) throws {
        try hold(input.reads <= readLimit, "more than \(readLimit) reads of \(input.size) bytes: a chain without end?")
        try hold(input.negativeOffsets == 0, "something before the beginning was read")
    }

    /// The list of files at the end of a zip.
    static let zipDirectory = FuzzTarget(
        name: "zip-directory", maximumLength: 1 << 16, fixtures: ["office"],
        words: ["PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}", "mimetype", "content.xml"],
        check: { bytes in
            let input = CountedInput(bytes, limit: readLimit)
            let archive: ZipDirectory
            do throws(PluginError) { archive = try ZipDirectory(input) } catch { return try rejected(error, input) }
            try hold(
                archive.entries.count * 46 <= bytes.count, "\(archive.entries.count) files in \(bytes.count) bytes")
            try hold(archive.entries.allSatisfy { $0.size >= 0 }, "a file has less than no bytes")
            try hold(0...archive.unpackedSize ~= archive.parsedSize, "more is parsed than unpacked")
            for entry in archive.entries.prefix(64) {
                try hold(archive.contains(entry.name), "a file is not there")
                let start = try archive.stored(entry.name, count: 16, in: input)
                try hold((start?.count ?? 0) <= 16, "more was read than asked for")
                try hold(
                    start == nil || archive.entries.contains { $0.name == entry.name && $0.isStored }, "not stored")
            }
            try reads(of: input)
        })

    /// The little file system in doc, xls and ppt.
    static let compoundFile = FuzzTarget(
        name: "compound-file", maximumLength: 1 << 16, fixtures: ["office", "bad/truncated.xls"],
        words: ["WordDocument", "W\0o\0r\0k\0b\0o\0o\0k\0", "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"],
        check: { bytes in
            let input = CountedInput(bytes, limit: readLimit)
            do throws(PluginError) {
                let file = try CompoundFile(input)
                for name in file.entries.keys.sorted().prefix(16) {
                    let start = try file.head(of: name, count: 100)
                    if let start, start.count > 100 {
                        throw PluginError(.invalidAnswer, "more was read than asked for")
                    }
                }
                _ = try file.isEncrypted()
                if let list = try SlideRecordList(of: input) {
                    let isWithin = list.changes.keys.allSatisfy { 0..<input.size ~= $0 }
                    if !isWithin || list.changes.count > 8 {
                        throw PluginError(.invalidAnswer, "more than a head is changed")
                    }
                }
            } catch { return try rejected(error, input) }
            try reads(of: input)
        })

    /// All of what is looked at before LibreOffice gets a document.
    static let documentSniffer = FuzzTarget(
        name: "document-sniffer", maximumLength: 1 << 16, fixtures: ["office", "bad"],
        words: ["PK\u{3}\u{4}", "mimetype", "{\\rtf", "<office:document office:mimetype=\"", "[Content_Types].xml"],
        check: { bytes in
            for type in ["application/msword", "application/vnd.oasis.opendocument.text", "image/png"] {
                let input = CountedInput(bytes, limit: readLimit)
                do throws(PluginError) {
                    let finding = try DocumentSniffer.look(at: input, mimeType: type)
                    if finding.format.suffix.contains("/") { throw PluginError(.invalidAnswer, "a suffix is a path") }
                } catch {
                    try rejected(error, input)
                    continue
                }
                try reads(of: input)
            }
        })

    /// Where long texts are cut, of which LibreOffice gets the beginning, and texts that no cell of a workbook can hold.
    static let documentHeads = FuzzTarget(
        name: "document-heads", maximumLength: 1 << 17,
        seeds: {
            let lines = String(repeating: #"A \'e4{\b b}\par "#, count: 500)
            let texts = String(repeating: "a&amp;ä", count: 12_000)
            return [
                #"{\rtf1{\info{\nofpages9}{\title \u12?\'e4}{\creatim\yr2024\mo5\dy3}}{\pict\bin4 }}}}}{\pard "# + lines
                    + #"\trowd\cell\row }}"#,
                "<sst><si><r><t>\(texts)</t></r><r><t>b</t></r></si><si><t>c</t></si></sst>",
            ].map { Array($0.utf8) }
        },
        words: [
            #"\par "#, #"\bin9"#, #"\row"#, #"\trowd"#, #"{\*"#, "}", "</si>", "<si>", "<!--", "&amp;", "\0", "'>",
            #"\u-9"#,
            #"{\title "#, #"{\info"#,
        ],
        check: { bytes in
            if let head = RichTextHead(of: bytes) {
                let closed = head.bytes.reversed().prefix { $0 == UInt8(ascii: "}") }.count
                try hold(bytes.starts(with: head.bytes.dropLast(closed)), "the head is no beginning of the text")
                try hold(RichTextHead(of: head.bytes)?.bytes == head.bytes, "a head is cut elsewhere")
            }
            let info = RichTextInfo(of: bytes)
            for text in [info.title, info.author] {
                try hold((text?.utf8.count ?? 0) <= FactValue.textLimit, "a title is longer than a line")
            }
            if let texts = CellTexts(shortening: bytes) {
                try hold(texts.bytes.count < bytes.count, "nothing was cut")
                try hold(CellTexts(shortening: texts.bytes) == nil, "something is left to be cut")
            }
        })
}
