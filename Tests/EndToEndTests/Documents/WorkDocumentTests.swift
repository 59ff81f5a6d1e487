import RendererFixtures
import Testing

/// Documents of iWork. In a worker: a process in which LibreOffice has read some may abort when it ends.
@Suite(.timeLimit(.minutes(10))) struct WorkDocumentTests {
    /// A text of Pages '09.
    private static func pages(_ words: String, preview: [UInt8] = []) -> [UInt8] {
        let apple = "http://developer.apple.com/namespaces/"
        let text = words.isEmpty ? "" : "<sf:p>\(words)</sf:p>"
        let index = """
            <?xml version="1.0"?><sl:document xmlns:sl="\(apple)sl" xmlns:sf="\(apple)sf" xmlns:sfa="\(apple)sfa" \
            sl:version="92008102400"><sf:text-storage sf:kind="body"><sf:text-body><sf:section><sf:layout>\(text)\
            </sf:layout></sf:section></sf:text-body></sf:text-storage></sl:document>
            """
        let picture = preview.isEmpty ? [] : [(name: "preview.jpg", bytes: preview)]
        return zipFile([(name: "index.xml", bytes: Array(index.utf8))] + picture, checksum: nil)
    }

    @Test func theirTextIsDrawnAndTold() async throws {
        let home = try UserHome()
        _ = try home.write("a.pages", Self.pages("Hello to all of you"))
        // The list of its parts says more than a white page.
        _ = try home.write("b.pages", Self.pages(""))
        let told = try await home.run("text", home.file("a.pages"))
        #expect(told.exitCode == 0 && told.text == "Hello to all of you\n", "\(told.text) \(told.errors)")
        // It is no text, though.
        let none = try await home.run("text", home.file("b.pages"))
        #expect(none.exitCode == 1 && none.text.isEmpty && none.errors.contains("iWork"), "\(none.text) \(none.errors)")
        // A preview is read without LibreOffice, which knows the text.
        _ = try home.write("c.pages", Self.pages("Hello", preview: try Fixtures.bytes("image/plain.jpg")))
        #expect(try await home.run("text", home.file("c.pages")).text == "Hello\n")
        let items = try await home.run("prebuild", "--progress=json", home.files).items()
        for (name, renderer) in [("a.pages", "office"), ("b.pages", "archive"), ("c.pages", "package")] {
            let item = try #require(items.first { $0.uri.hasSuffix("/" + name) })
            #expect(item.outcome == "made" && item.renderer == renderer, "\(item)")
        }
    }
}
