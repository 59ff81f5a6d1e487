import IgnoreRules
import Settings
import Testing
import VitrineKit

@Suite struct IndexSettingsTests {
    private func settings(_ text: String) throws -> Settings { try Settings(text: text, file: "/etc/a config") }

    private func texts(_ patterns: [IgnorePattern]?) -> [String]? {
        patterns.map { $0.map { String(decoding: $0.text, as: UTF8.self) } }
    }

    @Test func `lists and switches are read, for all sources and for one`() throws {
        let settings = try settings(
            """
            [index]
            exclude = *.tmp; /build/ ;a\\;b;\\\\#x; keep\\\\ ;
            include =
            hidden = yes
            [source file:///home/a/Gr%C3%BC%c3%9fe/]
            exclude = !*.tmp
            vitrineignore = false
            [source Holiday pictures]
            nomedia = false
            """)
        #expect(texts(settings.index.exclude) == ["*.tmp", "/build/", "a;b", "\\#x", "keep\\ "])
        #expect(settings.index.include == [])
        #expect(settings.index[.hidden] == true)
        #expect(settings.index[.nomedia] == nil)
        let one = try #require(settings.sources[SourceKey(SourceURI(file: "/home/a/Grüße".utf8))])
        #expect(texts(one.exclude) == ["!*.tmp"])
        #expect(one.include == nil)
        #expect(one[.vitrineignore] == false)
        #expect(settings.sources[.name("Holiday pictures")]?[.nomedia] == false)
        #expect(settings.sources.count == 2)
    }

    /// What is wrong, the line that is named, and a word of what is accepted.
    static let wrong: [(String, Int, String)] = [
        ("[index]\nexclud = a", 2, "[index] has: exclude, include, hidden, vitrineignore, nomedia"),
        ("[source x]\nenabled = true", 2, "[source NAME-OR-URI] has: exclude"),
        ("[index]\nhidden = maybe", 2, "true or false"),
        ("[index]\nexclude = a;;b", 2, "can match nothing"), ("[index]\nexclude = [a", 2, "can match nothing"),
        ("[index]\nexclude = a\\\\", 2, "can match nothing"), ("[index]\n\nexclude = a\\qb", 3, "backslash"),
        ("[source ]", 1, "a name of 1 to 64"),
        ("[source /home/a]", 1, "file:///home/a"), ("[source \(String(repeating: "a", count: 65))]", 1, "1 to 64"),
        ("[source x:%]", 1, "neither a URI"), ("[source file:a]", 1, "neither a URI"),
        ("[source file://host/a]", 1, "neither a URI"), ("[source file:///a]\n[source file:///a/]", 2, "twice"),
        ("[index]\nexclude = a\nexclude = b", 3, "twice"),
    ]

    @Test(arguments: wrong)
    func `what is wrong is named with file and line, and with what is accepted`(text: String, line: Int, hint: String) {
        let error = #expect(throws: PluginError.self) { try settings(text) }
        #expect(error?.code == .invalidArgument)
        #expect(
            error?.message.hasPrefix("the settings file '/etc/a config', line \(line): ") == true,
            "\(String(describing: error))")
        #expect(error?.message.contains(hint) == true, "\(String(describing: error))")
    }

    @Test func `lists and patterns have an end`() {
        for value in [String(repeating: "a", count: 1025), String(repeating: "a;", count: 1025)] {
            let error = #expect(throws: PluginError.self) { try settings("[index]\ninclude = \(value)") }
            #expect(error?.message.contains("line 2: ") == true && error?.message.contains("1024") == true)
        }
        #expect(throws: Never.self) { try settings("[index]\ninclude = \(String(repeating: "a;", count: 1024))") }
    }

    @Test func `a value is shown as it can be written`() throws {
        let written = "[index]\nexclude = *.tmp; a\\;b; \\\\#x; keep\\\\ ; [[:alpha:]]"
        let index = try settings(written).index
        let shown = try #require(index.text(.exclude))
        #expect(try settings("[index]\nexclude = \(shown)").index.exclude == index.exclude)
        #expect(index.text(.include) == nil)
        #expect(index.text(.hidden) == nil)
    }

    @Test func `patterns and lists that hardly mean what was meant are doubted, with their group and key`() throws {
        let settings = try settings(
            """
            [index]
            exclude = *.tmp, build; *.bak; /home/a/Documents/build; /home/ab
            include = !*.pdf; !/drafts/
            [source file:///home/a]
            exclude = /home/a/build; /Smith\\\\, John/; /home/abc
            include = *.pdf; !draft.pdf
            """)
        let doubts = settings.doubts(roots: [Array("/home/a/Documents".utf8)])
        let beginnings = [
            "in [index] exclude the pattern '*.tmp, build': a comma",
            "in [index] exclude the pattern '/home/a/Documents/build': patterns are relative",
            "in [index] include only patterns that begin with '!'",
            "in [source file:///home/a] exclude the pattern '/home/a/build': patterns are relative",
        ]
        #expect(doubts.count == beginnings.count, "\(doubts)")
        for (doubt, beginning) in zip(doubts, beginnings) { #expect(doubt.hasPrefix(beginning), "\(doubt)") }
        #expect(settings.doubts(roots: [[UInt8(ascii: "/")]]).count == 2)
        #expect(try self.settings("[index]\ninclude =\n").doubts().isEmpty)
    }
}
