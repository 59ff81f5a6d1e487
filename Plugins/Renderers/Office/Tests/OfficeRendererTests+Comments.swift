import Testing

@testable import OfficeRenderer

// What people remark on documents, which is not printed.
extension OfficeRendererTests {
    @Test func leavesOutCommentsOnTexts() throws {
        let text = Documents.commentedText()
        for (suffix, bytes) in [
            ("fodt", text), ("docx", try Self.office.converted(text, from: "fodt", to: "docx")),
        ] {
            // Half a step of the scaler's rounding off white.
            // Several times, for LibreOffice puts comments there on a thread of its own.
            for _ in 0..<8 {
                let colors = try draw(bytes, suffix).colors
                #expect(colors.allSatisfy { color in channels(color).allSatisfy { $0 > 0xF8 } }, "\(suffix)")
            }
        }
    }

    /// Also of sheets, but for those that are always seen, which are printed.
    @Test(arguments: [false, true]) func leavesOutMarksOfCommentsOnSheets(isShown: Bool) throws {
        let colors = try draw(WorkbookPackage.commented(isShown: isShown), "xlsx").colors
        // The marks are red, the box is blue.
        #expect(!colors.contains { channels($0)[0] > channels($0)[2] + 0x40 })
        #expect(colors.contains { channels($0)[2] > channels($0)[0] + 0x40 } == isShown)
    }

    /// By whomever they are, and whosever were drawn before.
    @Test func drawsTrackedChangesInOneColor() throws {
        let words = String(repeating: "\u{2588}", count: 200)
        let date = "w:date=\"2024-01-01T00:00:00Z\""
        func change(_ kind: String, _ author: String) -> String {
            switch kind {
            case "ins": "<w:ins w:id=\"1\" w:author=\"\(author)\" \(date)><w:r><w:t>\(words)</w:t></w:r></w:ins>"
            case "del":
                "<w:del w:id=\"1\" w:author=\"\(author)\" \(date)><w:r><w:delText>\(words)</w:delText></w:r></w:del>"
            default:
                "<w:r><w:rPr><w:b/><w:rPrChange w:id=\"1\" w:author=\"\(author)\" \(date)><w:rPr/></w:rPrChange></w:rPr>"
                    + "<w:t>\(words)</w:t></w:r>"
            }
        }
        for kind in ["ins", "del", "rPrChange"] {
            let drawings = try ["Anna", "Boris", "Chiara"].map { author in
                let body = "<w:p>\(change(kind, "\(author) \(kind)"))</w:p>"
                return try draw(WordDocument.package(WordDocument.part(body)), "docx").colors
            }
            // Full blocks, in what LibreOffice gives the first author.
            #expect(drawings.allSatisfy { $0.contains(0xC69200) }, "\(kind)")
        }
    }

    func channels(_ color: UInt32) -> [UInt32] { [16, 8, 0].map { color >> $0 & 0xFF } }
}
