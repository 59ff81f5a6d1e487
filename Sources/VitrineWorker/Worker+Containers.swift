import VitrineKit
import WorkerWire

// The life of a worker that reads containers: it lists and unpacks until the host closes its end.
extension Worker {
    func serve(_ reader: any ContainerReader) {
        var output: SharedOutput?
        while true {
            let goesOn: Bool
            switch receive() {
            case (.list(let job)?, let fds):
                goesOn = answer(job, fds, in: &output) { (item, memory) throws(PluginError) in
                    .listed(try list(job, item, reader, into: memory))
                }
            case (.unpack(let job)?, let fds):
                goesOn = answer(job.job, fds, in: &output) { (item, memory) throws(PluginError) in
                    .unpacked(try unpack(job, item, reader, into: memory))
                }
            default: return
            }
            guard goesOn else { return }
        }
    }

    private func answer(
        _ job: ListJob, _ fds: [CInt], in output: inout SharedOutput?,
        _ work: (any RandomAccessInput, SharedOutput) throws(PluginError) -> WorkerMessage
    ) -> Bool {
        answer(
            job.number, seconds: job.seconds, outputSize: job.outputSize, isRanged: job.isRanged, fds, in: &output, work
        )
    }

    private func list(
        _ job: ListJob, _ item: any RandomAccessInput, _ reader: any ContainerReader, into output: SharedOutput
    ) throws(PluginError) -> ListAnswer {
        var length = 0
        var count = 0
        let limit = min(output.memory.count, MemberTable.sizeLimit)
        let outline = try reader.list(item) { (member) throws(PluginError) in
            let bytes = MemberTable.encoded(member)
            count += 1
            guard count <= MemberTable.memberLimit else {
                throw PluginError(
                    .limitExceeded, "the archive has more than the \(MemberTable.memberLimit) members that are listed")
            }
            guard bytes.count <= limit - length else {
                throw PluginError(
                    .limitExceeded, "the names in the archive take more than the \(limit >> 20) MiB that are listed")
            }
            output.memory[length...].copyBytes(from: bytes)
            length += bytes.count
        }
        return ListAnswer(number: job.number, length: length, outline: outline)
    }

    private func unpack(
        _ job: UnpackJob, _ item: any RandomAccessInput, _ reader: any ContainerReader, into output: SharedOutput
    ) throws(PluginError) -> UnpackAnswer {
        guard job.parts.reduce(0, { $0 + $1.limit }) <= Int64(output.memory.count) else {
            throw PluginError(.invalidArgument, "there is not enough memory for what is to be unpacked")
        }
        let rooms = MemberRooms(job, output)
        do throws(PluginError) {
            try reader.unpack(job.parts.map(\.place), of: item, into: rooms)
        } catch {
            // Damage behind the member that was asked for is no reason to withhold it.
            guard rooms.hasWanted else { throw error }
        }
        return UnpackAnswer(number: job.job.number, parts: rooms.parts, failure: rooms.failure)
    }
}

/// The host's memory, with a room for each member that it asked for.
final class MemberRooms: MemberOutput {
    /// Those whose content is there.
    private(set) var parts: [UnpackAnswer.Part] = []
    /// What is wrong with the one that was asked for.
    private(set) var failure: PluginError?

    private let output: SharedOutput
    private let wanted: Int
    /// By place: the member's position, and the beginning and size of its room.
    private var rooms: [UInt64: (index: Int, start: Int, limit: Int)] = [:]

    init(_ job: UnpackJob, _ output: SharedOutput) {
        self.output = output
        wanted = job.wanted
        var start = 0
        for (index, part) in job.parts.enumerated() {
            rooms[part.place] = (index, start, Int(part.limit))
            start += Int(part.limit)
        }
    }

    var hasWanted: Bool { parts.contains { $0.index == wanted } }

    func take(
        _ place: UInt64, _ content: (any MemberWriter) throws(PluginError) -> Void
    ) throws(PluginError) -> Bool {
        // Each once: its room is given away then.
        guard let room = rooms.removeValue(forKey: place) else { return !rooms.isEmpty }
        let writer = RoomWriter(
            UnsafeMutableRawBufferPointer(rebasing: output.memory[room.start..<room.start + room.limit]))
        do throws(PluginError) {
            try content(writer)
            parts.append(UnpackAnswer.Part(index: room.index, length: Int64(writer.length)))
        } catch {
            guard [.corrupt, .encrypted, .locked, .unsupported, .limitExceeded].contains(error.code) else {
                throw error
            }
            if room.index == wanted { failure = error }
        }
        return !rooms.isEmpty
    }
}

/// One of the rooms, as it is filled.
private final class RoomWriter: MemberWriter {
    /// Bytes so far.
    private(set) var length = 0
    private let room: UnsafeMutableRawBufferPointer

    init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PluginError) {
        guard bytes.count <= room.count - length else {
            throw PluginError(
                .limitExceeded, "a member is larger than the \(room.count) bytes that are unpacked of it")
        }
        room[length...].copyBytes(from: bytes)
        length += bytes.count
    }
}
