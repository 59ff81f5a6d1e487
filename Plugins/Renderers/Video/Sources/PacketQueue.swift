internal import CAV

/// Packets that wait for a decoder, of which nobody knows yet whether they are needed.
final class PacketQueue {
    private var packets: [UnsafeMutablePointer<AVPacket>?] = []
    private var first = 0
    /// Bytes of all that wait, and about as many as it takes to keep them.
    private(set) var bytes = 0

    /// Bytes that a packet takes beside its content.
    private static let ownBytes = 512

    deinit { removeAll() }

    /// Takes over what a packet holds, and leaves it empty.
    /// - Returns: `false` without memory; the packet keeps what it holds then.
    func append(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard let own = av_packet_alloc() else { return false }
        bytes += Int(packet.pointee.size) + Self.ownBytes
        av_packet_move_ref(own, packet)
        packets.append(own)
        return true
    }

    /// Hands the earliest packet over to an empty one.
    /// - Returns: `false` when there is none.
    func takeFirst(into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        guard first < packets.count, let own = packets[first] else { return false }
        bytes -= Int(own.pointee.size) + Self.ownBytes
        av_packet_move_ref(packet, own)
        av_packet_free(&packets[first])
        first += 1
        return true
    }

    func removeAll() {
        for index in packets.indices { av_packet_free(&packets[index]) }
        packets.removeAll(keepingCapacity: true)
        (first, bytes) = (0, 0)
    }
}
