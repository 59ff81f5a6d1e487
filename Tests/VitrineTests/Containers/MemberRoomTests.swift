import TestSupport
import Testing
import VitrineKit

@testable import Vitrine

@Suite(.timeLimit(.minutes(10))) struct MemberRoomTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test func `small members are let through, large ones wait until there is room, in their order`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        #expect(try await room.stay(Self.mebibyte) == nil)
        var first = try await room.stay(60 * Self.mebibyte)
        #expect(first != nil)
        let second = Task { try await room.stay(60 * Self.mebibyte) }
        try await Condition.met("the second one waits") { await room.waitingCount == 1 }
        // It would fit, but others were first.
        let third = Task { try await room.stay(20 * Self.mebibyte) }
        try await Condition.met("the third one waits") { await room.waitingCount == 2 }
        #expect(try await room.stay(Self.mebibyte) == nil)
        first = nil
        #expect(try await second.value != nil)
        #expect(try await third.value != nil)
        #expect(await room.waitingCount == 0)
    }

    @Test func `a member that is larger than the room has it alone`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        var first = try await room.stay(900 * Self.mebibyte)
        let second = Task { try await room.stay(20 * Self.mebibyte) }
        try await Condition.met("the second one waits") { await room.waitingCount == 1 }
        #expect(first != nil)
        first = nil
        #expect(try await second.value != nil)
    }

    @Test func `what a member turned out not to need is given back`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        var first = try await room.stay(100 * Self.mebibyte)
        first = await room.shrunk(first, to: 30 * Self.mebibyte)
        #expect(first != nil)
        var second = try await room.stay(70 * Self.mebibyte)
        let third = Task { try await room.stay(20 * Self.mebibyte) }
        try await Condition.met("the third one waits") { await room.waitingCount == 1 }
        // One that is small has no part of it at all.
        second = await room.shrunk(second, to: Self.mebibyte)
        #expect(second == nil)
        #expect(try await third.value != nil)
        first = nil
    }

    @Test func `what is interactive goes before batch, and who is stopped waits no longer`() async throws {
        let room = MemberRoom(limit: 100 * Self.mebibyte)
        var first = try await room.stay(100 * Self.mebibyte)
        let large = Task { try await room.stay(90 * Self.mebibyte, Urgency(.batch)) }
        try await Condition.met("one waits") { await room.waitingCount == 1 }
        let small = Task { try await room.stay(20 * Self.mebibyte, Urgency(.batch)) }
        try await Condition.met("two wait") { await room.waitingCount == 2 }
        let urgent = Task { try await room.stay(80 * Self.mebibyte) }
        try await Condition.met("three wait") { await room.waitingCount == 3 }
        #expect(first != nil)
        first = nil
        #expect(try await urgent.value != nil)
        large.cancel()
        await #expect(throws: PluginError.self) { try await large.value }
        #expect(try await small.value != nil)
        #expect(await room.waitingCount == 0)
    }

    @Test func `what nothing tells the size of is given room by what it takes packed`() {
        #expect(MemberRoom.likelySize(ofPacked: 0) == MemberRoom.smallSize)
        #expect(MemberRoom.likelySize(ofPacked: Self.mebibyte) == 16 * Self.mebibyte)
        #expect(MemberRoom.likelySize(ofPacked: 4 * Self.mebibyte) == 64 * Self.mebibyte)
        #expect(MemberRoom.likelySize(ofPacked: .max) == .max)
        #expect(MemberRoom.likelySize(ofPacked: nil) == MemberRoom.smallSize)
    }
}
