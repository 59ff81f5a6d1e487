import Foundation
import TestSupport
import Testing

@Suite struct ReadmeTests {
    @Test func `the README's example is the one that is compiled here`() throws {
        let readme = try String(contentsOf: Products.checkout.appending(path: "README.md"), encoding: .utf8)
        let block = try #require(readme.split(separator: "```swift\n").dropFirst().first?.split(separator: "```").first)
        let shown = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let source = try String(
            contentsOf: Products.checkout.appending(path: "Tests/VitrineTests/ReadmeExample.swift"), encoding: .utf8)
        let compiled = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let body = compiled.filter { !$0.hasPrefix("///") && !$0.hasPrefix("func ") }
        #expect(shown == Array(body.dropLast()))
    }
}
