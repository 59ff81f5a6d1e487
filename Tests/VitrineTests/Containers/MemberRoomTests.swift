import TestSupport
import Testing

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct MemberRoomTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test func `small members are let through, large ones wait until there is room, in their order`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        #expect(await room.stay(Self.mebibyte) == nil)
        var first = await room.stay(60 * Self.mebibyte)
        #expect(first != nil)
        let second = Task { await room.stay(60 * Self.mebibyte) }
        try await Condition.met("the second one waits") { await room.waitingCount == 1 }
        // It would fit, but others were first.
        let third = Task { await room.stay(20 * Self.mebibyte) }
        try await Condition.met("the third one waits") { await room.waitingCount == 2 }
        #expect(await room.stay(Self.mebibyte) == nil)
        first = nil
        #expect(await second.value != nil)
        #expect(await third.value != nil)
        #expect(await room.waitingCount == 0)
    }

    @Test func `a member that is larger than the room has it alone`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        var first = await room.stay(900 * Self.mebibyte)
        let second = Task { await room.stay(20 * Self.mebibyte) }
        try await Condition.met("the second one waits") { await room.waitingCount == 1 }
        #expect(first != nil)
        first = nil
        #expect(await second.value != nil)
    }
}
