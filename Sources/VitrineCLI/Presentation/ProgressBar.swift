import Glibc
import Vitrine
import VitrineKit

/// One line on the terminal that says how far a run has come.
///
///     ██████████▌           214/500  43 %  22/s  13 s left  report.pdf
///
/// It is drawn on standard error, so that standard output can be piped, and is gone when the run is.
struct ProgressBar {
    private static let clear = "\r\u{1B}[K"
    private static let barWidth = 22

    /// Draws the line anew for each event until the run's last.
    func show(_ events: AsyncStream<ProgressEvent>) async {
        for await event in events {
            switch event {
            case .advanced(let progress):
                _ = await Console.writeAside(Self.clear + line(progress), to: STDERR_FILENO)
            case .finished:
                _ = await Console.writeAside(Self.clear, to: STDERR_FILENO)
                return
            case .waiting(_, let process):
                let line = "waiting for another run, process \(process)\n"
                _ = await Console.writeAside(Self.clear + line, to: STDERR_FILENO)
            case .started, .item, .unchanged, .moved, .removed, .watching, .copy, .notice: continue
            }
        }
    }

    func line(_ progress: RunProgress, width: Int = Console.width) -> String {
        let share = progress.found > 0 ? Double(progress.done) / Double(progress.found) : 0
        var parts: [String] = []
        if progress.foundAll {
            parts.append(Self.bar(share))
            parts.append("\(progress.done)/\(progress.found)")
            parts.append("\(Int(share * 100)) %")
        } else {
            // The walk goes on: a share of an unknown whole would only jump.
            parts.append("\(progress.done) done, \(progress.found) found so far")
        }
        if progress.rate > 0 { parts.append("\(Quantity.decimal(progress.rate, progress.rate < 10 ? 1 : 0))/s") }
        if let left = progress.secondsLeft, left >= 1 { parts.append("\(Quantity.seconds(left)) left") }
        let text = parts.joined(separator: "  ")
        let room = width - 1 - text.columns - 2
        guard let current = progress.current, room >= 8 else { return text.shortened(to: max(1, width - 1)) }
        return text + "  " + ItemName.short(current).shortened(to: room)
    }

    static func bar(_ share: Double) -> String {
        let eighths = Int((share * Double(barWidth * 8)).rounded(.down))
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return (String(repeating: "█", count: eighths / 8) + partial).padded(to: barWidth)
    }
}
