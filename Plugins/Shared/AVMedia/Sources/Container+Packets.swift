package import CAV

// Where the demuxer stands, and what comes from there.
extension Container {
    /// Goes to the last key frame at or before a moment, as far as the format can tell.
    /// - Parameter seconds: counted from the start of the stream.
    /// - Returns: whether it went there; else the position is undefined.
    package func seek(_ stream: some MediaStream, to seconds: Double) -> Bool {
        av_seek_frame(format, stream.index, stream.timeStamp(at: seconds), AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Goes to a part of some of the file's bytes, whatever time that is.
    /// - Parameters:
    ///   - part: 0 for their start, 1 for their end.
    ///   - bytes: where they lie in the file.
    /// - Returns: whether it went there.
    package func seek(part: Double, of bytes: Range<Int64>) -> Bool {
        let offset = bytes.lowerBound + Int64(Double(bytes.count) * max(0, min(part, 1)))
        return av_seek_frame(format, -1, offset, AVSEEK_FLAG_BYTE) >= 0
    }

    /// Goes to the first packet, also where a key frame is so early that its own time stamp leads past it. By bytes only where no
    /// time leads there: the demuxer of AVI would take what it finds there for the rest of a packet that it had not finished.
    /// - Returns: whether it went there.
    package func rewind(_ stream: some MediaStream) -> Bool {
        seek(stream, to: -Self.leadIn) || seek(stream, to: 0) || av_seek_frame(format, -1, 0, AVSEEK_FLAG_BYTE) >= 0
    }

    /// Seconds before the first frame that no stream begins earlier than.
    private static let leadIn = 10.0

    /// The time stamp of the last key frame at or before a moment that the index knows of; `nil` when it knows none.
    /// Where a file brings no index, later key frames may not be in it yet.
    package func indexedKeyFrame(_ stream: some MediaStream, before seconds: Double) -> Int64? {
        avformat_index_get_entry_from_timestamp(
            stream.pointer, stream.timeStamp(at: seconds), AVSEEK_FLAG_BACKWARD)?.pointee.timestamp
    }

    /// Bytes of the largest packet behind the last key frame before a moment, up to that moment.
    /// - Returns: `nil` where there is no index of all packets, as MP4 has one, that reaches as far.
    package func largestIndexedPacket(_ stream: some MediaStream, until seconds: Double) -> Int? {
        guard isOne(of: "mov") else { return nil }
        let (pointer, timeStamp) = (stream.pointer, stream.timeStamp(at: seconds))
        let key = av_index_search_timestamp(pointer, timeStamp, AVSEEK_FLAG_BACKWARD)
        let end = av_index_search_timestamp(pointer, timeStamp, AVSEEK_FLAG_ANY)
        guard key >= 0, end >= key else { return nil }
        return (key..<end).reduce(0) { largest, index in
            max(largest, avformat_index_get_entry(pointer, index + 1).map { Int(cav_size($0)) } ?? 0)
        }
    }

    /// Reads the next packet of a stream into `packet`.
    /// - Returns: `false` at the end, at an error, or when the allowance is used up.
    package func read(_ stream: some MediaStream, into packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        for _ in 0..<Self.foreignPackets {
            guard av_read_frame(format, packet) >= 0 else { return false }
            if packet.pointee.stream_index == stream.index { return true }
            av_packet_unref(packet)
        }
        return false
    }

    /// Packets of other streams that may lie between two of the chosen one.
    private static let foreignPackets = 4096
}
