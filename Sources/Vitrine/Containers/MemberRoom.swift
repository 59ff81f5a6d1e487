import VitrineKit

/// How much memory large members of archives take at once: each is there as a whole from the moment it is unpacked until
/// it is drawn, and many wait for their turn.
///
/// Small ones are let through: as many as are under way at once need no more than one large one does. Nobody who holds a
/// large one asks for another, since only small files are compared with each other.
actor MemberRoom {
    /// A large member's part of it, given back when the last reference goes.
    final class Stay: Sendable {
        private let room: MemberRoom
        private let size: Int64

        fileprivate init(_ size: Int64, in room: MemberRoom) {
            (self.size, self.room) = (size, room)
        }

        deinit { Task { [room, size] in await room.give(size) } }
    }

    private let limit: Int64
    private var used: Int64 = 0
    private var waiting: [(size: Int64, go: CheckedContinuation<Void, Never>)] = []

    /// The most bytes of a member that is let through.
    static let smallSize: Int64 = 16 << 20

    /// - Parameter limit: bytes of large members at once; one that is larger has all of it alone. Default: 512 MiB.
    init(limit: Int64 = 512 << 20) { self.limit = limit }

    /// Waits until there is room.
    /// - Parameter size: bytes that the member may have.
    /// - Returns: to be kept as long as the member; `nil` for a small one.
    func stay(_ size: Int64) async -> Stay? {
        guard size > Self.smallSize else { return nil }
        if waiting.isEmpty, fits(size) {
            used += size
        } else {
            await withCheckedContinuation { waiting.append((size, $0)) }
        }
        return Stay(size, in: self)
    }

    /// How many wait.
    var waitingCount: Int { waiting.count }

    private func fits(_ size: Int64) -> Bool { used == 0 || size <= limit - used }

    private func give(_ size: Int64) {
        used -= size
        while let first = waiting.first, fits(first.size) {
            waiting.removeFirst()
            used += first.size
            first.go.resume()
        }
    }
}
