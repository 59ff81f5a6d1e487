import Testing
import VitrineKit

/// The same rules, the same files: git and the module agree on each, down to the line that decides.
@Suite struct GitComparisonTests {
    /// Files of patterns at the top of a tree.
    static let table: [String] = [
        "a", "a\n!a", "!a", "*", "*\n!foo.txt", "*\n!*/\n!foo.txt", "*.o", "*.o\n!b.o", "foo*", "?", "??", "f?o",
        "/a", "/dir/a", "dir/a", "dir/", "/dir/", "dir", "dir/sub/", "sub", "sub/", "sub/a", "/sub/a", "a/", "deep/",
        "**/a", "**/sub", "**/sub/a", "dir/**", "dir/**/a", "dir/**/deep", "/**", "**", "**/", "**/**", "/**/a",
        "dir/**/**/a", "a/**/b", "doc/**/b", "**/deep/**", "dir/*/a", "dir/*", "*/a", "*/*/a", "/*", "/*/", "*/",
        "dir/**/", "dir**", "di**r/a", "d*/s*/d*/a", "dir/***/a", "***", "***/a", "[ab]", "[!a]", "[^a]", "[a-c]",
        "[a-c]*", "[c-a]", "[]]", "[]-]", "[!]]", "[a", "a]", "[", "[]", "[!", "[a-]", "[-a]", "[\\]]", "[\\a-\\c]",
        "x[[]y", "x[\\[]y", "[[:alpha:]]", "[[:punct:]]", "[^[:alpha:]]", "[[:nope:]]", "[[:alpha:", "[[:alpha]",
        "[[:]",
        "[[:lower:][:punct:]]", "[[:alpha:]-]", "dir[/]a", "dir[!x]a", "dir/[a-c]", "\\a", "\\*", "q\\?", "x\\\\y",
        "x\\y", "\\#c", "#c", "\\!d", "!!d", "*\n!!d", "a\\", "\\", "a b", "a\\ b", "trailing ", "trailing\\ ",
        "trailing\\  ", "a   ", "  a", " ", "\t", "a\t", "", "/", "//", "//a", "dir//a", "dir/a/", "a//", "foo/a", "é",
        "?.txt", "*é*", "??\n!é", ".hid", ".*", "*.*", "a\r\nb\r\n", "a\r", "# a\n\n   \nb", "\u{FEFF}a",
        "b\n\u{FEFF}a",
        "dir\n!dir/a", "dir/*\n!dir/a", "/*\n!/dir\n/dir/*\n!/dir/sub\n", "*.txt\n!/foo.txt", "doc\n!doc/a/\n!doc/a/b",
        "dir/\\a", "dir\\/a", "*o*", "*o*o*", "*b*c", "abc*", "*abc", "a*b*c", "**foo**", "f**o", "-", "^",
        "[*]", "[?]", "\\[", "dir/sub/deep/a", "dir/?ub/*/[a]", "*/sub", "*/sub/*", "build/*/a", "/build/**/*.o", "!",
        "!/",
        "!*", "*\n!dir/\n!a", "foo.txt\n!dir/foo.txt", "**/foo.txt\n!/dir/**/foo.txt",
    ]

    /// Files of patterns in several folders of one tree.
    static let nested: [[String: String]] = [
        ["": "a", "dir": "!a"], ["": "*.o", "dir/sub": "!b.o"], ["": "dir/sub", "dir/sub": "!*"], ["dir": "/a"],
        ["dir": "sub/"], ["dir": "sub/a"], ["dir": "/sub/**"], ["dir": "**/a", "dir/sub": "!a", "dir/sub/deep": "a"],
        ["": "!*", "dir": "*", "dir/sub": "!*"], ["": "/dir/sub/a\n", "dir": "!/sub/a"], ["dir": "dir/a"],
        ["dir": "/**"],
    ]

    private func compare(_ cases: [GitTree.Rules]) throws {
        let tree = try GitTree(cases)
        let (git, ours) = (try tree.excludedByGit(), try tree.excludedByRules())
        for (number, rules) in cases.enumerated() where git[number] != ours[number] {
            let paths = GitTree.paths.filter { git[number][$0] != ours[number][$0] }
            let differences = paths.map { path in
                "\(DisplayText.of(path)): git \(git[number][path] ?? "takes it"), we \(ours[number][path] ?? "take it")"
            }
            Issue.record("\(rules.mapValues { DisplayText.of($0) }): \(differences.joined(separator: "; "))")
        }
        #expect(git.contains { !$0.isEmpty } && git.contains { $0.count < GitTree.paths.count })
    }

    @Test func `every row of the table decides as git does`() throws {
        try compare(Self.table.map { ["": Array($0.utf8)] })
    }

    @Test func `files in several folders decide as git does`() throws {
        try compare(Self.nested.map { $0.mapValues { Array($0.utf8) } })
    }

    @Test func `names that are no text are matched byte by byte`() throws {
        let patterns: [[UInt8]] = [
            [0xFF], [0x72, 0x61, 0x77, 0xFF], Array("raw?".utf8), [0x72, 0x61, 0x77, 0x5B, 0xFE, 0x2D, 0xFF, 0x5D],
            [0x2A, 0xFF], [0xC3, 0x28], [0xC3, 0x3F], [0x5C, 0xC3, 0x28], Array("[!a-z](".utf8), Array("?(".utf8),
        ]
        try compare(patterns.map { ["": $0] })
    }

    @Test func `generated patterns decide as git does`() throws {
        var random = Numbers(state: 4)
        let words = [
            "a", "b", "dir", "sub", "deep", "foo", ".o", ".txt", "*", "*", "?", "**", "/**/", "**/", "/**", "/", "/",
            "[ab]",
            "[!a]", "[a-z]", "[^.]", "\\a", "\\*", "!", " ", "\\ ", "[[:alpha:]]", "]", "o", "d",
        ]
        var cases: [GitTree.Rules] = []
        while cases.count < 600 {
            let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (0..<Int.random(in: 1...5, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                    .joined()
            }
            if lines.contains(where: Self.isTakenOtherwiseByGit) { continue }
            var rules: GitTree.Rules = ["": Array(lines.joined(separator: "\n").utf8)]
            if Bool.random(using: &random) {
                let line = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }.joined()
                if !Self.isTakenOtherwiseByGit(line) { rules["dir"] = Array(line.utf8) }
            }
            cases.append(rules)
        }
        try compare(cases)
    }

    /// `a**/b` is also `ab` to git, since it compares what stands before the first star apart.
    private static func isTakenOtherwiseByGit(_ line: String) -> Bool {
        let bytes = Array((line.hasPrefix("!") ? line.dropFirst() : line[...]).utf8)
        return bytes.indices.contains { place in
            bytes[place...].starts(with: "**".utf8) && place > 0 && bytes[place - 1] != UInt8(ascii: "/")
                && bytes[place - 1] != UInt8(ascii: "*")
                && bytes[place...].drop { $0 == UInt8(ascii: "*") }.first == UInt8(ascii: "/")
        }
    }

    /// The same numbers in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
        }
    }
}
