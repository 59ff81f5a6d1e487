import Glibc
import Vitrine
import VitrineKit

/// One line on the terminal that says how far copying has come.
///
///     ██████████▌           21/50 files  120 MB of 280 MB  43 %  32 MB/s  5.0 s left  film.mp4
///
/// It is drawn on standard error, and is gone when copying has ended.
enum CopyBar {
    /// Empties the line that the bar is drawn on.
    private static let clear = "\r\u{1B}[K"

    /// Draws the line anew for each event until the last.
    static func show(_ events: AsyncStream<ProgressEvent>) async {
        for await event in events {
            guard case .copy(let event) = event else { continue }
            switch event {
            case .advanced(let progress):
                _ = await Console.writeAside(clear + line(progress), to: STDERR_FILENO)
            case .finished:
                _ = await Console.writeAside(clear, to: STDERR_FILENO)
                return
            case .started, .file, .item: continue
            }
        }
    }

    static func line(_ progress: CopyProgress, width: Int = Console.width) -> String {
        var parts: [String] = []
        if progress.foundAll {
            let share = progress.size > 0 ? min(1, Double(progress.bytes) / Double(progress.size)) : 0
            parts.append(ProgressBar.bar(share))
            parts.append("\(progress.done)/\(progress.found) files")
            parts.append("\(Quantity.bytes(progress.bytes)) of \(Quantity.bytes(progress.size))")
            parts.append("\(Int(share * 100)) %")
        } else {
            parts.append("\(progress.done) files done, \(progress.found) found so far")
            parts.append(Quantity.bytes(progress.bytes))
        }
        if progress.rate >= 1 { parts.append("\(Quantity.bytes(Int64(progress.rate)))/s") }
        if let left = progress.secondsLeft, left >= 1 { parts.append("\(Quantity.seconds(left)) left") }
        let text = parts.joined(separator: "  ")
        let room = width - 1 - text.columns - 2
        guard let current = progress.current, room >= 8 else { return text.shortened(to: max(1, width - 1)) }
        return text + "  " + ItemName.short(current).shortened(to: room)
    }
}
