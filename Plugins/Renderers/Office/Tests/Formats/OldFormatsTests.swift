import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@testable import OfficeRenderer

/// What was written before its format became what it is today.
@Suite struct OldFormatsTests {
    private func suffix(_ bytes: [UInt8], _ type: String) throws(PluginError) -> String {
        try DocumentSniffer.look(at: BytesInput(bytes), mimeType: type).format.suffix
    }

    /// A function of WordPerfect 4.2, of six bytes, and one of any length.
    private static let perfect: [UInt8] =
        [0xCB, 0x0A, 1, 0xF6, 1, 0xCB] + Array("A".utf8) + [0xD1, 1, 2, 3, 4, 0xD1]
    /// Those of WordPerfect 1: of six bytes too, but with another code, and one that says how long it is.
    private static let first: [UInt8] =
        [0xCE, 0, 0x48, 0, 0x90, 0xCE] + [0xD1, 0, 0, 0, 2, 7, 7, 0, 0, 0, 2, 0xD1] + Array("A".utf8)

    @Test func knowsWordPerfectWithoutASignature() throws {
        func begins(_ bytes: [UInt8], size: Int? = nil) -> Bool {
            OldWordPerfect.begins(bytes, size: Int64(size ?? bytes.count))
        }
        for document in [Self.perfect, Self.first] {
            #expect(try suffix(document, "application/vnd.wordperfect") == "wpd")
            for end in [3, 5] {
                // Functions end with their codes, within the file.
                var other = document
                other[5] = 0
                #expect(!begins(other) && !begins(Array(document.prefix(end))))
                #expect(!begins(Array(document.prefix(end)), size: 99), "nothing but a function that is cut off")
            }
            #expect(!begins(document + [0xFF]))
            #expect(!begins(document + [document[0]]))
            #expect(begins(document + [document[0]], size: 99))
        }
        #expect(!begins(Array(Self.first.prefix(10))) && begins(Array(Self.first.prefix(10)), size: 99))
        var unequal = Self.first
        unequal[16] = 3
        #expect(!begins(unequal))
        #expect(!begins([]) && !begins(Array("Plain".utf8)) && !begins(Array("na\u{EF}ve caf\u{E9}".utf8)))
        #expect(!begins([0x31, 0xBE, 0, 0, 0, 0xAB]))
    }

    @Test func knowsTextsAndDatabasesOfWorksForDOS() throws {
        let type = "application/vnd.ms-works"
        #expect(try suffix([1, 0xFE] + [UInt8](repeating: 0, count: 254), type) == "wps")
        #expect(try suffix([0x20, 0x54, 2, 0, 0, 0], type) == "wdb")
        for other: [UInt8] in [[1, 0xFE, 0], [6, 0xFE] + [UInt8](repeating: 0, count: 254), [0x20, 0x54, 0, 0]] {
            #expect(throws: PluginError.self) { try suffix(other, type) }
        }
        #expect(throws: PluginError.self) {
            try suffix([1, 0xFE] + [UInt8](repeating: 0, count: 254), "application/msword")
        }
    }

    /// Publisher had a part for its texts from version 2000 on.
    @Test func knowsPublisher97ByItsContents() throws {
        let type = "application/vnd.ms-publisher"
        #expect(try suffix(compoundFile([("Contents", [0xE8, 0xAC, 0x22, 0x00, 1])]), type) == "pub")
        #expect(throws: PluginError.self) { try suffix(compoundFile([("Contents", [0xE8, 0xAC, 0x21, 0x00])]), type) }
    }

    @Test func knowsRecordsOfLaterExcelsWithoutACompoundFile() throws {
        let book = try DocumentSniffer.look(
            at: BytesInput([0x09, 0x08, 8, 0, 0, 5, 0x10, 0, 0, 0, 0, 0]), mimeType: "application/vnd.ms-excel")
        #expect(book.format.suffix == "xls" && book.format.packing == .records)
    }
}
