import Foundation
import Testing
import VitrineKit

@testable import PluginHost

/// `.thumbnailer` files of other projects.
@Suite struct ThumbnailerFileTests {
    private func parse(_ text: String) throws(PluginError) -> ThumbnailerFile? {
        try ThumbnailerFile(parsing: Array(text.utf8), name: "a.thumbnailer")
    }

    private static let whole = """
        # A comment
        [Thumbnailer Entry]
        TryExec=sh
        Exec=sh -c "cp '%i' %o; # %s" %%
        MimeType=image/x-one;Image/X-Two;;image/x-one;no type;
        """

    @Test func aFileIsReadByTheRulesOfKeyFiles() throws {
        let file = try #require(try parse(Self.whole))
        #expect(file.command == ["sh", "-c", "cp '%i' %o; # %s", "%%"])
        #expect(file.types == ["image/x-one", "image/x-two"])
    }

    @Test func aProgramThatIsNotInstalledIsNoMistake() throws {
        #expect(try parse(Self.whole.replacing("TryExec=sh", with: "TryExec=/no/such/program")) == nil)
        #expect(try parse(Self.whole.replacing("TryExec=sh", with: "TryExec=no-such-program")) == nil)
    }

    static let wrong: [(text: String, hint: String)] = [
        ("", "no key Exec"), ("\u{0}\u{1}", "no key file"), ("[Thumbnailer", "no key file"),
        ("[Desktop Entry]\nExec=a %i %o\nMimeType=a/b", "no key Exec"),
        ("[Thumbnailer Entry]\nMimeType=a/b", "no key Exec"),
        ("[Thumbnailer Entry]\nExec=a %i %o", "no key MimeType"),
        ("[Thumbnailer Entry]\nExec=a %i %o\nMimeType=;;", "names no MIME type"),
        ("[Thumbnailer Entry]\nExec=a %i\nMimeType=a/b", "no output"),
        ("[Thumbnailer Entry]\nExec=a %%i %o\nMimeType=a/b", "no input"),
        ("[Thumbnailer Entry]\nExec=a 'b %i %o\nMimeType=a/b", "no command line"),
        ("[Thumbnailer Entry]\nExec=a %i %o\(String(repeating: " a", count: 100))\nMimeType=a/b", "words"),
        ("[Thumbnailer Entry]\nExec=a %i %o\nMimeType=a/b\n#\(String(repeating: "x", count: 70_000))", "bytes"),
    ]

    @Test(arguments: wrong)
    func whatIsWrongIsNamed(_ text: String, _ hint: String) {
        let error = #expect(throws: PluginError.self) { try parse(text) }
        #expect(error?.message.contains("'a.thumbnailer' is not used: ") == true, "\(String(describing: error))")
        #expect(error?.message.contains(hint) == true, "\(String(describing: error))")
    }

    @Test func theyStandLastAmongTheRenderersAndVitrinesOwnIsLeftOut() throws {
        let folder = try TemporaryFolder()
        for (name, program) in [
            ("One Two", "sh"), ("vitrine", "sh"), ("own", "/usr/bin/vitrine"), ("absent", "/no/such"),
            ("bare", "no-such-program"),
        ] {
            try folder.write(
                "first/\(name).thumbnailer", "[Thumbnailer Entry]\nExec=\(program) %i %o\nMimeType=image/x-one\n")
        }
        try folder.write("first/broken.thumbnailer", "nonsense")
        try folder.write("second/One Two.thumbnailer", "[Thumbnailer Entry]\nExec=cp %i %o\nMimeType=image/x-one\n")
        var path = PluginSearchPath(folders: [])
        path.thumbnailerFolders = [folder.path + "/first", folder.path + "/second", folder.path + "/none"]
        let directory = PluginDirectory(scanning: path)
        #expect(directory.renderers.map(\.manifest.id) == ["foreign.one-two"])
        #expect(directory.renderers.first?.foreign?.program.hasSuffix("sh") == true)
        #expect(directory.listings.count == 4 && directory.listings.allSatisfy(\.isForeign))
        let refusals = directory.listings.compactMap { if case .refused(let error) = $0.state { error } else { nil } }
        #expect(refusals.count == 3)
        let bare = try #require(refusals.first { $0.message.contains("'\(folder.path)/first/bare.thumbnailer'") })
        #expect(bare.message.contains("its program 'no-such-program' is in none of /usr/local/bin, "), "\(bare)")
        #expect(bare.message.hasSuffix("name its whole path in Exec"))
        #expect(refusals.contains { $0.message.contains("'/no/such' is no absolute path of one that may be run") })
        #expect(RendererRegistry(directory).renderers(for: "image/x-one").count == 1)
        #expect(PluginDirectory(scanning: path, disabled: ["foreign.one-two"]).renderers.isEmpty)
    }
}
