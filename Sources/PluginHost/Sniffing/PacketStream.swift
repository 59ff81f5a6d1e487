/// Films as they are sent (MPEG transport streams, ISO/IEC 13818-1, 2.4.3), which may begin inside of a packet: recordings that
/// were cut, and pieces of one.
enum PacketStream {
    /// Bytes from one packet to the next, without and with the clock that discs and cameras put before each.
    private static let lengths = [188, 192]
    /// The byte at the beginning of a packet.
    private static let mark: UInt8 = 0x47
    /// Packets of which all must begin like one: by chance five do in one of a thousand million files.
    private static let fewest = 5

    /// Whether all packets of a beginning have their mark, wherever the first whole one starts.
    /// - Parameter head: the first bytes of a file.
    static func isSeen(in head: [UInt8]) -> Bool {
        lengths.contains { length in
            (0..<length).contains { start in
                start + (fewest - 1) * length < head.count
                    && stride(from: start, to: head.count, by: length).allSatisfy { head[$0] == mark }
            }
        }
    }
}
