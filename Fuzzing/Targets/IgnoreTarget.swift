import VitrineKit

@testable import IgnoreRules

extension FuzzTarget {
    /// A file of patterns, and behind a NUL byte the path that they are asked about.
    static let ignoreRules = FuzzTarget(
        name: "ignore-rules", maximumLength: 8192,
        seeds: {
            ["*.o\n!a.o\n/build/\0build/a.o", "**/a*b?[!c]\nx/**/y\0x/a/b/y", "# c\n\\#d\\ \r\n[[:alpha:]-z]\0#d "]
                .map { Array($0.utf8) }
                + [Array((String(repeating: "*a", count: 500) + "b\0").utf8) + [UInt8](repeating: 0x61, count: 4096)]
        },
        words: [
            "\0", "\n", "!", "**/", "/**", "/**/", "*", "?", "[", "]", "[!", "[^", "[a-z]", "[[:alpha:]]", "[:", ":]",
            "\\",
            "\\ ", "#", "\r\n", "/", "a/b", "*a*a*a*b", "**/a/**/b",
        ],
        check: { bytes in
            let mark = bytes.firstIndex(of: 0) ?? bytes.endIndex
            let content = Array(bytes[..<mark])
            let list: IgnoreList
            do throws(PluginError) { list = try IgnoreList(content: content, of: ItemPath("f")) } catch {
                return try error.mustBe(.limitExceeded)
            }
            let lines = content.count { $0 == UInt8(ascii: "\n") } + 1
            try hold(list.patterns.count <= lines, "there are more patterns than lines")
            let named = bytes[mark...].dropFirst().prefix(4096)
            guard let path = try? ItemPath(named), !path.isRoot else { return }
            let nameStart = path.bytes.count - path.name.count

            var last: [Bool: IgnorePattern] = [:]
            for pattern in list.patterns {
                try hold(pattern.text.count <= IgnorePattern.maximumLength, "a pattern is too long")
                var matched: [Bool] = []
                for isFolder in [false, true] {
                    var steps = 0
                    let matches = pattern.matches(path.bytes, from: 0, nameAt: nameStart, isFolder: isFolder, &steps)
                    let most = 4 * (pattern.text.count + 1) * (path.bytes.count + 1)
                    try hold(steps <= most, "\(steps) steps were taken, \(most) would do")
                    if matches { last[isFolder] = pattern }
                    matched.append(matches)
                }
                try hold(!matched[0] || matched[1], "a pattern matches a file and no folder of that name")
                // Checked ones are the same, but that `#` and blanks at the end are then part of them.
                try hold((try? IgnorePattern(pattern.text))?.text == pattern.text, "a pattern is refused as a setting")
            }
            let rules = try IgnoreRules().adding(list)
            try hold(rules.isEmpty == list.patterns.isEmpty, "rules are empty or not as their file is")
            try hold(try IgnoreRules().adding(list).digest == rules.digest, "the digest is another one")
            for isFolder in [false, true] {
                let decision = rules.decision(for: path, isFolder: isFolder)
                switch decision {
                case .included: try hold(last[isFolder]?.isNegated != false, "what is excluded is taken")
                case .excluded(let pattern, _):
                    try hold(pattern == last[isFolder] && !pattern.isNegated, "another pattern decided")
                case .tooCostly: try hold(content.count > 1024, "one pattern is too much")
                case .notIncluded: throw BrokenRule("patterns of a file include nothing")
                }
                try decision.reason?.mustBeShowable("the reason")
            }
        })
}
