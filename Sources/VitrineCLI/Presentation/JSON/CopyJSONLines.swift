import Vitrine
import VitrineKit

/// Progress of copying for programs: one JSON object a line on standard output, as `docs/copying.md` describes.
enum CopyJSONLines {
    /// The line of an event.
    static func line(_ event: CopyEvent) -> String? {
        switch event {
        case .started(let destination, let sources):
            try? JSONText.line(Started(destination: destination, sources: sources))
        case .advanced(let progress): try? JSONText.line(Advanced(progress))
        case .file(let file):
            try? JSONText.line(FileLine(from: file.from, uri: file.uri, bytes: file.bytes, size: file.size))
        case .item(let report): try? JSONText.line(ItemLine(report))
        case .finished(let summary): try? JSONText.line(Finished(summary))
        }
    }

    private struct Started: Encodable {
        var event = "started"
        var destination: String
        var sources: [String]
    }

    private struct Advanced: Encodable {
        var event = "progress"
        var done: Int
        var found: Int
        var foundAll: Bool
        var bytes: Int64
        var size: Int64
        var rate: Double
        var secondsLeft: Double?
        var current: String?

        init(_ progress: CopyProgress) {
            done = progress.done
            found = progress.found
            foundAll = progress.foundAll
            bytes = progress.bytes
            size = progress.size
            rate = progress.rate.rounded()
            secondsLeft = progress.secondsLeft.map { ($0 * 10).rounded() / 10 }
            current = progress.current
        }
    }

    private struct FileLine: Encodable {
        var event = "file"
        var from: String
        var uri: String
        var bytes: Int64
        var size: Int64?
    }

    private struct ItemLine: Encodable {
        var event = "item"
        var from: String
        var uri: String?
        var state: String
        var size: Int64?
        var reused: Int64?
        var checksum: String?
        var code: String?
        var reason: String?

        init(_ report: CopyReport) {
            from = report.from
            size = report.size
            checksum = report.checksum?.description
            switch report.outcome {
            case .copied(let count):
                (state, uri, reused) = ("copied", report.uri, count)
            case .present: (state, uri) = ("present", report.uri)
            case .skipped(let error): (state, code, reason) = ("skipped", error.code.rawValue, error.message)
            case .failed(let error): (state, code, reason) = ("failed", error.code.rawValue, error.message)
            }
        }
    }

    private struct Finished: Encodable {
        var event = "finished"
        var destination: String
        var copied: Int
        var bytes: Int64
        var reused: Int64
        var present: Int
        var folders: Int
        var skipped: Int
        var failed: Int
        var left: Int
        var seconds: Double
        var complete: Bool
        var interrupted: Bool
        var stopped: String?

        init(_ summary: CopySummary) {
            destination = summary.destination
            copied = summary.copied
            bytes = summary.bytes
            reused = summary.reused
            present = summary.present
            folders = summary.folders
            skipped = summary.skipped
            failed = summary.failed
            left = summary.left
            seconds = (summary.seconds * 1000).rounded() / 1000
            complete = summary.isComplete
            interrupted = summary.wasInterrupted
            stopped = summary.stopped?.message
        }
    }
}
