import Testing
import VitrineKit

@Suite struct PasswordTests {
    @Test func itIsGivenToLibrariesWithAZeroBehindIt() throws {
        let password = try #require(Password(Array("gehéim".utf8)))
        #expect(Password.withCString(password) { $0.map { String(cString: $0) } } == "gehéim")
        #expect(Password.withCString(nil) { $0 == nil })
        #expect(password.withBytes { Array($0) } == Array("gehéim".utf8))
    }

    @Test func whatIsNoPasswordIsNone() {
        #expect(Password([]) == nil)
        #expect(Password([0x61, 0, 0x62]) == nil)
        #expect(Password([UInt8](repeating: 0x61, count: Password.maximumLength)) != nil)
        #expect(Password([UInt8](repeating: 0x61, count: Password.maximumLength + 1)) == nil)
    }

    @Test func nothingTellsIt() throws {
        let password = try #require(Password(Array("hunter2".utf8)))
        var request = RenderRequest(box: 1, mimeType: "application/pdf")
        request.password = password
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(password)", String(reflecting: password), "\(request)", dumped] {
            #expect(!text.contains("hunter2"))
        }
    }

    @Test func equalBytesAreEqual() throws {
        #expect(Password(Array("a".utf8)) == Password(Array("a".utf8)))
        #expect(Password(Array("a".utf8)) != Password(Array("b".utf8)))
    }
}
