import Testing
import VitrineKit
import Workers

@testable import Vitrine

@Suite struct MemberTreeTests {
    private static let archive = Entry(
        name: [], kind: .file, size: 9, modified: Timestamp(seconds: 77))

    private static func tree(_ members: [ContainerMember], failure: PluginError? = nil) -> MemberTree {
        let outline = ContainerOutline(isSequential: false, failure: failure)
        return MemberTree(MemberList(members: members, outline: outline), of: archive)
    }

    private static func file(_ path: String, size: Int64 = 1) -> ContainerMember {
        ContainerMember(path: Array(path.utf8), kind: .file, size: size, place: 0)
    }

    private static func names(_ tree: MemberTree, in folder: String = "") throws -> [String] {
        tree.entries(in: try ItemPath(folder)).map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test func `folders are made of paths, dots and doubled slashes are removed`() throws {
        let tree = Self.tree([
            Self.file("./a//b.jpg"), ContainerMember(path: Array("a/c/".utf8), kind: .folder, place: 0),
            ContainerMember(path: Array("./".utf8), kind: .folder, place: 0), Self.file("d"),
        ])
        #expect(tree.refusedCount == 0)
        #expect(try Self.names(tree) == ["a", "d"])
        #expect(try Self.names(tree, in: "a") == ["b.jpg", "c"])
        #expect(tree[try ItemPath("a")]?.entry.kind == .folder)
        // What has no time of its own has the archive's.
        #expect(tree[try ItemPath("a/b.jpg")]?.entry.modified == Timestamp(seconds: 77))
    }

    @Test func `names that lead elsewhere are refused, counted, and nowhere in the tree`() throws {
        var bytes = Self.file("x")
        bytes.path = [0x61, 0, 0x62]
        let hostile = [
            Self.file("../evil"), Self.file("a/../../evil"), Self.file("/etc/passwd"), Self.file("//server/share"),
            Self.file(""), bytes, Self.file(String(repeating: "a", count: 5000)),
            Self.file(String(repeating: "a/", count: 100) + "b"), Self.file(".."), Self.file("a/.."),
        ]
        let tree = Self.tree(hostile + [Self.file("good.jpg")])
        #expect(try Self.names(tree) == ["good.jpg"])
        #expect(tree.refusedCount == hostile.count && tree.refusals.count == hostile.count)
        #expect(tree.refusals[0].message == "the member '../evil' is left out: its name climbs out of the archive")
        #expect(tree.refusals.allSatisfy { !$0.message.utf8.contains(0) && $0.message.utf8.count < 400 })
    }

    @Test func `long paths in folders of their own end the list before they fill the memory`() throws {
        // Each member makes 63 folders of its own, whose paths have two kilobytes on average: a gigabyte in all.
        let depth = String(repeating: "/" + String(repeating: "d", count: 62), count: 63)
        let tree = Self.tree((0..<8000).map { Self.file("\($0)" + depth) })
        #expect(tree.failure?.code == .limitExceeded)
        #expect(tree.failure?.message.contains("32 MiB") == true)
        #expect(tree.pathBytes < MemberTree.pathBytesLimit + 64 * 4096)
        // What was listed until then is there.
        #expect(tree[try ItemPath("0" + depth)]?.index == 0)
        #expect(tree[try ItemPath("7999" + depth)] == nil)
    }

    @Test func `odd names that lead nowhere else are names`() throws {
        var latin = Self.file("x")
        latin.path = [0xFF, 0xFE]
        let odd = ["..\\..\\a", "C:\\x", "...", "a\nb", "-rf", "%2e%2e", "!", "a!/b"]
        let tree = Self.tree(odd.map { Self.file($0) } + [latin])
        #expect(tree.refusedCount == 0 && tree.entries(in: .root).count == odd.count + 1)
        #expect(tree[try ItemPath([0xFF, 0xFE])] != nil)
    }

    @Test func `of several members of one name the last counts, and a folder before a file`() throws {
        let tree = Self.tree([
            Self.file("a", size: 1), Self.file("a", size: 2), Self.file("b/c"), Self.file("b"), Self.file("d"),
            Self.file("d/e"),
        ])
        #expect(tree[try ItemPath("a")]?.entry.size == 2)
        for name in ["b", "d"] { #expect(tree[try ItemPath(name)]?.entry.kind == .folder) }
        #expect(tree.refusedCount == 3)
        #expect(try Self.names(tree) == ["a", "b", "d"])
    }

    @Test func `more folders than anybody looks through end the list`() {
        let members = (0..<8000).map { number in
            Self.file("\(number)/" + String(repeating: "a/", count: 60) + "b")
        }
        let tree = Self.tree(members)
        #expect(tree.failure?.code == .limitExceeded)
    }

    @Test func `a member's version is its content's where there is a checksum, else the archive's`() throws {
        var member = Self.file("a")
        member.checksum = 5
        let other = Entry(name: [], kind: .file, size: 10, modified: Timestamp(seconds: 78))
        func etag(_ member: ContainerMember, _ archive: Entry) -> String? {
            let list = MemberList(members: [member], outline: ContainerOutline(isSequential: false))
            return MemberTree(list, of: archive).entries(in: .root).first?.etag
        }
        #expect(etag(member, Self.archive) == etag(member, other))
        var changed = member
        changed.checksum = 6
        #expect(etag(member, Self.archive) != etag(changed, Self.archive))
        #expect(etag(Self.file("a"), Self.archive) != etag(Self.file("a"), other))
    }
}
