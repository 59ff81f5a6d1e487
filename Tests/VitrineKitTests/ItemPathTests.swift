import Testing
import VitrineKit

struct ItemPathTests {
    @Test(arguments: ["..", ".", "a/..", "../a", "a//b", "/a", "a/", "a/./b", "a\0b", "/"])
    func climbingAndEmptyComponentsAreRefused(_ text: String) {
        let error = #expect(throws: PluginError.self) { try ItemPath(text) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: ["", "a/b", ".", "..", "a\0b"])
    func namesThatAreNoNamesAreRefused(_ name: String) throws {
        let folder = try ItemPath("folder")
        let error = #expect(throws: PluginError.self) { try folder.appending(name.utf8) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func anyOtherBytesAreAName() throws {
        for name in [[0xFF, 0xFE], [0x0A], Array("...".utf8), Array("-rf".utf8), [0xC3, 0x28]] as [[UInt8]] {
            let path = try ItemPath("a").appending(name)
            #expect(path.bytes == [0x61, 0x2F] + name)
            #expect(path.name == name)
            #expect(try ItemPath(path.bytes) == path)
        }
    }

    @Test func parentsLeadToTheRoot() throws {
        let path = try ItemPath("a/bc/d")
        #expect(path.parent == (try ItemPath("a/bc")))
        #expect(path.parent?.parent == (try ItemPath("a")))
        #expect(path.parent?.parent?.parent == .root)
        #expect(ItemPath.root.parent == nil)
        #expect(ItemPath.root.isRoot && ItemPath.root.name.isEmpty)
        #expect(try ItemPath("") == .root)
        #expect(try ItemPath.root.appending("a".utf8) == ItemPath("a"))
    }

    @Test func spellingsThatLookAlikeAreDifferentNames() throws {
        #expect(try ItemPath("e\u{301}") != ItemPath("\u{E9}"))
    }

    @Test func theRootHasNoNameOfItsOwnInSentences() throws {
        #expect(ItemPath.root.shown == "the source")
        #expect(try ItemPath("a b/c").shown == "'a b/c'")
    }

    @Test func aDescriptionIsSafeToPrint() throws {
        #expect(try ItemPath("a\nb\u{1B}[2J").description == "a\\nb\\u{1B}[2J")
    }
}
