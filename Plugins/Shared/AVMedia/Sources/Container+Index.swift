package import CAV

// Keeping the demuxer of Matroska from reading the rest of the file. Where a moment lies behind the last key frame of its
// index it looks for later ones in all that follows, of which a recording of a screen may have none.
extension Container {
    /// Takes the index of a Matroska file for all that there is, if it has one. To be called before the first seek.
    /// - Parameter packet: room for one, which is empty afterwards.
    package func trustIndex(_ stream: some MediaStream, _ packet: UnsafeMutablePointer<AVPacket>) {
        guard isOne(of: "matroska"), let length = cuesLength else { return }
        // libav passes over an index of one key frame: that one is met instead.
        if length < Self.shortIndex, read(stream, into: packet) { av_packet_unref(packet) }
        if length < Self.shortIndex { closeIndex(stream) } else { endIndex(stream) }
    }

    /// Bytes of an index up to which it may hold a single key frame.
    private static let shortIndex: Int64 = 256

    /// Takes the key frames of a Matroska file that were met so far for all that there are.
    package func closeIndex(_ stream: some MediaStream) {
        guard isOne(of: "matroska"), avformat_index_get_entries_count(stream.pointer) > 0 else { return }
        endIndex(stream)
    }

    /// Adds an entry behind all others, so that none of them is the last. Whoever went there would be at the file's end.
    private func endIndex(_ stream: some MediaStream) {
        _ = av_add_index_entry(
            stream.pointer, max(0, avio_size(format?.pointee.pb)), .max / 2, 0, 0, AVINDEX_KEYFRAME)
    }
}
