import Vitrine
import VitrineKit

/// What was copied, in words.
enum CopyText {
    /// One or two lines that leave nothing out.
    static func summary(_ summary: CopySummary) -> String {
        var parts = ["\(Quantity.count(summary.copied, "file")) copied, \(Quantity.bytes(summary.bytes))"]
        if summary.reused > 0 { parts.append("of which \(Quantity.bytes(summary.reused)) were there from before") }
        if summary.folders > 0 { parts.append("\(Quantity.count(summary.folders, "folder")) made") }
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
}
