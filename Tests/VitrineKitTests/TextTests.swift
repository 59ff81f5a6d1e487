import Foundation
import Testing
import VitrineKit

struct TextTests {
    @Test func onlyTheBytesThatGLibLeavesAreLeft() {
        let left = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!$&'()*+,-./:=@_~".utf8)
        for byte in UInt8.min...UInt8.max {
            let encoded = PercentEncoding.encode([byte])
            if left.contains(byte) {
                #expect(Array(encoded.utf8) == [byte])
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                #expect(encoded == "%" + (digits.count == 1 ? "0" : "") + digits)
            }
            #expect(PercentEncoding.decode(encoded) == (byte == 0 ? nil : [byte]))
        }
    }

    @Test(arguments: ["%", "%1", "a%g0", "%0", "%00", "ok%"])
    func brokenEscapesAreNil(_ text: String) { #expect(PercentEncoding.decode(text) == nil) }

    @Test func componentsKeepWhatIsUnreserved() {
        #expect(PercentEncoding.encodeComponent("aZ9-._~/ +&=ü".utf8) == "aZ9-._~%2F%20%2B%26%3D%C3%BC")
        #expect(PercentEncoding.encodeComponent("a/b c".utf8, keepsSlash: true) == "a/b%20c")
    }

    @Test func hexadecimalNumbersHaveNothingButDigits() {
        #expect(UInt8(hexadecimal: "fF".utf8) == 255 && UInt32(hexadecimal: "0010ffff".utf8) == 0x10FFFF)
        for text in ["", "+f", "-1", "0x1", "g", " 1", "1 ", "１", "100"] {
            #expect(UInt8(hexadecimal: text.utf8) == nil, "\(text)")
        }
        #expect(Int8(hexadecimal: "7F".utf8) == 127 && Int8(hexadecimal: "80".utf8) == nil)
        #expect(
            UInt64(hexadecimal: "FFFFFFFFFFFFFFFF".utf8) == .max && UInt64(hexadecimal: "10000000000000000".utf8) == nil
        )
    }

    @Test func base64IsThatOfTheStandard() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            #expect(Base64.text(bytes) == Data(bytes).base64EncodedString())
        }
    }

    @Test func bothCasesOfDigitsAreRead() { #expect(PercentEncoding.decode("%c3%A4") == [0xC3, 0xA4]) }

    @Test func whatCouldFoolAReaderIsEscaped() {
        #expect(DisplayText.of("a\nb\tc\rd") == "a\\nb\\tc\\rd")
        #expect(DisplayText.of("\u{1B}[31m\u{7F}\u{9B}") == "\\u{1B}[31m\\u{7F}\\u{9B}")
        #expect(DisplayText.of("a\u{61C}b") == "a\\u{61C}b")
        #expect(DisplayText.of("fdp\u{202E}exe.\u{2066}x\u{200F}") == "fdp\\u{202E}exe.\\u{2066}x\\u{200F}")
        #expect(DisplayText.of([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    }

    @Test func plainTextStaysAsItIs() {
        let text = "Prüfung 日本語 – 😀 'x' \"y\" \\"
        #expect(DisplayText.of(text) == text)
    }
}
