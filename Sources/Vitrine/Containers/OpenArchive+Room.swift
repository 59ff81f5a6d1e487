import RangeReading
import VitrineKit
import Workers

// A member takes memory from the moment it is unpacked, of which there is only so much for all of them.
extension OpenArchive {
    /// Unpacks a member within the room that there is for it. Where nothing tells its size, it is first given the room that it
    /// likely needs, and all that it may have only when it turns out to need more.
    func unpack(
        _ index: Int, _ member: ContainerMember, _ bound: Int64, _ contents: Contents
    ) async throws(PluginError) -> (MemberMemory, ItemTraffic?, MemberRoom.Stay?) {
        var limit = member.size ?? min(bound, MemberRoom.likelySize(ofPacked: contents.version.size))
        var traffic: ItemTraffic?
        while true {
            let room = try await workers.room.stay(limit, urgency)
            let (memory, own) = try await memory(index, member, limit, bound, contents)
            if let own {
                traffic = traffic ?? ItemTraffic()
                traffic? += own
            }
            do throws(PluginError) {
                let memory = try memory.get()
                // What does not tell its size may have taken less than it might have.
                return (memory, traffic, await workers.room.shrunk(room, to: memory.size))
            } catch {
                guard error.code == .limitExceeded, member.size == nil, limit < bound else { throw error }
                limit = bound
            }
        }
    }
}
