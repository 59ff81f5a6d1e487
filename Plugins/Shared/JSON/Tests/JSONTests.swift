import Testing
import VitrineTesting

@testable import JSON

@Suite struct JSONTests {
    private func read(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

    @Test func whatIsJSONIsRead() {
        let value = read(" {\"a\": [1, -2.5e1, true, null, \"x\\u00e9\\ud83d\\ude00\\n\\/\"], \"b\":{}} ")
        #expect(value?["a"]?.list == [.number(1), .number(-25), .boolean(true), .null, .text("xé😀\n/")])
        #expect(value?["b"] == .object([:]))
        #expect(value?["c"] == nil && value?["a"]?["b"] == nil)
        #expect(read("12")?.integer == 12 && read("1.5")?.integer == nil && read("1e300")?.integer == nil)
        #expect(read(JSONValue.quoted("a\"\\\n\u{1}é"))?.text == "a\"\\\n\u{1}é")
    }

    @Test(arguments: [
        "", "{", "[", "\"", "{\"a\"}", "{\"a\":}", "{a:1}", "[1,]", "[1 2]", "nul", "tru", "\"\\u12\"", "\"\\u+041\"",
        "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "{}x", "1e999", "nan", "inf",
    ])
    func whatIsNoneIsRefused(text: String) { #expect(read(text) == nil) }

    @Test func bombsAreRefused() {
        #expect(JSONValue([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)) == nil)
        #expect(read(String(repeating: "[", count: 15) + "1" + String(repeating: "]", count: 15)) != nil)
        #expect(read(String(repeating: "[", count: 16) + "1" + String(repeating: "]", count: 16)) == nil)
        let many = "[" + String(repeating: "0,", count: JSONValue.most) + "0]"
        #expect(read(many) == nil)
        #expect(throws: JSONRefusal.tooLarge) { try JSONValue(Array("[1,2]".utf8), most: 2) }
        #expect(throws: JSONRefusal.damaged(line: 1)) { try JSONValue(Array("[1 2]".utf8), most: 9) }
        #expect(throws: JSONRefusal.damaged(line: 3)) { try JSONValue(Array("[1,\n2,\n]\n".utf8), most: 9) }
        #expect(throws: Never.self) { try JSONValue(Array("[1,2]".utf8), most: 3) }
        #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    }

    @Test func whateverComesIsAnswered() {
        var random = SeededNumbers(seed: 7)
        let letters = Array("{}[]\",:\\u0123eE+-.truefalsn \u{FFFD}".utf8)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? 0
            }
            _ = JSONValue(text)
        }
    }

    @Test func elementsAreFoundWhileTheyCome() {
        let text = Array("{\"list\":[{\"a\":\"}]{\"},{\"b\":[{}]}]}".utf8)
        var elements = JSONElements()
        let found = text.compactMap { elements.take([$0]) }.flatMap { $0 }
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":\"}]{\"}", "{\"b\":[{}]}"])
        #expect(elements.isComplete)
    }
}
