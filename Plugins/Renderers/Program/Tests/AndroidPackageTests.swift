import ArchiveReading
import Foundation
import RendererFixtures
import Testing
import VitrineKit

@testable import ProgramRenderer

@Suite struct AndroidPackageTests {
    /// The members of the fixture by their names.
    private static func members() throws -> [String: [UInt8]] {
        let archive = try Archive(BytesInput(try ProgramRendererTests.fixture("vitrine.apk")))
        var found: [String: [UInt8]] = [:]
        for member in archive.members {
            found[String(decoding: member.name, as: UTF8.self)] = try archive.contents(of: member)
        }
        return found
    }

    private static func package(_ change: (inout [String: [UInt8]]) -> Void) throws -> [UInt8] {
        var members = try members()
        change(&members)
        return zipFile(members.sorted { $0.key < $1.key }.map { (name: $0.key, bytes: $0.value) })
    }

    private static let small = "res/mipmap-mdpi-v4/b.png", large = "res/mipmap-xxxhdpi-v4/c.png"

    @Test("Without a table of resources the icon is found by its name")
    func names() throws {
        let bytes = try Self.package { members in
            members["resources.arsc"] = nil
            members["res/drawable-mdpi/ic_launcher.png"] = members.removeValue(forKey: Self.small)
            members["res/mipmap-xxxhdpi/ic_launcher.png"] = members.removeValue(forKey: Self.large)
        }
        #expect(try ProgramRendererTests.draw(bytes, box: 48).bitmap.width == 48)
        let large = try ProgramRendererTests.draw(bytes)
        #expect(large.bitmap.width == 192 && ProgramRendererTests.isUpright(large) && large.facts.title == nil)
        // Names that say nothing.
        #expect(try ProgramRendererTests.failure(try Self.package { $0["resources.arsc"] = nil }) == .empty)
        #expect(try ProgramRendererTests.failure(try Self.package { $0["AndroidManifest.xml"] = nil }) == .empty)
    }

    @Test("What is missing or damaged leaves the others; an icon in layers alone is none")
    func missing() throws {
        #expect(try ProgramRendererTests.draw(try Self.package { $0[Self.large] = nil }).bitmap.width == 48)
        let cut = try Self.package { $0[Self.large] = Array(($0[Self.large] ?? []).prefix(60)) }
        #expect(try ProgramRendererTests.draw(cut).bitmap.width == 48)
        let both = try Self.package {
            $0[Self.large] = Array(($0[Self.large] ?? []).prefix(60)); $0[Self.small] = nil
        }
        #expect(try ProgramRendererTests.failure(both) == .corrupt)
        let layers = try Self.package {
            $0[Self.large] = nil; $0[Self.small] = nil
        }
        #expect(try ProgramRendererTests.failure(layers) == .empty)
        let claim = try Fixtures.bytes("bad/huge-claim.png")
        let huge = try Self.package {
            $0[Self.large] = claim; $0[Self.small] = nil
        }
        #expect(try ProgramRendererTests.failure(huge) == .limitExceeded)
    }

    @Test("A dot, and a picture that is transparent everywhere, do not hide a better one")
    func unseen() throws {
        // 64 pixels by 64, of a palette whose only colour is transparent.
        let text = """
            iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEUAAACnej3aAAAAAXRSTlMAQObYZgAAAA9JREFUeNpjYBgF\
            o4B8AAACQAAB4E0dRAAAAABJRU5ErkJggg==
            """
        let dot = try Fixtures.bytes("image/one-pixel.png"), clear = [UInt8](try #require(Data(base64Encoded: text)))
        for bad in [dot, clear] {
            #expect(try ProgramRendererTests.draw(try Self.package { $0[Self.large] = bad }).bitmap.width == 48)
            let usual = try Self.package { members in
                members["res/mipmap-hdpi/ic_launcher.png"] = members.removeValue(forKey: Self.small)
                members[Self.large] = bad
            }
            #expect(try ProgramRendererTests.draw(usual).bitmap.width == 48)
            let alone = try Self.package {
                $0[Self.large] = bad; $0[Self.small] = nil
            }
            #expect(try ProgramRendererTests.failure(alone) == .empty)
        }
    }

    @Test("What is encrypted leaves the others, too")
    func encrypted() throws {
        let package = try Self.package { _ in }
        #expect(try ProgramRendererTests.draw(package).bitmap.width == 192)
        #expect(try ProgramRendererTests.draw(Self.encrypting([Self.large], in: package)).bitmap.width == 48)
        let both = Self.encrypting([Self.large, Self.small], in: package)
        #expect(try ProgramRendererTests.failure(both) == .locked)
        let named = try Self.package { members in
            members["res/mipmap-xxxhdpi/ic_launcher.png"] = members.removeValue(forKey: Self.large)
        }
        let unnamed = try ProgramRendererTests.draw(Self.encrypting(["resources.arsc"], in: named))
        #expect(unnamed.bitmap.width == 192 && unnamed.facts.title == nil)
    }

    /// Says of members of a zip file that they are encrypted, in the list and before each (PKWARE's APPNOTE, 4.4.4).
    private static func encrypting(_ names: [String], in zip: [UInt8]) -> [UInt8] {
        var zip = zip
        for name in names.map({ Array($0.utf8) }) {
            for (signature, flags, start) in [([0x50, 0x4B, 3, 4], 6, 30), ([0x50, 0x4B, 1, 2], 8, 46)]
                as [([UInt8], Int, Int)]
            {
                for at in zip.indices.dropLast(start + name.count - 1)
                where zip[at...].starts(with: signature) && zip[(at + start)...].starts(with: name) {
                    zip[at + flags] |= 1
                }
            }
        }
        return zip
    }

    @Test("A resource that refers to itself is nothing, and what it refers to is found")
    func references() throws {
        let table = try #require(try Self.members()["resources.arsc"])
        let resources = try #require(AndroidResources(table))
        #expect(resources.texts(of: 0x7F01_0000).map(\.density) == [0xFFFE, 160, 640])
        #expect(resources.texts(of: 0x7F02_0000).map(\.text) == ["Vitrine App"])
        for unknown in [0, 0x7F01_0001, 0x7F01_FFFF, 0x7F03_0000, 0x0101_0000, 0xFFFF_FFFF] {
            #expect(resources.texts(of: unknown).isEmpty)
        }
        // The last value is that of the label: a text, and which.
        let label = table.count - 8
        #expect(Array(table[label..<label + 8]) == [8, 0, 0, 3, 3, 0, 0, 0])
        func referring(_ number: Int) -> [String] {
            var changed = table
            changed.replaceSubrange(label + 3..<label + 8, with: [1] + little(number, 4))
            return AndroidResources(changed)?.texts(of: 0x7F02_0000).map(\.text) ?? []
        }
        #expect(referring(0x7F02_0000).isEmpty)
        #expect(referring(0x7F01_0000).count == 3)
    }

    @Test("Strings are read in both encodings, with short and long lengths; those beyond all bounds are none")
    func strings() throws {
        func string(_ head: [UInt8], _ text: [UInt8], isUTF8: Bool) throws -> String? {
            let body = little(0, 4) + head + text
            let bytes =
                little(1, 2) + little(28, 2) + little(28 + body.count, 4) + little(1, 4) + little(0, 4)
                + little(isUTF8 ? 0x100 : 0, 4) + little(32, 4) + little(0, 4) + body
            let chunk = try #require(AndroidChunk.whole(bytes, .strings))
            return AndroidStrings(bytes, chunk)?[0]
        }
        let long = [UInt8](repeating: 0x61, count: 300), longer = [UInt8](repeating: 0x61, count: 20_000)
        #expect(try string([1, 2], Array("ä".utf8), isUTF8: true) == "ä")
        #expect(try string([0x81, 0x2C, 0x81, 0x2C], long, isUTF8: true)?.count == 300)
        #expect(try string([0xFF, 0xFF, 0xFF, 0xFF], long, isUTF8: true) == nil)
        #expect(try string([0xA0, 0, 0xA0, 0], longer, isUTF8: true) == nil)
        #expect(try string([0x81], [], isUTF8: true) == nil)
        #expect(try string(little(1, 2), [0xE4, 0], isUTF8: false) == "ä")
        #expect(try string(little(0x8000, 2) + little(2, 2), [0x61, 0, 0x62, 0], isUTF8: false) == "ab")
        #expect(try string(little(0xFFFF, 2) + little(0xFFFF, 2), longer, isUTF8: false) == nil)
        #expect(try string(little(5000, 2), longer, isUTF8: false) == nil)
        #expect(try string(little(3, 2), [0x61, 0], isUTF8: false) == nil)
    }

    @Test("Tables and manifests may be damaged anywhere")
    func damage() throws {
        let members = try Self.members()
        let table = try #require(members["resources.arsc"]), manifest = try #require(members["AndroidManifest.xml"])
        for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
            for at in table.indices {
                var damaged = table
                damaged[at] = value
                _ = AndroidResources(damaged)?.texts(of: 0x7F01_0000)
            }
            let resources = AndroidResources(table)
            for at in manifest.indices {
                var damaged = manifest
                damaged[at] = value
                let read = AndroidManifest(damaged)
                #expect(read.texts(of: read.icon, resources).count <= 3)
            }
        }
        for count in table.indices {
            let found = AndroidResources(Array(table.prefix(count)))?.texts(of: 0x7F01_0000) ?? []
            #expect(found.isEmpty)
        }
        #expect(AndroidManifest(manifest).icon != nil)
    }

    /// A chunk of values for one kind of screen.
    private static func chunk(_ flags: UInt8, _ list: [UInt8], _ entry: [UInt8], count: Int) -> [UInt8] {
        let config = little(48, 4) + little(0, 10) + little(320, 2) + little(0, 32)
        let head = [1, flags, 0, 0] + little(count, 4) + little(20 + 48 + list.count, 4) + config
        return little(0x201, 2) + little(8 + head.count, 2) + little(8 + head.count + list.count + entry.count, 4)
            + head + list + entry
    }

    /// A table of such chunks, with the text "a.ab".
    private static func table(_ values: [UInt8]) -> [UInt8] {
        let text = little(0, 4) + [4, 4] + Array("a.ab".utf8) + [0, 0]
        let pool =
            little(1, 2) + little(28, 2) + little(28 + text.count, 4) + little(1, 4) + little(0, 4)
            + little(0x100, 4) + little(32, 4) + little(0, 4) + text
        let name = little(0x7F, 4) + little(0, 276)
        let package = little(0x200, 2) + little(8 + name.count, 2) + little(8 + name.count + values.count, 4)
        let body = pool + package + name + values
        return little(2, 2) + little(12, 2) + little(12 + body.count, 4) + little(1, 4) + body
    }

    @Test("Long lists of numbers whose last entries refer to themselves end soon", .timeLimit(.minutes(1)))
    func longLists() throws {
        let count = 16_000, entry = 0xFFFE
        // Looked through from the beginning, these would take an hour.
        let list = (0..<count).flatMap { little($0 == count - 1 ? entry : $0, 2) + little(0, 2) }
        let reference = little(8, 2) + little(0, 2) + little(0, 4) + [8, 0, 0, 1] + little(0x7F01_0000 | entry, 4)
        let chunk = Self.chunk(1, list, reference, count: count)
        var values: [UInt8] = []
        for _ in 0..<300 { values += chunk }
        let table = Self.table(values)
        #expect(try #require(AndroidResources(table)).texts(of: 0x7F01_0000 | entry).isEmpty)
    }

    @Test("Entries in lists of numbers, in short lists and in compact form are found")
    func forms() throws {
        func texts(_ values: [UInt8], _ entry: Int) -> [String] {
            AndroidResources(Self.table(values))?.texts(of: 0x7F01_0000 | entry).map(\.text) ?? []
        }
        let plain = little(8, 2) + little(0, 2) + little(0, 4) + [8, 0, 0, 3] + little(0, 4)
        let compact = little(0, 2) + [8, 3] + little(0, 4)
        let sparse = Self.chunk(1, little(7, 2) + little(0, 2) + little(9, 2) + little(4, 2), plain + plain, count: 2)
        #expect(texts(sparse, 7) == ["a.ab"] && texts(sparse, 9) == ["a.ab"] && texts(sparse, 8) == [])
        let short = Self.chunk(2, little(0xFFFF, 2) + little(0, 2), plain, count: 2)
        #expect(texts(short, 1) == ["a.ab"] && texts(short, 0) == [])
        let whole = Self.chunk(0, little(0xFFFF_FFFF, 4) + little(0, 4), compact, count: 2)
        #expect(texts(whole, 1) == ["a.ab"] && texts(whole, 0) == [])
        // Of several values, such as an array.
        let complex = Self.chunk(0, little(0, 4), little(16, 2) + little(1, 2) + plain, count: 1)
        #expect(texts(complex, 0) == [])
    }

    @Test("A terabyte of nothing behind the mark of a package is not gone through", .timeLimit(.minutes(1)))
    func sparse() throws {
        let input = SparseInput([0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0])
        let renderer = try ProgramRenderer(RendererEnvironment(pluginFolder: "/"))
        let error = #expect(throws: PluginError.self) {
            try renderer.render(input, RenderRequest(box: 64, mimeType: "application/vnd.android.package-archive"))
        }
        #expect(error?.code == .corrupt && input.bytesRead < 1 << 30)
    }
}
