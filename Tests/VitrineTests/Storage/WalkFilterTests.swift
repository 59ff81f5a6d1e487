import IgnoreRules
import PreviewCache
import Settings
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@testable import Vitrine

/// What a walk leaves out, and what it says of it.
@Suite struct WalkFilterTests {
    /// Files by path; what ends in `/` is a folder.
    private func backend(_ files: [String: String]) async throws -> InMemoryBackend {
        let backend = try await InMemoryBackend(source: SourceURI("test:///top"), settings: BackendSettings())
        for (path, content) in files {
            let isFolder = path.hasSuffix("/")
            backend.put(
                try ItemPath(isFolder ? String(path.dropLast()) : path), content: isFolder ? nil : Array(content.utf8))
        }
        return backend
    }

    private func walk(
        _ backend: any StorageBackend, _ filter: WalkFilter = WalkFilter(), source: String = "test:///top"
    ) async throws -> [String: String] {
        let source = try SourceURI(source)
        let walk = SourceWalk(
            // Longer than any machine is busy: nothing here is about time.
            storage: Storage(source: source, backend: backend, seconds: 86_400), filter: filter,
            crossesFileSystems: true)
        var steps: [String: String] = [:]
        func note(_ uri: String, _ what: String) {
            let path = String(uri.dropFirst(source.text.count + 1))
            #expect(steps.updateValue(what, forKey: path) == nil, "\(path) was met twice")
        }
        await walk.run { step in
            switch step {
            case .item(let item): note(item.uri, "taken")
            case .skipped(let uri, _, let error): note(uri, error.message)
            case .known, .moved: Issue.record("a plain walk knows nothing")
            case .failed(let uri, _, let error): note(uri, "failed, \(error.code.rawValue): \(error.message)")
            }
            return true
        }
        return steps
    }

    @Test func `patterns of folders are in effect in them and below`() async throws {
        let backend = try await backend([
            ".vitrineignore": "*.log\nbuild/\n/only-here\n", "a.log": "", "a.pdf": "", "only-here": "",
            "build/deep/a.pdf": "", "in/.vitrineignore": "!keep.log\n*.pdf", "in/keep.log": "", "in/b.log": "",
            "in/a.pdf": "", "in/only-here": "", "beside/a.pdf": "", "in/more/a.pdf": "",
        ])
        let hidden = "it is hidden; --hidden includes it"
        let logs = "it is excluded by the pattern '*.log' in '.vitrineignore', line 1"
        let inner = "it is excluded by the pattern '*.pdf' in 'in/.vitrineignore', line 2"
        #expect(
            try await walk(backend) == [
                ".vitrineignore": hidden, "in/.vitrineignore": hidden, "a.log": logs, "a.pdf": "taken",
                "only-here": "it is excluded by the pattern '/only-here' in '.vitrineignore', line 3",
                "build": "it is excluded by the pattern 'build/' in '.vitrineignore', line 2", "in/keep.log": "taken",
                "in/b.log": logs, "in/a.pdf": inner, "in/only-here": "taken", "beside/a.pdf": "taken",
                "in/more/a.pdf": inner,
            ])
        let all = try await walk(backend, WalkFilter(includesHidden: true, readsIgnoreFiles: false))
        #expect(all.count == 12 && all.values.allSatisfy { $0 == "taken" })
    }

    @Test func `what systems and programs keep among files is passed over`() async throws {
        let backend = try await backend([
            "@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg": "", "$RECYCLE.BIN/b.jpg": "", "in/System Volume Information/c": "",
            "lost+found/d.jpg": "", "__MACOSX/e.jpg": "", "#recycle/f.jpg": "", "~$g.docx": "", "notes.txt~": "",
            "film.mp4.part": "", "photo.jpg.crDownload": "", ".part": "", "~": "", "~$": "", "Recycle/h.jpg": "",
            "@eaDirs/i.jpg": "", "#recycle.jpg": "", "a.part1": "", "department": "", "~j.jpg": "", "folder~/k.jpg": "",
            "Thumbs.db": "",
        ])
        let system = "the system keeps it for itself; --hidden includes it"
        let download = "it is still being downloaded; --hidden includes it"
        var steps = try await walk(backend)
        for path in [
            "@eaDir", "$RECYCLE.BIN", "in/System%20Volume%20Information", "lost+found", "__MACOSX", "%23recycle",
            "Thumbs.db",
        ] {
            #expect(steps.removeValue(forKey: path) == system, "\(path)")
        }
        for path in ["film.mp4.part", "photo.jpg.crDownload"] { #expect(steps.removeValue(forKey: path) == download) }
        #expect(steps.removeValue(forKey: "~$g.docx") == "it only says who has a document open; --hidden includes it")
        #expect(steps.removeValue(forKey: "notes.txt~") == "it is the backup of another file; --hidden includes it")
        #expect(steps.removeValue(forKey: ".part") == "it is hidden; --hidden includes it")
        let others = [
            "~", "~$", "Recycle/h.jpg", "@eaDirs/i.jpg", "%23recycle.jpg", "a.part1", "department", "~j.jpg",
            "folder~/k.jpg",
        ]
        #expect(steps == Dictionary(uniqueKeysWithValues: others.map { ($0, "taken") }))
        let all = try await walk(backend, WalkFilter(includesHidden: true))
        #expect(all.count == 21 && all.values.allSatisfy { $0 == "taken" })
    }

    @Test func `a folder with nomedia is passed over with all that is below`() async throws {
        let backend = try await backend([
            "a.pdf": "", "camera/.nomedia": "", "camera/a.jpg": "", "camera/deep/b.jpg": "", "odd/.nomedia/c.jpg": "",
            "odd/d.jpg": "",
        ])
        #expect(
            try await walk(backend) == [
                "a.pdf": "taken", "camera": "it holds a file .nomedia", "odd/d.jpg": "taken",
                "odd/.nomedia": "it is hidden; --hidden includes it",
            ])
        let all = try await walk(backend, WalkFilter(honoursNoMedia: false))
        #expect(all["camera/a.jpg"] == "taken" && all["camera/deep/b.jpg"] == "taken")
        backend.put(try ItemPath(".nomedia"), content: [])
        #expect(try await walk(backend) == ["": "it holds a file .nomedia"])
    }

    @Test func `the folders of the cache are named once and not entered`() async throws {
        let scratch = try TemporaryFolder()
        let folders = try CacheFolders.standard(environment: ["XDG_CACHE_HOME": scratch.path + "/cache"])
        let filter = WalkFilter(includesHidden: true, cache: PreviewCache(folders: folders, version: "1"))
        let backend = try await backend([
            "cache/thumbnails/large/a.png": "", "cache/vitrine/previews/ab/a.png": "", "cache/vitrine/log": "",
            "cache/other/a.png": "", "trip/.sh_thumbnails/normal/a.png": "", "trip/a.jpg": "", "thumbnails/a.png": "",
        ])
        let cached = "it is a folder of thumbnails or of Vitrine's own cache"
        let top = SourceURI(file: Array(scratch.path.utf8)).text
        #expect(
            try await walk(backend, filter, source: top) == [
                "cache/thumbnails": cached, "cache/vitrine": cached, "cache/other/a.png": "taken",
                "trip/.sh_thumbnails": cached, "trip/a.jpg": "taken", "thumbnails/a.png": "taken",
            ])
        #expect(try await walk(backend, filter, source: top + "/cache/thumbnails/large") == ["": cached])
    }

    @Test(arguments: ["large", "long", "folder", "link", "forbidden"])
    func `a folder whose patterns cannot be used is not taken at all`(why: String) async throws {
        var listed = Listed(pages: ["": [[Listed.entry("in", .folder), Listed.entry("z", .file)]]])
        var own = Listed.entry(".vitrineignore", .file)
        switch why {
        case "large": listed.contents["in/.vitrineignore"] = .success([UInt8](repeating: 0x23, count: 70_000))
        case "long": listed.contents["in/.vitrineignore"] = .success([UInt8](repeating: 0x61, count: 2000))
        case "folder": own.kind = .folder
        case "link": own.kind = .link
        default: listed.contents["in/.vitrineignore"] = .failure(PluginError(.forbidden, "this user may not read it"))
        }
        listed.pages["in"] = [[Listed.entry("a.pdf", .file)], [own, Listed.entry("deep", .folder)]]
        listed.pages["in/deep"] = [[Listed.entry("b.pdf", .file)]]
        var steps = try await walk(listed)
        #expect(steps.removeValue(forKey: "z") == "taken")
        if why == "folder" {
            // Git's own: a folder of that name says nothing.
            #expect(steps["in/a.pdf"] == "taken" && steps["in/deep/b.pdf"] == "taken")
        } else {
            let code = ["large": "limit-exceeded", "long": "limit-exceeded", "link": "not-a-file"][why] ?? why
            #expect(steps.count == 1)
            #expect(
                steps["in"]?.hasPrefix("failed, \(code): it is passed over, since its patterns cannot be used: ")
                    == true,
                "\(steps)")
        }
    }

    /// What is known of a folder before its first file is visited: the listing so far, and what was asked for.
    @Test func `in a folder too large to be looked through the files are asked for`() async throws {
        let page = (0..<512).map { Listed.entry("a\($0).pdf", .file) }
        func listed(_ marker: String?) -> Listed {
            let last = (marker.map { [Listed.entry($0, .file)] } ?? []) + [Listed.entry("last.pdf", .file)]
            return Listed(pages: [
                "": (0..<20).map { n in
                    page.map { Listed.entry("\(n)" + String(decoding: $0.name, as: UTF8.self), .file) }
                } + [last]
            ])
        }
        #expect(try await walk(listed(nil)).count == 20 * 512 + 1)
        #expect(try await walk(listed(".nomedia")) == ["": "it holds a file .nomedia"])
        var ignoring = listed(".vitrineignore")
        ignoring.contents[".vitrineignore"] = .success(Array("*.pdf\n!last.pdf".utf8))
        let steps = try await walk(ignoring)
        #expect(steps.count { $0.value == "taken" } == 1 && steps["last.pdf"] == "taken")
        // Not to know is not to take.
        var silent = listed(".nomedia")
        silent.statFailure = PluginError(.offline, "it does not answer")
        #expect(try await walk(silent) == ["": "failed, offline: it does not answer"])
    }

    @Test func `what was listed before a listing broke is taken, if nothing speaks against it`() async throws {
        var listed = Listed(pages: ["": [[Listed.entry("a.pdf", .file)], [Listed.entry("b.pdf", .file)]]])
        listed.listFailure = PluginError(.io, "broken")
        #expect(try await walk(listed) == ["a.pdf": "taken", "b.pdf": "taken", "": "failed, io: broken"])
        listed.statFailure = PluginError(.offline, "it does not answer")
        #expect(try await walk(listed) == ["": "failed, offline: it does not answer"])
        // Where nothing was listed there is nothing to ask about, and the listing's own reason counts.
        listed.pages = [:]
        #expect(try await walk(listed) == ["": "failed, io: broken"])
    }

    @Test func `settings, their group for the source and the run add up`() async throws {
        let settings = try Settings(
            text: """
                [index]
                exclude = *.a; *.b
                include = *.a;*.b;*.c;*.d
                hidden = true
                [source test:///top]
                exclude = !*.b; *.c
                nomedia = off
                [source test:///other]
                exclude = *
                """, file: "config")
        let backend = try await backend([
            "1.a": "", "2.b": "", "3.c": "", "4.d": "", "5.e": "", ".6.d": "", ".nomedia": "",
        ])
        func filter(_ options: PrebuildOptions) throws -> WalkFilter {
            WalkFilter(of: try SourceURI("test:///top/"), settings, options, cache: nil)
        }
        let steps = try await walk(backend, try filter(PrebuildOptions()))
        #expect(steps["1.a"] == "it is excluded by the pattern '*.a' in [index] of the settings file")
        #expect(steps["3.c"] == "it is excluded by the pattern '*.c' in [source test:///top] of the settings file")
        #expect(steps["5.e"] == "it matches no pattern to include in [index] of the settings file")
        #expect(Set(steps.filter { $0.value == "taken" }.keys) == ["2.b", "4.d", ".6.d"])

        var options = PrebuildOptions()
        options.exclude = [try IgnorePattern("!*.c".utf8), try IgnorePattern("2*".utf8)]
        options.include = [try IgnorePattern("*.[bce]".utf8)]
        let run = try await walk(backend, try filter(options))
        #expect(run["2.b"] == "it is excluded by the pattern '2*' in --exclude")
        #expect(run["4.d"] == "it matches no pattern to include in --include")
        #expect(Set(run.filter { $0.value == "taken" }.keys) == ["3.c", "5.e"])
    }

    @Test func `the digest tells filters apart`() throws {
        let rules = IgnoreRules()
        var digests = [WalkFilter().digest(rules), WalkFilter(includesHidden: true).digest(rules)]
        digests += [WalkFilter(readsIgnoreFiles: false).digest(rules), WalkFilter(honoursNoMedia: false).digest(rules)]
        digests.append(WalkFilter().digest(try rules.adding(IgnoreList(content: [0x61], of: ItemPath("f")))))
        #expect(Set(digests).count == digests.count)
    }
}

/// A storage that lists given pages, and fails as it is told.
private struct Listed: StorageBackend {
    var pages: [String: [[Entry]]]
    var contents: [String: Result<[UInt8], PluginError>] = [:]
    var statFailure: PluginError?
    /// What comes after the last page.
    var listFailure: PluginError?

    init(source: SourceURI, settings: BackendSettings) async throws(PluginError) { pages = [:] }
    init(pages: [String: [[Entry]]]) { self.pages = pages }

    static func entry(_ name: String, _ kind: Entry.Kind) -> Entry { Entry(name: Array(name.utf8), kind: kind) }

    func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        Pages(rest: pages[folder.description] ?? [], failure: listFailure)
    }

    func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        if let statFailure { throw statFailure }
        let siblings = pages[path.parent?.description ?? ""] ?? []
        guard let entry = siblings.joined().first(where: { $0.name == path.name }) else {
            throw PluginError(.notFound, "there is no '\(path)'")
        }
        return entry
    }

    func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        guard let content = contents[path.description] else { throw PluginError(.notFound, "there is no '\(path)'") }
        return Content(entry: Entry(name: path.name, kind: .file), bytes: try content.get())
    }

    private struct Content: ByteSource {
        let entry: Entry
        let bytes: [UInt8]
        func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
            // As some storages do: less than was asked for would be an end, so all of it in the range.
            Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
        func current() async throws(PluginError) -> Entry { entry }
    }

    private struct Pages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: [[Entry]]
        let failure: PluginError?
        mutating func next() async throws(PluginError) -> [Entry]? { try await next(isolation: nil) }
        mutating func next(isolation: isolated (any Actor)?) async throws(PluginError) -> [Entry]? {
            if !rest.isEmpty { return rest.removeFirst() }
            if let failure { throw failure }
            return nil
        }
        func makeAsyncIterator() -> Pages { self }
    }
}
