import Synchronization
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
        fileprivate let size: Atomic<Int64>

        fileprivate init(_ size: Int64, in room: MemberRoom) {
            self.size = Atomic(size)
            self.room = room
        }

        deinit {
            let size = size.load(ordering: .relaxed)
            Task { [room] in await room.give(size) }
        }
    }

    /// Somebody who waits; resumed with whether there is room.
    private struct Waiter {
        let number: Int
        let size: Int64
        let urgency: Urgency
        let go: CheckedContinuation<Bool, Never>
    }

    private let limit: Int64
    private var used: Int64 = 0
    private var waiting: [Waiter] = []
    private var lastNumber = 0

    /// The most bytes of a member that is let through.
    static let smallSize: Int64 = 16 << 20

    /// What a member likely has whose size nothing tells: documents are seldom packed to less than a sixteenth, and a small
    /// one needs no room.
    /// - Parameter packed: bytes of its archive, where known.
    static func likelySize(ofPacked packed: Int64?) -> Int64 {
        guard let packed else { return smallSize }
        let (size, isTooLarge) = packed.multipliedReportingOverflow(by: 16)
        return isTooLarge ? .max : max(size, smallSize)
    }

    /// - Parameter limit: bytes of large members at once; one that is larger has all of it alone. Default: 512 MiB.
    init(limit: Int64 = 512 << 20) { self.limit = limit }

    /// Waits until there is room; what is interactive goes before batch.
    /// - Parameters:
    ///   - size: bytes that the member may have.
    ///   - urgency: of who waits. Default: interactive.
    /// - Returns: to be kept as long as the member; `nil` for a small one.
    /// - Throws: `cancelled` when the task is cancelled while it waits.
    func stay(_ size: Int64, _ urgency: Urgency = Urgency(.interactive)) async throws(PluginError) -> Stay? {
        guard size > Self.smallSize else { return nil }
        let isBehind = waiting.contains { $0.urgency.isAtLeast(.interactive) || !urgency.isAtLeast(.interactive) }
        if !isBehind, fits(size) {
            used += size
        } else {
            lastNumber += 1
            let number = lastNumber
            let isThere = await withTaskCancellationHandler {
                await withCheckedContinuation { go in
                    waiting.append(Waiter(number: number, size: size, urgency: urgency, go: go))
                }
            } onCancel: {
                Task { await self.abandon(number) }
            }
            guard isThere else { throw PluginError(.cancelled, "stopped before there was room to unpack it") }
        }
        return Stay(size, in: self)
    }

    /// What is kept of a stay by a member that was unpacked, and may be smaller than it might have been.
    /// - Returns: `nil` for a small one; what the stay was given back then when its last reference goes.
    func shrunk(_ stay: Stay?, to size: Int64) -> Stay? {
        guard let stay, size > Self.smallSize else { return nil }
        let less = stay.size.load(ordering: .relaxed) - size
        guard less > 0 else { return stay }
        stay.size.store(size, ordering: .relaxed)
        give(less)
        return stay
    }

    /// How many wait.
    var waitingCount: Int { waiting.count }

    private func fits(_ size: Int64) -> Bool { used == 0 || size <= limit - used }

    private func give(_ size: Int64) {
        used -= size
        admit()
    }

    private func abandon(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).go.resume(returning: false)
        // It may have been too large for the room that is left, and those behind it are not.
        admit()
    }

    /// Lets those in that there is room for, the first that are interactive before the others.
    private func admit() {
        while !waiting.isEmpty {
            let index = waiting.firstIndex { $0.urgency.isAtLeast(.interactive) } ?? 0
            guard fits(waiting[index].size) else { return }
            let next = waiting.remove(at: index)
            used += next.size
            next.go.resume(returning: true)
        }
    }
}
