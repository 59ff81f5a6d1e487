import PluginHost
import Testing
import VitrineKit

@Suite("The registry names the renderers of a type in the order in which to try them")
struct RendererRegistryTests {
    private let folder: TemporaryFolder
    private let registry: RendererRegistry

    init() throws {
        folder = try TemporaryFolder()
        let docx = "\"application/vnd.openxmlformats-officedocument.wordprocessingml.document\""
        try folder.plugin("a", id: "anything", types: "\"application/octet-stream\"", priority: 900)
        try folder.plugin("b", id: "words", types: docx + ", \"application/msword\"", priority: 10)
        try folder.plugin("c", id: "zips", types: "\"application/zip\"", priority: 800)
        try folder.plugin("d", id: "more-words", types: "\"application/zip\", " + docx, priority: 20)
        try folder.plugin("e", id: "also-words", types: docx, priority: 20)
        try folder.plugin("f", id: "bitmaps", types: "\"image/x-bmp\"")
        try folder.plugin(
            "g", id: "vectors", types: "\"image/svg+xml\"",
            extra: ", \"magic\": [{\"type\": \"image/svg+xml\", \"offset\": 0, \"bytes\": \"3c\"}]")
        try folder.plugin("h", id: "texts", types: "\"text/plain\", \"application/xml\"", priority: 900)
        registry = RendererRegistry(PluginDirectory(scanning: PluginSearchPath(folders: [folder.path])))
    }

    private func ids(_ type: String) -> [String] { registry.renderers(for: type).map(\.manifest.id) }

    @Test func exactTypesFirstThenKinship() {
        let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        #expect(ids(docx) == ["also-words", "more-words", "words", "zips", "anything"])
        #expect(ids(docx.uppercased()) == ids(docx))
        // A variety of docx; the database spells it with a capital.
        let macros = "application/vnd.ms-word.document.macroEnabled.12"
        #expect(ids(macros) == ids(docx))
        #expect(ids(macros.lowercased()) == ids(docx))
        #expect(ids("application/zip") == ["zips", "more-words", "anything"])
        #expect(ids("application/vnd.oasis.opendocument.text") == ["zips", "more-words", "anything"])
    }

    @Test func whoSaysThatItIsFirstIsSoAmongItsLike() throws {
        let others = try TemporaryFolder()
        try others.plugin("a", id: "a", types: "\"x/one\", \"x/two\"")
        try others.plugin("b", id: "b", types: "\"x/one\", \"x/two\"", extra: ", \"firstFor\": [\"X/one\"]")
        try others.plugin("c", id: "c", types: "\"x/one\"", priority: 101)
        let registry = RendererRegistry(PluginDirectory(scanning: PluginSearchPath(folders: [others.path])))
        #expect(registry.renderers(for: "x/one").map(\.manifest.id) == ["c", "b", "a"])
        #expect(registry.renderers(for: "x/two").map(\.manifest.id) == ["a", "b"])
    }

    @Test func drawingsAreNoTextsFirst() {
        #expect(ids("image/svg+xml") == ["vectors", "texts", "anything"])
        #expect(ids("text/x-nobody-knows") == ["texts", "anything"])
        #expect(ids("application/json").contains("texts"))
    }

    @Test func knowsAliases() {
        #expect(ids("image/bmp").first == "bitmaps")
    }

    @Test func unknownTypesHaveOnlyTheLastResort() {
        #expect(ids("application/x-nobody-knows") == ["anything"])
        let empty = RendererRegistry(PluginDirectory(scanning: PluginSearchPath(folders: [])))
        #expect(empty.renderers(for: "image/png") == [])
        #expect(empty.magic == [])
    }

    @Test func textsUnderNamesOfWhatNobodyDrawsAreTexts() throws {
        let others = try TemporaryFolder()
        try others.plugin("a", id: "texts", types: "\"text/plain\"")
        try others.plugin("b", id: "bitmaps", types: "\"image/x-bmp\"")
        let search = PluginSearchPath(folders: [others.path])
        let registry = RendererRegistry(PluginDirectory(scanning: search))
        let sniffer = TypeSniffer(magic: registry.magic)
        func type(_ bytes: [UInt8], _ name: String, _ registry: RendererRegistry) -> String {
            let sniffed = sniffer.type(head: bytes, name: Array(name.utf8), size: Int64(bytes.count))
            return registry.drawnType(of: sniffed, head: bytes).mimeType
        }
        // Known by its first words, and by its name alone.
        let stations = Array("[playlist]\nFile1=https://radio.example.org/\n".utf8)
        #expect(type(stations, "radio", registry) == "text/plain")
        let words = Array("Some words\n".utf8)
        #expect(type(words, "a.cer", registry) == "text/plain")
        #expect(type([0xFF, 0xFE] + words.flatMap { [$0, 0] }, "a.cer", registry) == "text/plain")
        #expect(
            type(Array("Gr\u{FC}\u{DF}e aus M\u{FC}nchen".unicodeScalars.map { UInt8($0.value) }), "a.cer", registry)
                == "text/plain")
        #expect(type([UInt8](0x80...0xFF), "a.cer", registry) == "application/pkix-cert")
        // Who draws bitmaps says that this is none.
        #expect(type(words, "a.bmp", registry) == "image/bmp")
        // A certificate in DER, which is no text.
        #expect(type([0x30, 0x82, 0x01, 0x00, 0xFF, 0x00], "a.cer", registry) == "application/pkix-cert")
        let withoutTexts = RendererRegistry(PluginDirectory(scanning: search, disabled: ["texts"]))
        #expect(type(stations, "radio", withoutTexts) == "audio/x-scpls")
        let withoutBitmaps = RendererRegistry(PluginDirectory(scanning: search, disabled: ["bitmaps"]))
        #expect(type(words, "a.bmp", withoutBitmaps) == "image/bmp")
    }

    @Test func tellsWhoIsSwitchedOff() throws {
        let directory = PluginDirectory(
            scanning: PluginSearchPath(folders: [folder.path]), disabled: ["anything", "bitmaps"])
        let registry = RendererRegistry(directory)
        // By an alias, and not the one that would take everything.
        let error = registry.unsupported("image/bmp")
        #expect(error.code == .unsupported)
        #expect(
            error.message == "plugin 'bitmaps' renders files of type image/bmp, but is switched off by 'enabled' in "
                + "[plugin bitmaps] of the settings")
        #expect(registry.switchedOff(for: "application/x-nobody-knows")?.id == "anything")
        #expect(self.registry.unsupported("image/x").message == "no plugin renders files of type image/x")
    }

    @Test func namesTypesAsManifestsDo() throws {
        let docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        let words = try #require(registry.renderers(for: docx).first { $0.manifest.id == "more-words" })
        #expect(registry.declaredType(for: docx, by: words) == docx)
        let macros = "application/vnd.ms-word.document.macroEnabled.12"
        #expect(registry.declaredType(for: macros, by: words) == docx, "nearer than zip")
        #expect(registry.declaredType(for: "application/epub+zip", by: words) == "application/zip")
        #expect(registry.declaredType(for: "image/png", by: words) == nil)
        let all = registry.renderers(for: docx)
        #expect(all.map { registry.take(docx, alike: words, $0) } == [true, true, true, false, false])
        let zips = try #require(all.first { $0.manifest.id == "zips" })
        #expect(registry.take("application/epub+zip", alike: words, zips))
        let bitmaps = try #require(registry.renderers(for: "image/bmp").first)
        #expect(registry.declaredType(for: "image/bmp", by: bitmaps) == "image/x-bmp")
    }

    @Test func collectsMagic() { #expect(registry.magic.map(\.type) == ["image/svg+xml"]) }

    @Test func answersManyTasksAtOnce() async {
        let registry = registry
        await withTaskGroup { group in
            for index in 0..<64 {
                group.addTask { registry.renderers(for: "application/x-type-\(index % 8)").count }
            }
            for await count in group { #expect(count == 1) }
        }
    }
}
