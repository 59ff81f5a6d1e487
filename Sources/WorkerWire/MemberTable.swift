public import VitrineKit

/// The list of a container's members as it lies in memory that host and worker share. The host reads a copy of it, as it
/// would read a file from a stranger.
public enum MemberTable {
    /// The most members.
    public static let memberLimit = 100_000
    /// The most bytes of a list: 32 MiB.
    public static let sizeLimit = 32 << 20

    /// The largest number of seconds, and of bytes, that means anything.
    private static let farthest: Int64 = 1 << 50

    /// Writes one member. A time, a size and an extent that mean nothing are left out: the rest of the list is of use.
    public static func encoded(_ member: ContainerMember) -> [UInt8] {
        var member = member
        if let size = member.size, size < 0 { member.size = nil }
        if let modified = member.modified, !isPossible(modified) { member.modified = nil }
        if let extent = member.extent, extent.lowerBound < 0 || extent.upperBound > farthest { member.extent = nil }
        var out = WireWriter()
        // One byte more than is allowed says that it is too long.
        out.put(bytes: Array(member.path.prefix(ContainerMember.pathLimit + 1)))
        out.put(member.kind.rawValue)
        out.put(member.size) { $0.put($1) }
        out.put(member.modified) {
            $0.put($1.seconds)
            $0.put($1.nanoseconds)
        }
        out.put(member.checksum) { $0.put($1) }
        out.put(member.isEncrypted)
        out.put(member.place)
        out.put(member.extent) {
            $0.put($1.lowerBound)
            $0.put($1.upperBound)
        }
        return out.bytes
    }

    /// Reads a list.
    /// - Throws: `invalidAnswer` when it is none.
    public static func decoded(_ bytes: [UInt8]) throws(PluginError) -> [ContainerMember] {
        var input = WireReader(bytes[...])
        var members: [ContainerMember] = []
        while !input.isAtEnd {
            guard members.count < memberLimit else { throw WireReader.nonsense("a list has too many members") }
            members.append(try member(&input))
        }
        return members
    }

    private static func member(_ input: inout WireReader) throws(PluginError) -> ContainerMember {
        let path = try input.bytes(limit: ContainerMember.pathLimit + 1)
        guard let kind = Entry.Kind(rawValue: try input.byte()) else {
            throw WireReader.nonsense("the kind of a member is unknown")
        }
        let size = try input.optional { (input) throws(PluginError) in try input.int64() }
        let modified = try input.optional { (input) throws(PluginError) in
            Timestamp(seconds: try input.int64(), nanoseconds: try input.uint32())
        }
        let checksum = try input.optional { (input) throws(PluginError) in try input.uint32() }
        let isEncrypted = try input.bool()
        var member = ContainerMember(path: path, kind: kind, size: size, place: try input.uint64())
        member.modified = modified
        member.checksum = checksum
        member.isEncrypted = isEncrypted
        member.extent = try input.optional { (input) throws(PluginError) in
            let (start, end) = (try input.int64(), try input.int64())
            guard 0 <= start, start <= end, end <= farthest else {
                throw WireReader.nonsense("a member lies outside every file")
            }
            return start..<end
        }
        guard (size ?? 0) >= 0, modified.map(isPossible) ?? true else {
            throw WireReader.nonsense("a member is out of range")
        }
        return member
    }

    private static func isPossible(_ time: Timestamp) -> Bool {
        time.nanoseconds < 1_000_000_000 && time.seconds.magnitude <= farthest.magnitude
    }
}
