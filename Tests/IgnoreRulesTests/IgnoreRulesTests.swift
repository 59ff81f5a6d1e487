import IgnoreRules
import Testing
import VitrineKit
import VitrineTesting

@Suite struct IgnoreRulesTests {
    private func list(_ text: String, of file: String = ".vitrineignore") throws -> IgnoreList {
        try IgnoreList(content: Array(text.utf8), of: ItemPath(file))
    }
    private func patterns(_ texts: String..., origin: String = "the settings") throws -> IgnoreList {
        IgnoreList(try texts.map { try IgnorePattern($0.utf8) }, origin: origin)
    }
    private func takes(_ rules: IgnoreRules, _ path: String, isFolder: Bool = false) throws -> Bool {
        rules.decision(for: try ItemPath(path), isFolder: isFolder).isIncluded
    }

    @Test func `the command line goes before files, deeper files before higher ones, all before the settings`() throws {
        var rules = IgnoreRules(
            settings: [try patterns("*.a", "*.b"), try patterns("!*.b", origin: "the source")],
            overriding: try patterns("!*.c", origin: "--exclude"))
        #expect(try !takes(rules, "x.a"))
        #expect(try takes(rules, "x.b"))
        rules = try rules.adding(list("!*.a\n*.c\n*.d"))
        #expect(try takes(rules, "x.a"))
        #expect(try takes(rules, "x.c"))
        #expect(try !takes(rules, "x.d"))
        let deep = try rules.entering(ItemPath("in")).adding(list("!*.d\n*.a", of: "in/.vitrineignore"))
        #expect(try takes(deep, "in/x.d"))
        #expect(try !takes(deep, "in/x.a"))
        // The copy on the way down is one: above nothing changed.
        #expect(try !takes(rules, "x.d"))
    }

    @Test func `a reason names pattern, file and line`() throws {
        let rules = try IgnoreRules(settings: [patterns("*.o", origin: "[index] of the settings file")])
            .adding(list("# first\n\n/tmp\u{1B}/", of: "a/.vitrineignore"))
        #expect(
            rules.decision(for: try ItemPath("a/tmp\u{1B}"), isFolder: true).reason
                == "it is excluded by the pattern '/tmp\\u{1B}/' in 'a/.vitrineignore', line 3")
        #expect(
            rules.decision(for: try ItemPath("a/x.o"), isFolder: false).reason
                == "it is excluded by the pattern '*.o' in [index] of the settings file")
        #expect(rules.decision(for: try ItemPath("a/x"), isFolder: false).reason == nil)
    }

    @Test func `with include patterns only what they name is taken, and folders are entered`() throws {
        let rules = IgnoreRules(
            settings: [try patterns("private.pdf")], include: try patterns("*.pdf", "!draft*", "Books/"))
        #expect(try takes(rules, "a.pdf"))
        #expect(try takes(rules, "deep/down", isFolder: true))
        #expect(try takes(rules, "deep/a.pdf"))
        #expect(try !takes(rules, "a.png"))
        #expect(try !takes(rules, "draft.pdf"))
        #expect(try !takes(rules, "private.pdf"))
        #expect(
            rules.decision(for: try ItemPath("a.png"), isFolder: false).reason
                == "it matches no pattern to include in the settings")
        let books = try rules.entering(ItemPath("Books")).entering(ItemPath("Books/more"))
        #expect(try takes(books, "Books/more/a.png"))
        #expect(try !takes(books, "Books/more/draft.png"))
        #expect(try !takes(books, "Books/more/private.pdf"))
        #expect(rules.digest != books.digest)
    }

    @Test func `the digest is the same as long as the same patterns are in effect`() throws {
        let rules = IgnoreRules()
        let one = try rules.adding(list("a\nb"))
        #expect(one.digest == (try rules.adding(list("# said otherwise\na  \n\nb\n"))).digest)
        var others = [rules.digest, one.digest]
        for text in ["b\na", "a", "ab", "a\n!b", "a\nb/", "a\nb\nb"] {
            others.append(try rules.adding(list(text)).digest)
        }
        others.append(try rules.adding(list("a\nb", of: "in/.vitrineignore")).digest)
        others.append(IgnoreRules(settings: [try patterns("a", "b")]).digest)
        others.append(IgnoreRules(include: try patterns("a", "b")).digest)
        others.append(IgnoreRules(overriding: try patterns("a", "b")).digest)
        #expect(Set(others).count == others.count)
        // Kept in catalogs: another number makes every folder look changed.
        #expect(rules.digest == 0xCBF2_9CE4_8422_2325)
        #expect(one.digest == 14_194_161_968_819_576_986)
    }

    @Test func `files that are too large for sure rules are refused whole`() throws {
        func code(_ text: String) -> PluginError.Code? {
            do throws(PluginError) {
                _ = try IgnoreList(content: Array(text.utf8), of: ItemPath("f"))
                return nil
            } catch { return error.code }
        }
        #expect(code(String(repeating: "#", count: IgnoreList.maximumSize)) == nil)
        #expect(code(String(repeating: "#", count: IgnoreList.maximumSize + 1)) == .limitExceeded)
        #expect(code(String(repeating: "a", count: IgnorePattern.maximumLength)) == nil)
        #expect(code(String(repeating: "a", count: IgnorePattern.maximumLength + 1)) == .limitExceeded)
        #expect(code(String(repeating: "a\n", count: IgnoreList.maximumCount)) == nil)
        #expect(code(String(repeating: "a\n", count: IgnoreList.maximumCount + 1)) == .limitExceeded)
        let large = String(repeating: String(repeating: "a", count: 1000) + "\n", count: 60)
        var rules = IgnoreRules()
        var depth = 0
        do throws(PluginError) {
            while depth < 100 {
                rules = try rules.adding(IgnoreList(content: Array(large.utf8), of: ItemPath("\(depth)/f")))
                depth += 1
            }
        } catch { #expect(error.code == .limitExceeded && error.message.contains("'\(depth)/f'")) }
        #expect(1...16 ~= depth)
    }

    @Test func `patterns of settings and arguments are checked`() throws {
        for wrong in [
            "", "!", "/", "[", "[a", "a\\", "a//b", "a\0b", ".", "./build", "../a", "a/../b", "!./a/", "a/\\.",
            String(repeating: "a", count: 1025),
        ] {
            let error = #expect(throws: PluginError.self) { try IgnorePattern(wrong.utf8) }
            #expect(error?.code == .invalidArgument, "\(wrong)")
        }
        #expect(try IgnorePattern("#a".utf8).description == "#a")
        for right in ["...", ".a", "a.", "..a/b", "*.", ".*", "[.]"] {
            #expect(throws: Never.self) { try IgnorePattern(right.utf8) }
        }
    }

    @Test(arguments: [
        ("*.tmp, build", "comma"), ("*.tmp,*.bak", "comma"), ("!a,b", "comma"), ("*.{tmp,bak}", "alternative"),
        ("\"*.tmp\"", "quotation"), ("'build'", "quotation"), ("~/build", "relative"),
        ("*.tmp *.bak", "blank"), ("*.tmp # those of editors", "blank"),
    ])
    func `a pattern that looks like another thing than it is is doubted`(text: String, word: String) throws {
        let doubt = try IgnorePattern(text.utf8).doubt
        #expect(doubt?.contains(word) == true, "\(doubt ?? "no doubt")")
    }

    @Test(arguments: [
        "*.tmp", "Smith\\, John", "a[,;]b", "[],]", "[!],]x", "{0123-4567}", "\\\"a\"", "it's", "'", "~", "*~",
        "My files", "Mix #3",
        "*.tmp\\ b", "!keep.tmp", "/a/**/b",
    ])
    func `an ordinary pattern, and one whose bytes are marked, is not`(text: String) throws {
        let doubt = try IgnorePattern(text.utf8).doubt
        #expect(doubt == nil)
    }

    /// What makes matchers go back and forth that try every way: stars between repeated letters.
    @Test(arguments: [
        ("a*", 20, "b", "a"), ("**/a/", 200, "b", "a/"), ("*?", 400, "b", "a"), ("**/*a*a*a*a/", 70, "*b?", "aaaaaaa/"),
        ("[a]*", 200, "[!a]", "a"), ("**/", 300, "b", "a/"), ("*", 1000, "?b?", "a"),
    ])
    func `hostile patterns are decided at once`(part: String, times: Int, end: String, unit: String) throws {
        let pattern = String(repeating: part, count: times) + end
        var bytes = Array(String(repeating: unit, count: 4096 / unit.utf8.count).utf8)
        if bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        // Many of them, so that a matcher that is only fast with one is seen too.
        let rules = try IgnoreRules().adding(list(String(repeating: pattern + "\n", count: 50)))
        let path = try ItemPath(bytes)
        var decision = IgnoreDecision.included
        let time = ProcessorTime.measure { decision = rules.decision(for: path, isFolder: false) }
        #expect(decision == .included || decision == .tooCostly(origin: "'.vitrineignore'"))
        #expect(time < .seconds(20))
    }

    @Test func `rules that take too long take out what they are asked about`() throws {
        let part = String(repeating: "a", count: 200)
        let pattern = "**/*" + part + "b?"
        let rules = try IgnoreRules().adding(list(String(repeating: pattern + "\n", count: 100)))
        let folder = String(repeating: "a", count: 250)
        let path = try ItemPath(Array(repeating: folder, count: 16).joined(separator: "/"))
        let decision = rules.decision(for: path, isFolder: false)
        #expect(decision == .tooCostly(origin: "'.vitrineignore'"))
        #expect(decision.reason?.contains("'.vitrineignore'") == true)
    }
}
