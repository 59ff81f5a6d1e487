import Vitrine

/// How far a run has come, as a line that is gone when the run is.
///
///     ██████████▌           214/500  43 %  22/s  13 s left  report.pdf
enum ProgressBar {
    /// Draws the line anew for each event until the run's last.
    static func show(_ events: AsyncStream<ProgressEvent>) async {
        for await event in events {
            switch event {
            case .advanced(let progress): await StatusLine.show(line(progress))
            case .finished: return await StatusLine.show("")
            case .waiting(_, let process): await StatusLine.show("waiting for another run, process \(process)\n")
            case .started, .item, .unchanged, .moved, .removed, .watching, .copy, .notice: continue
            }
        }
    }

    private static func line(_ progress: RunProgress) -> String {
        var share: Double?
        var numbers: [String] = []
        if progress.foundAll {
            let done = progress.found > 0 ? Double(progress.done) / Double(progress.found) : 0
            share = done
            numbers += ["\(progress.done)/\(progress.found)", "\(Int(done * 100)) %"]
        } else {
            // The walk goes on: a share of an unknown whole would only jump.
            numbers += ["\(progress.done) done", "\(progress.found) found so far"]
        }
        if progress.rate > 0 { numbers.append("\(Quantity.decimal(progress.rate, progress.rate < 10 ? 1 : 0))/s") }
        if let left = progress.secondsLeft, left >= 1 { numbers.append("\(Quantity.seconds(left)) left") }
        return StatusLine.text(share: share, numbers, current: progress.current)
    }
}
