import Testing
import VitrineTesting

@testable import Vitrine

/// Names out of the bytes of a list.
@Suite struct NameSplitterTests {
    /// What a list says, when its bytes come in pieces of one size.
    private func parts(_ bytes: [UInt8], separator: UInt8, inPiecesOf size: Int = .max) -> [NameSplitter.Part] {
        var splitter = NameSplitter(separator: separator)
        var parts: [NameSplitter.Part] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            parts += splitter.take(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        if let last = splitter.finish() { parts.append(last) }
        return parts
    }

    private func name(_ text: String) -> NameSplitter.Part { .name(Array(text.utf8)) }

    @Test func `each name ends with its separator, the last one may do without`() {
        for end in ["", "\n"] {
            let parts = parts(Array("a b\n\n ./c\r\n\nfile:///d\(end)".utf8), separator: 0x0A)
            #expect(parts == [name("a b"), name(" ./c"), name("file:///d")])
        }
        #expect(parts(Array("a\r\n\r\nb\r\r\n\rc\r".utf8), separator: 0x0A) == [name("a"), name("b\r"), name("\rc")])
        #expect(parts(Array("a\r\0b\r".utf8), separator: 0) == [name("a\r"), name("b\r")])
        #expect(parts([0x61, 0x0A, 0xFF, 0, 0, 0x62], separator: 0) == [.name([0x61, 0x0A, 0xFF]), name("b")])
        #expect(parts([], separator: 0).isEmpty && parts([0, 0, 0], separator: 0).isEmpty)
    }

    @Test func `in whatever pieces a list comes, it says the same`() {
        var generator = SeededNumbers(seed: 1)
        let long = [UInt8](repeating: 0x78, count: NameSplitter.longest + 300)
        var bytes = (0..<5000).map { _ in UInt8.random(in: 0...20, using: &generator) }
        bytes += [0x0A] + long + [0x0A] + bytes + [0x0A] + long
        let whole = parts(bytes, separator: 0x0A)
        #expect(whole.count { if case .tooLong = $0 { true } else { false } } == 2)
        for size in [1, 2, 7, 4096, NameSplitter.longest] {
            #expect(parts(bytes, separator: 0x0A, inPiecesOf: size) == whole, "pieces of \(size)")
        }
    }

    @Test func `what is too long is told once, by its beginning, and what follows is read`() {
        let longest = [UInt8](repeating: 0x61, count: NameSplitter.longest)
        #expect(parts(longest, separator: 0x0A) == [.name(longest)])
        let parts = parts(longest + longest + longest + Array("\nb\n".utf8), separator: 0x0A, inPiecesOf: 1000)
        #expect(parts == [.tooLong(beginning: Array(longest.prefix(200))), name("b")])
    }
}
