import Vitrine

/// How far copying has come, as a line that is gone when copying has ended.
///
///     ██████████▌           21/50 files  120 MB of 280 MB  43 %  32 MB/s  5.0 s left  film.mp4
enum CopyBar {
    /// Draws the line anew for each event until the last.
    static func show(_ events: AsyncStream<ProgressEvent>) async {
        for await event in events {
            guard case .copy(let event) = event else { continue }
            switch event {
            case .advanced(let progress): await StatusLine.show(line(progress))
            case .finished: return await StatusLine.show("")
            case .started, .file, .item: continue
            }
        }
    }

    private static func line(_ progress: CopyProgress) -> String {
        var share: Double?
        var numbers: [String] = []
        if progress.foundAll {
            let done = progress.size > 0 ? min(1, Double(progress.bytes) / Double(progress.size)) : 0
            share = done
            numbers += [
                "\(progress.done)/\(progress.found) files",
                "\(Quantity.bytes(progress.bytes)) of \(Quantity.bytes(progress.size))", "\(Int(done * 100)) %",
            ]
        } else {
            numbers += [
                "\(progress.done) files done", "\(progress.found) found so far", Quantity.bytes(progress.bytes),
            ]
        }
        if progress.rate >= 1 { numbers.append("\(Quantity.bytes(Int64(progress.rate)))/s") }
        if let left = progress.secondsLeft, left >= 1 { numbers.append("\(Quantity.seconds(left)) left") }
        return StatusLine.text(share: share, numbers, current: progress.current)
    }
}
