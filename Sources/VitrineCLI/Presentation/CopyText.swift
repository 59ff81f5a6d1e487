import Vitrine
import VitrineKit

/// What was copied, in words.
enum CopyText {
    /// One or two lines that leave nothing out.
    static func summary(_ summary: CopySummary) -> String {
        var parts = ["\(files(summary.copied)) copied, \(Quantity.bytes(summary.bytes))"]
        if summary.reused > 0 { parts.append("of which \(Quantity.bytes(summary.reused)) were there from before") }
        if summary.folders > 0 { parts.append("\(summary.folders) folder\(summary.folders == 1 ? "" : "s") made") }
        if summary.present > 0 { parts.append("\(summary.present) there already") }
        if summary.skipped > 0 { parts.append("\(summary.skipped) left out") }
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        if summary.left > 0 { parts.append("\(summary.left) of those found not copied") }
        var text = parts.joined(separator: "; ") + "; in \(Quantity.seconds(summary.seconds))"
        if let stopped = summary.stopped {
            text += "\nstopped before everything was tried: \(DisplayText.of(stopped.message))"
        }
        if summary.wasInterrupted {
            text += "\nstopped before everything was tried; the same command goes on from here"
        }
        return text
    }

    private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
}
