import Foundation
import Testing
import VitrineKit

/// Drawings that ask for what they may not have.
@Suite(.serialized) struct HostileDrawingTests {
    private func failure(_ bytes: [UInt8]) -> PluginError? {
        #expect(throws: PluginError.self) { try Drawn(bytes) }
    }

    private func failure(_ text: String) -> PluginError? { failure(Array(text.utf8)) }

    /// Makes a file with one red pixel, which no drawing may show.
    private func withCanary(_ body: (URL) throws -> Void) throws {
        let folder = URL.temporaryDirectory.appending(path: "svg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let canary = folder.appending(path: "canary.png")
        try #require(Data(base64Encoded: SampleDrawings.pixel)).write(to: canary)
        try body(canary)
    }

    @Test("A file beside the drawing, or anywhere, is not shown")
    func files() throws {
        try withCanary { (canary) throws in
            for link in [canary.absoluteString, canary.path, "canary.png", "./canary.png"] {
                let linking = SampleDrawings.drawing(SampleDrawings.picture(link))
                #expect(try Drawn(linking).isBlank, "\(link)")
                let inside = "data:image/svg+xml;base64,\(Data(linking.utf8).base64EncodedString())"
                #expect(try Drawn(SampleDrawings.drawing(SampleDrawings.picture(inside))).isBlank, "inside: \(link)")
                for element in [
                    #"<text y="90" font-size="90"><xi:include href="\#(link)" parse="text"/></text>"#,
                    #"<style>@import url("\#(link)");</style>"#,
                    #"<use xlink:href="\#(link)#a"/>"#,
                    #"<filter id="f"><feImage xlink:href="\#(link)"/></filter><rect width="9" height="9" filter="url(#f)"/>"#,
                ] {
                    #expect(try Drawn(SampleDrawings.drawing(element)).isBlank, "\(element)")
                }
            }
            let entity = "<!DOCTYPE svg [<!ENTITY x SYSTEM \"\(canary.absoluteString)\">]>"
            let text = SampleDrawings.drawing("<text y='90' font-size='90'>&x;</text>", prolog: entity)
            if let drawn = try? Drawn(text) { #expect(drawn.isBlank) }
        }
    }

    @Test("No server is called")
    func servers() throws {
        let listener = try #require(LoopbackListener())
        let address = "http://127.0.0.1:\(listener.port)/"
        let content = """
            <style>@import url("\(address)a.css"); @font-face { font-family: a; src: url(\(address)a.woff) }</style>
            \(SampleDrawings.picture(address + "a.png"))<text y="40" font-family="a">a</text>
            """
        _ = try Drawn(SampleDrawings.drawing(content, prolog: "<!DOCTYPE svg SYSTEM \"\(address)a.dtd\">"))
        _ = try? Drawn(
            SampleDrawings.drawing("<text>&x;</text>", prolog: "<!DOCTYPE svg [<!ENTITY x SYSTEM \"\(address)x\">]>"))
        #expect(!listener.wasCalled)
        #expect(listener.call() && listener.wasCalled)
    }

    @Test("A compressed drawing that grows beyond the limit is refused before it is read")
    func gzipBomb() {
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 32 << 20)
        let bytes = SampleDrawings.compressed(blanks + Array(SampleDrawings.drawing("").utf8))
        #expect(bytes.count < 100 << 10)
        #expect(failure(bytes)?.code == .limitExceeded)
    }

    @Test("A drawing with too many bytes is refused unread")
    func tooLarge() {
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 32 << 20)
        #expect(failure(blanks + Array(SampleDrawings.drawing("").utf8))?.code == .limitExceeded)
    }

    @Test("A compressed drawing that is cut short, damaged or compressed twice is corrupt")
    func damagedStreams() throws {
        let stream = SampleDrawings.compressed(Array(SampleDrawings.drawing(SampleDrawings.red).utf8))
        #expect(try Drawn(stream)[100, 50] == .red)
        #expect(failure(Array(stream.dropLast(20)))?.code == .corrupt)
        #expect(failure(Array(stream.prefix(5)))?.code == .corrupt)
        var damaged = stream
        damaged[damaged.count - 8] ^= 0xFF
        #expect(failure(damaged)?.code == .corrupt)
        #expect(failure(SampleDrawings.compressed(stream))?.code == .corrupt)
        #expect(failure(SampleDrawings.compressed([]))?.code == .empty)
    }

    @Test("A drawing that is cut short is corrupt, and so is one of something else")
    func cutShort() {
        let whole = SampleDrawings.drawing(SampleDrawings.quarters)
        #expect(failure(String(whole.dropLast(10)))?.code == .corrupt)
        #expect(failure("<html><body/></html>")?.code == .corrupt)
        #expect(failure("no markup")?.code == .corrupt)
        let error = failure(String(whole.dropLast(10)))
        #expect(error?.message.contains("\n") == false)
    }

    @Test("Entities that multiply are refused")
    func entityBomb() {
        let entities = (1...9).map { level in
            "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        let prolog = "<!DOCTYPE svg [<!ENTITY a0 \"ha\">\(entities.joined())]>"
        #expect(failure(SampleDrawings.drawing("<text>&a9;</text>", prolog: prolog))?.code == .corrupt)
    }

    @Test("Elements nested without end are refused")
    func deepNesting() {
        let depth = 100_000
        let content = String(repeating: "<g>", count: depth) + String(repeating: "</g>", count: depth)
        #expect(failure(SampleDrawings.drawing(content))?.code == .corrupt)
    }

    @Test("Parts that repeat each other ever more often are refused")
    func useBomb() {
        let levels = (1...8).map { level in
            "<g id='u\(level)'>" + String(repeating: "<use xlink:href='#u\(level - 1)'/>", count: 10) + "</g>"
        }
        let content = "<defs><g id='u0'/>\(levels.joined())</defs><use xlink:href='#u8'/>"
        #expect(failure(SampleDrawings.drawing(content))?.code == .limitExceeded)
    }

    @Test("A transformation that leaves nothing is called that, and not too much")
    func noMatrix() {
        let clip = "<clipPath id='a' transform='scale(0)'><rect width='9' height='9'/></clipPath>"
        let error = failure(SampleDrawings.drawing(clip + "<rect width='9' height='9' clip-path='url(#a)'/>"))
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("transformations") == true)
    }

    @Test("A drawing without an area is empty", arguments: ["width='0' height='9'", "viewBox='0 0 0 9'"])
    func noArea(attributes: String) {
        #expect(failure(SampleDrawings.drawing(SampleDrawings.red, attributes))?.code == .empty)
    }
}
