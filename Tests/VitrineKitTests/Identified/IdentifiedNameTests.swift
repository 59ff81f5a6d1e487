import Testing
import VitrineKit
import VitrineTesting

@Suite struct IdentifiedNameTests {
    private func component(_ name: String, _ id: String? = nil) -> String {
        String(decoding: IdentifiedName.component(of: Array(name.utf8), id: id), as: UTF8.self)
    }

    @Test func `ordinary names stay as they are`() {
        for name in ["report.pdf", "100%", "%41", "...", ".hidden", " a ", "50%-off.txt", "日本語", "%", "%%", "a%2"] {
            #expect(component(name) == name)
        }
    }

    @Test func `others are written in another way`() {
        #expect(component("a/b") == "a%2Fb")
        #expect(component("a\0") == "a%00")
        #expect(component(".") == "%2E" && component("..") == "%2E%2E")
        #expect(component("") == "%_")
        #expect(component("%2F") == "%252F" && component("%~1") == "%25~1" && component("%_") == "%25_")
        #expect(component("report.pdf", "77") == "report%~77.pdf")
        #expect(component("archive.tar.gz", "a-b") == "archive.tar%~a-b.gz")
        #expect(component("no extension", "a/b") == "no extension%~a=2Fb")
        #expect(component(".hidden", "1") == ".hidden%~1" && component("..", "1") == "%2E%2E%~1")
        #expect(component("", "1") == "%_%~1")
    }

    @Test func `all of it can be taken apart again, and no two are the same`() throws {
        var random = SeededNumbers(seed: 1)
        let letters = Array("%~_2F0E5./a=\0".utf8)
        var seen: [[UInt8]: [UInt8]] = [:]
        for round in 0..<20_000 {
            let name = (0..<Int.random(in: 0..<7, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0
            }
            let id = round % 2 == 0 ? nil : ["1", "a=b", "x/2"][round % 3]
            let component = IdentifiedName.component(of: name, id: id)
            _ = try ItemPath.root.appending(component)
            let parsed = try #require(IdentifiedName.parse(component), "\(component)")
            #expect(parsed.name == name && parsed.id == id)
            let whole = name + [0xFF] + Array((id ?? "-").utf8)
            #expect(seen.updateValue(whole, forKey: component) ?? whole == whole)
        }
    }

    @Test(arguments: ["%2E", "a/b", "", "..", "%2Ea", "a%~", "a%~=2", "a%~1b", "a%~1%~2", "%25", "%25a"])
    func `what is never made means nothing`(text: String) {
        let parsed = IdentifiedName.parse(Array(text.utf8))
        // `%2E` is how `.` is written, and `a%~1b` the item of id `1b`.
        #expect((parsed == nil) == !["%2E", "a%~1b"].contains(text), "\(text)")
    }
}
