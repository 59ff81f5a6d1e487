import CPlatform
import Glibc

/// Which users a user namespace knows, as `/proc/PID/uid_map` tells (user_namespaces(7)).
public struct UserNamespace {
    /// Ids in a row: the first as the namespace calls it, the first as the one outside does, how many.
    private var ranges: [(inside: UInt64, outside: UInt64, count: UInt64)] = []

    /// Reads a map.
    /// - Parameter map: lines of three numbers each.
    /// - Returns: `nil` for a text that is none.
    public init?(map: String) {
        for line in map.split(separator: "\n") {
            let numbers = line.split(separator: " ").map { UInt64($0) }
            guard numbers.count == 3, let inside = numbers[0], let outside = numbers[1], let count = numbers[2],
                max(inside, outside, count) <= UInt64(UInt32.max)
            else { return nil }
            ranges.append((inside, outside, count))
        }
        if ranges.isEmpty { return nil }
    }

    /// That of this process; `nil` where /proc does not tell.
    public static var current: UserNamespace? {
        guard let file = fopen("/proc/self/uid_map", "re") else { return nil }
        defer { fclose(file) }
        // The kernel writes at most 340 lines of three numbers.
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return UserNamespace(map: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Whom the system's own files, which are root's, seem to belong to: 0 where this process sees them as root's, by default
    /// 65534 where root has no id; `nil` where /proc does not tell.
    public static var ownerOfRootsFiles: UInt32? {
        // Always root's, whatever the namespace that /proc was mounted in.
        var status = stat()
        return stat("/proc/sys/kernel/overflowuid", &status) == 0 ? status.st_uid : nil
    }

    /// Whether root, in the namespace of this process, is an ordinary user of the system and can become nobody else: without
    /// capabilities such a root may do what that user may.
    public static var rootIsOrdinary: Bool {
        guard let owner = ownerOfRootsFiles, let current else { return false }
        return current.hasOrdinaryRootOnly(ownerOfRootsFiles: owner)
    }

    /// Whether its root is an ordinary user of the system and can become nobody else. A map tells ids of the namespace outside
    /// only, where the system's root may go by another number, so that its files are looked at as well.
    /// - Parameter owner: whom root's files seem to belong to. Root who owns them is never ordinary.
    func hasOrdinaryRootOnly(ownerOfRootsFiles owner: UInt32) -> Bool {
        guard owner != 0, let root = outside(0), root != 0 else { return false }
        return outside(UInt64(VP_NOBODY)) == nil
    }

    /// Whether somebody has an id here. Files of those who have none seem to belong to the overflow user, by default 65534.
    public func knows(_ id: UInt32) -> Bool { outside(UInt64(id)) != nil }

    private func outside(_ id: UInt64) -> UInt64? {
        ranges.first { id >= $0.inside && id - $0.inside < $0.count }.map { $0.outside + (id - $0.inside) }
    }
}
