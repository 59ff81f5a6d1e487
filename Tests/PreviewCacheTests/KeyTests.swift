import CGIO
import Finishing
import Testing
import VitrineKit

@testable import PreviewCache

struct KeyTests {
    /// Changing one of these loses every preview that people have.
    @Test func keysArePinned() throws {
        #expect(CacheKey.standard("file:///home/jens/photos/me.png") == "c6ee772d9e49320e97ec29a7eb5b1697")
        #expect(CacheKey.standard("./picture.png") == "7fd0e41c1612f860427a76c4100745a3")
        let uri = "file:///home/jens/photos/me.png"
        let size = try PreviewSize(pixels: 300)
        #expect(CacheKey.own(uri, size, .standard) == "2b1f6b1e4dbec73c34ff8e62c32a9464")
        #expect(CacheKey.own(uri, size, try Variant(page: 2)) == "7748f367b010917f5f88a5327f42014c")
        #expect(CacheKey.own(uri, .large, try Variant(time: 12.5)) == "efee42605ea2328333e0002f34f3ecac")
    }

    /// What is made of a preview is part of its key, in words that stay.
    @Test func finishesArePinned() throws {
        let uri = "file:///home/jens/photos/me.png"
        func key(_ size: PreviewSize, page: Int? = nil, _ change: (inout Finish) -> Void) throws -> String {
            var variant = try Variant(page: page)
            change(&variant.finish)
            return CacheKey.own(uri, size, variant)
        }
        let webp = try key(PreviewSize(pixels: 300)) { ($0.format, $0.fit) = (.webp, .cover(.attention)) }
        #expect(webp == "b51c48b607690ee92f3d70dce5acd64c")
        #expect(try key(.large) { $0.format = .jpeg } == "ac2660f9ff4ac1321e248e2a2308624d")
        // What has no effect makes no other picture.
        #expect(try key(.large) { ($0.format, $0.quality) = (.jpeg, 85) } == "ac2660f9ff4ac1321e248e2a2308624d")
        let sheet = try key(.xxLarge) {
            ($0.parts, $0.arrangement) = (.pages(0...8), .sheet(columns: 3, rows: 3, isNumbered: true))
        }
        #expect(sheet == "d8545bddbdbabcaf0f80461882eee6c4")
        let page = try key(.large, page: 2) { ($0.format, $0.quality, $0.background) = (.avif, 50, .white) }
        #expect(page == "2897e0515d94355e8a9f6382f15c51c2")
        let loop = try key(.large) {
            ($0.parts, $0.arrangement, $0.format) = (.frames(12), .loop(milliseconds: 400), .webp)
        }
        #expect(loop == "a6f24a12d6f11c5ae467026d06ba7af7")
        var variant = Variant.standard
        variant.finish.quality = 3
        #expect(CacheKey.own(uri, .large, variant) == CacheKey.own(uri, .large, .standard))
    }

    @Test func pathsArePinned() throws {
        let scratch = try Scratch()
        let uri = "file:///home/jens/photos/me.png"
        for (size, folder) in [
            (PreviewSize.normal, "normal"), (.large, "large"), (.xLarge, "x-large"), (.xxLarge, "xx-large"),
        ] {
            #expect(
                scratch.cache.entry(Subject(uri: uri, modified: nil), size, .standard).path
                    == "\(scratch.path)/thumbnails/\(folder)/c6ee772d9e49320e97ec29a7eb5b1697.png")
        }
        #expect(
            scratch.cache.entry(Subject(uri: uri, modified: nil), try PreviewSize(pixels: 300), .standard).path
                == "\(scratch.path)/vitrine/previews/2b/1f/2b1f6b1e4dbec73c34ff8e62c32a9464.png")
        #expect(
            scratch.cache.standard.failPath(uri)
                == "\(scratch.path)/thumbnails/fail/vitrine-1.2/c6ee772d9e49320e97ec29a7eb5b1697.png")
    }

    @Test func everyPreviewHasAnEntryOfItsOwn() throws {
        let scratch = try Scratch()
        var paths: Set<String> = []
        for uri in ["file:///a", "file:///a1", "file:///a\0300"] {
            for size in try [
                .normal, .large, PreviewSize(pixels: 30), PreviewSize(pixels: 300), PreviewSize(pixels: 130),
            ] {
                for variant in try [
                    .standard, Variant(page: 0), Variant(page: 1), Variant(page: 12), Variant(time: 0),
                    Variant(time: 1),
                    Variant(page: 1, time: 1),
                ] {
                    paths.insert(scratch.cache.entry(Subject(uri: uri, modified: nil), size, variant).path)
                }
            }
        }
        #expect(paths.count == 3 * 5 * 7)
    }

    /// The key of a file is the hash of what GLib makes of its path, whatever bytes that has.
    @Test func urisAreGLibs() throws {
        var paths = (1...255).map { [0x2F, UInt8($0)] as [UInt8] }
        paths.append([0x2F] + Array(1...255))
        paths += ["/a;b[c]", "/ümläut", "/日本語", "/a b%41#?\\\"<>^`{|}", "/line\nbreak"].map { Array($0.utf8) }
        paths += [[0x2F, 0xFF, 0xFE], [0x2F, 0xC3, 0x28], [0x2F, 0xED, 0xA0, 0x80], [0x2F, 0xF4, 0x90, 0x80, 0x80]]
        for path in paths where path != [0x2F, 0x2F] {
            let bytes = path.map(CChar.init(bitPattern:)) + [0]
            let uri = try #require(g_filename_to_uri(bytes, nil, nil))
            defer { g_free(uri) }
            #expect(SourceURI(file: path).text == String(cString: uri))
            let item = try? ItemPath(path.dropFirst())
            if let item { #expect(SourceURI(file: "/".utf8).appending(item) == String(cString: uri)) }
        }
    }

    @Test func whatIsNotASCIIIsEncoded() {
        #expect(Subject(uri: "file:///ä b\n", modified: nil).uri == "file:///%C3%A4%20b%0A")
        #expect(Subject(uri: "file:///a%20b;", modified: nil).uri == "file:///a%20b;")
    }

    @Test func sizesAreReadFromText() throws {
        #expect(try PreviewSize("normal") == .normal)
        #expect(try PreviewSize("large") == .large)
        #expect(try PreviewSize("x-large") == .xLarge)
        #expect(try PreviewSize("xx-large") == .xxLarge)
        #expect(try PreviewSize("256") == .large)
        #expect(try PreviewSize("256").description == "large")
        #expect(try PreviewSize("300").standardName == nil)
        #expect(try PreviewSize("300").description == "300")
        #expect(try PreviewSize("16384").pixels == 16_384)
    }

    @Test(arguments: ["", "0", "-1", "+5", "16385", "99999999999999999999", "Large", "12.5", " 12", "l\u{1B}arge"])
    func sizesThatAreNoneAreRefused(_ text: String) {
        let error = #expect(throws: PluginError.self) { try PreviewSize(text) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func variantsHaveAForm() throws {
        #expect(Variant.standard.description == "")
        #expect(try Variant() == .standard && Variant().page == 0)
        #expect(try Variant(page: 0).description == "page=0")
        #expect(try Variant(page: 3, time: 1.0004).description == "page=3,ms=1000")
        #expect(try Variant(time: 0).description == "ms=0")
        for time in [-1, .nan, .infinity, 1e9] { #expect(throws: PluginError.self) { try Variant(time: time) } }
        #expect(throws: PluginError.self) { try Variant(page: -1) }
        #expect(try Variant(page: 0).pageNumber == 1)
        #expect(try Variant(page: .max).pageNumber == .max)
    }

    @Test func foldersComeFromTheEnvironment() throws {
        func folders(_ environment: [String: String]) throws -> CacheFolders { try .standard(environment: environment) }
        let own = CacheFolders(thumbnails: "/c/thumbnails", previews: "/c/vitrine/previews")
        #expect(try folders(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == own)
        #expect(try folders(["XDG_CACHE_HOME": "/c//"]) == own)
        let home = CacheFolders(thumbnails: "/h/.cache/thumbnails", previews: "/h/.cache/vitrine/previews")
        #expect(try folders(["HOME": "/h"]) == home)
        #expect(try folders(["XDG_CACHE_HOME": "relative", "HOME": "/h"]) == home)
        #expect(try folders(["XDG_CACHE_HOME": "", "HOME": "/h"]) == home)
        #expect(try folders(["HOME": "relative"]) == folders([:]))
        #expect(try folders([:]).thumbnails.hasSuffix("/.cache/thumbnails"))
    }
}
