import HTMLRenderer
import RendererFixtures
import Testing
import VitrineKit
import VitrineTesting

@Suite struct HelpFileTests {
    private static let type = "application/vnd.ms-htmlhelp"
    private let manual: [UInt8]

    init() throws { manual = try Fixtures.bytes("html/manual.chm") }

    private func render(_ bytes: [UInt8]) throws -> Rendering {
        try draw(bytes) {
            $0.mimeType = Self.type
            $0.wantsText = true
        }
    }

    private func failure(_ bytes: [UInt8]) throws -> PluginError? {
        do {
            _ = try render(bytes)
            return nil
        } catch let error as PluginError { return error }
    }

    /// The help file with other letters in place of some, which are as many.
    private func changed(_ changes: (from: String, to: String)...) throws -> [UInt8] {
        var bytes = manual
        for (from, to) in changes {
            let place = try #require(bytes.firstRange(of: Array(from.utf8)), "\(from)")
            bytes.replaceSubrange(place, with: Array(to.utf8))
        }
        return bytes
    }

    @Test("It keeps the renderer's contract for help files")
    func conformance() {
        let suite = RendererConformance(
            samples: [RendererSample("a manual", mimeType: Self.type, bytes: manual)], enlarges: true
        ) { environment throws(PluginError) in try HTMLRenderer(environment) }
        #expect(suite.violations() == [])
    }

    @Test("The page that a help file begins with is shown, with the picture and the style sheet that lie in it")
    func firstPage() throws {
        let rendering = try render(manual)
        let check = QuadrantCheck(RGBAPicture(rendering.bitmap))
        #expect(check.arrangement == .upright && check.largestError < 0.06)
        // Its own title counts, and not the page's; the dash is one of Windows-1252, as the language has it.
        #expect(rendering.facts.title == "Vitrine – a manual")
    }

    @Test("Where the page is not there that it should begin with, the first one is shown")
    func anyPage() throws {
        let rendering = try render(changed((from: "pages/Start.htm", to: "pages/Gone..htm")))
        #expect(rendering.facts.text == "Not the first page.")
        let pageless = try changed(
            (from: "/a.htm", to: "/a.txt"), (from: "pages/start.htm", to: "pages/start.txt"))
        #expect(try failure(pageless)?.code == .empty)
    }

    @Test("What Free Pascal's compiler writes is read, though it has the wrong number in its header")
    func wrongNumber() throws {
        var bytes = manual
        #expect(bytes[0x28] == 0x11)
        bytes[0x28] = 0x10
        #expect(QuadrantCheck(RGBAPicture(try render(bytes).bitmap)).arrangement == .upright)
        bytes[0x28] = 0x12
        #expect(try failure(bytes)?.code == .corrupt)
    }

    @Test("What is cut off is damaged")
    func cut() throws {
        for count in [1, 0x5F, 0x100, 0x1000, manual.count - 200] {
            #expect(try failure(Array(manual.prefix(count)))?.code == .corrupt, "\(count)")
        }
        #expect(try failure([])?.code == .empty)
    }

    @Test("Damage never ends in anything but a picture or a reason", arguments: 0..<60)
    func damage(seed: Int) throws {
        let bytes = damaged(manual, seed: seed, changes: 10)
        if let error = try failure(bytes) {
            #expect([.corrupt, .empty, .unsupported, .limitExceeded].contains(error.code), "\(error)")
        }
    }
}
