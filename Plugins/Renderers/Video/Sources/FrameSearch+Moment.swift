internal import AVMedia
internal import CAV
internal import VitrineKit

// The frame that is seen at a moment somebody names: the last one that begins at or before it. The decoder starts at the last
// key frame before it, and goes on from there. Formats lead to that key frame more or less well: some by the order in which
// packets are decoded, others to where no key frame is. What comes from there tells.
extension FrameSearch {
    /// Seconds before the moment where the key frame is looked for, one after the other; after them the video's start.
    private static let leads = [0.0, 2, 10, 40]
    /// Bytes that one of these tries may read.
    private static let momentAllowance: Int64 = 256 << 20
    /// Bytes that may wait for the decoder.
    private static let waitingBytes = 64 << 20
    /// Seconds before the moment from which on frames are decoded that no other frame depends on.
    private static let wholeSeconds = 0.5

    /// What came of decoding from one place on.
    private enum Reach {
        case frame
        /// What comes from there is not to be decoded without what comes before, or begins after the moment.
        case late
        /// Nothing tells the moment of what comes from there.
        case timeless
    }

    /// Decodes the frame that is seen at a moment and keeps it.
    /// - Returns: whether there was a frame.
    func find(_ moment: Double, _ best: inout Candidate?) throws(PluginError) -> Bool {
        let effort = Effort(seconds: momentSeconds)
        for lead in Self.leads where lead <= moment {
            container.allow(Self.momentAllowance)
            guard container.seek(video, to: moment - lead) else { break }
            let reach = decode(to: moment, isStart: false, effort)
            if reach == .frame { return try keep(&best) }
            if reach == .timeless { break }
        }
        guard startAgain(allowing: Self.momentAllowance), decode(to: moment, isStart: true, effort) == .frame else {
            return false
        }
        return try keep(&best)
    }

    /// Decodes from where the container stands up to a moment; its frame stays in the decoder.
    /// - Parameter isStart: whether there is nothing before, so that a later frame will do.
    private func decode(to moment: Double, isStart: Bool, _ effort: Effort) -> Reach {
        guard let packet else { return .late }
        let target = video.stamp(seenAt: moment)
        let queue = PacketQueue()
        let reach = gather(to: target, isStart: isStart, queue, effort)
        guard reach == .frame else { return reach }
        let unskipped = target &- video.units(of: Self.wholeSeconds)
        let wanted = video.frames(before: moment)
        var count = 0.0
        func isLater(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
            let stamp = frame.pointee.best_effort_timestamp
            // Those without a time are counted.
            guard stamp == cav_no_time else { return stamp > target }
            count += 1
            return count > wanted + 1
        }
        decoder.restart(keyFramesOnly: false)
        defer { decoder.skipsUnreferenced = false }
        while queue.takeFirst(into: packet) || next() != nil {
            defer { av_packet_unref(packet) }
            decoder.skipsUnreferenced = packet.stamp.map { $0 < unskipped } ?? false
            if decoder.decode(packet, until: isLater) || effort.isOver && decoder.hasFrame { return .frame }
            if effort.isOver { break }
        }
        _ = decoder.decode(nil, until: isLater)
        return decoder.hasFrame ? .frame : .late
    }

    /// Reads up to the first packet behind a time stamp, and keeps those from the last key frame before it on.
    private func gather(to target: Int64, isStart: Bool, _ queue: PacketQueue, _ effort: Effort) -> Reach {
        var isUsable = isStart
        let leastLead = video.units(of: Self.wholeSeconds)
        while !effort.isOver, let isKeyFrame = next(), let packet {
            defer { av_packet_unref(packet) }
            let stamp = packet.stamp
            // Where only the moment of decoding is known, it is seen a few frames later.
            let delay = packet.pointee.pts == cav_no_time && video.parameters.video_delay > 0 ? leastLead : 0
            if isKeyFrame, let stamp, stamp <= target &- delay {
                queue.removeAll()
                isUsable = true
            }
            if let stamp, stamp > target, !isUsable { return .late }
            if isKeyFrame, stamp == nil, !isUsable { return .timeless }
            guard isUsable else { continue }
            let isTimeless = queue.bytes == 0 && stamp == nil
            guard queue.append(packet) else { return .late }
            let isBehind = stamp.map { $0 > target } ?? isTimeless
            if isBehind || queue.bytes > Self.waitingBytes { return .frame }
        }
        return isUsable ? .frame : .late
    }
}

extension UnsafeMutablePointer<AVPacket> {
    /// When its frame is seen, or else decoded.
    fileprivate var stamp: Int64? {
        let stamp = pointee.pts == cav_no_time ? pointee.dts : pointee.pts
        return stamp == cav_no_time ? nil : stamp
    }
}

extension VideoStream {
    /// The latest time stamp of a frame that is seen at a moment.
    fileprivate func stamp(seenAt moment: Double) -> Int64 {
        // A moment of whole milliseconds shall not miss a frame that begins then by the last binary digit.
        let stamp = timeStamp(at: moment + 1e-6)
        let (start, duration) = (pointer.pointee.start_time, pointer.pointee.duration)
        guard start != cav_no_time, duration > 0 else { return stamp }
        let (end, isFar) = start.addingReportingOverflow(duration)
        return isFar ? stamp : min(stamp, end)
    }

    /// A length of time in the stream's own units.
    fileprivate func units(of seconds: Double) -> Int64 { timeStamp(at: seconds) &- timeStamp(at: 0) }

    /// How many frames begin before the one that is seen at a moment, where they are equally long.
    fileprivate func frames(before moment: Double) -> Double {
        let rates = [pointer.pointee.avg_frame_rate, pointer.pointee.r_frame_rate]
        let rate = rates.first { $0.num > 0 && $0.den > 0 }.map(av_q2d) ?? 25
        return ((moment + 1e-6) * rate).rounded(.down)
    }
}
