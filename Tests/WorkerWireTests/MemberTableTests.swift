import Testing
import VitrineKit
import VitrineTesting
import WorkerWire

@Suite struct MemberTableTests {
    static var members: [ContainerMember] {
        var picture = ContainerMember(path: Array("a/Ü.jpg".utf8), kind: .file, size: 1 << 40, place: .max)
        picture.modified = Timestamp(seconds: -1, nanoseconds: 5)
        (picture.checksum, picture.isEncrypted, picture.extent) = (7, true, 5..<9)
        let odd = ContainerMember(path: [0xFF, 0, 0x2F], kind: .special, place: 0)
        return [picture, ContainerMember(path: Array("a".utf8), kind: .folder, place: 1), odd]
    }

    @Test func `a list arrives as it was written`() throws {
        let bytes = Self.members.flatMap(MemberTable.encoded)
        #expect(try MemberTable.decoded(bytes) == Self.members)
        #expect(try MemberTable.decoded([]) == [])
    }

    @Test func `a list that is cut, changed or made up is refused or read, and never traps`() {
        let bytes = Self.members.flatMap(MemberTable.encoded)
        let ends = Self.members.indices.map { Self.members[...$0].flatMap(MemberTable.encoded).count }
        for count in 1..<bytes.count where !ends.contains(count) {
            #expect(throws: PluginError.self) { try MemberTable.decoded(Array(bytes.prefix(count))) }
        }
        var random = SeededNumbers(seed: 1)
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? MemberTable.decoded(damaged)
        }
    }

    @Test func `of a path that is too long as much is told as shows it`() throws {
        let member = ContainerMember(path: Array(repeating: 65, count: 9000), kind: .file, place: 0)
        let told = try MemberTable.decoded(MemberTable.encoded(member))
        #expect(told.first?.path.count == ContainerMember.pathLimit + 1)
    }

    @Test func `sizes, times and places outside of every file are not written, and refused where they are read`() throws
    {
        var member = Self.members[0]
        member.modified = Timestamp(seconds: 1 << 41)
        member.extent = (1 << 42)..<(1 << 43)
        let sound = MemberTable.encoded(member)
        func bytes(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        let changes: [(Int64, Int64)] = [(1 << 40, -1), (1 << 41, .min), (1 << 42, -1), (1 << 43, 1 << 60)]
        for (from, to) in changes {
            let place = try #require(sound.firstRange(of: bytes(from)), "it is written in this order")
            #expect(throws: PluginError.self) {
                try MemberTable.decoded(Array(sound[..<place.lowerBound]) + bytes(to) + sound[place.upperBound...])
            }
        }
        (member.size, member.modified, member.extent) = (-1, Timestamp(seconds: .min), 0..<(1 << 60))
        let told = try #require(try MemberTable.decoded(MemberTable.encoded(member)).first)
        #expect(told.size == nil && told.modified == nil && told.extent == nil && told.path == member.path)
    }
}
