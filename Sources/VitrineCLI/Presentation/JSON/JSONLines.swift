import Glibc
import PluginHost
import PreviewCache
import Timing
import Vitrine
import VitrineKit

/// Progress for programs: one JSON object a line on standard output, as `docs/progress-json.md` describes.
enum JSONLines {
    /// Writes each event until the last of the run, or of the copying.
    /// - Returns: whether everything could be written.
    static func show(_ events: some AsyncSequence<ProgressEvent, Never>) async -> Bool {
        for await event in events {
            guard let line = line(event) else { continue }
            guard await Console.writeAside(line + "\n", to: STDOUT_FILENO) else { return false }
            switch event {
            case .finished, .copy(.finished): return true
            default: continue
            }
        }
        return true
    }

    /// The line of an event.
    static func line(_ event: ProgressEvent) -> String? {
        switch event {
        case .started(let sources): try? JSONText.line(Started(sources: sources))
        case .waiting(let source, let process): try? JSONText.line(Waiting(source: source, process: process))
        case .advanced(let progress): try? JSONText.line(Advanced(progress))
        case .item(let report): try? JSONText.line(ItemLine(report))
        case .removed(let uri, _): try? JSONText.line(Removed(uri: uri))
        case .moved(let old, let uri, _): try? JSONText.line(Moved(uri: uri, from: old))
        case .unchanged(let folder): try? JSONText.line(Unchanged(folder))
        case .watching(let state): try? JSONText.line(Watching(state))
        case .notice(let source, let text): try? JSONText.line(Notice(source: source, text: text))
        case .copy(let event): CopyJSONLines.line(event)
        case .finished(let summary): try? JSONText.line(Finished(summary))
        }
    }

    private struct Started: Encodable {
        var event = "started"
        var sources: [String]
    }

    private struct Waiting: Encodable {
        var event = "waiting"
        var source: String
        var process: Int32
    }

    private struct Advanced: Encodable {
        var event = "progress"
        var done: Int
        var found: Int
        var foundAll: Bool
        var bytes: Int64
        var rate: Double
        var secondsLeft: Double?
        var current: String?

        init(_ progress: RunProgress) {
            done = progress.done
            found = progress.found
            foundAll = progress.foundAll
            bytes = progress.bytes
            rate = (progress.rate * 100).rounded() / 100
            secondsLeft = progress.secondsLeft.map { ($0 * 10).rounded() / 10 }
            current = progress.current
        }
    }

    private struct Removed: Encodable {
        var event = "removed"
        var uri: String
    }

    private struct Moved: Encodable {
        var event = "moved"
        var uri: String
        var from: String
    }

    private struct Unchanged: Encodable {
        var event = "unchanged"
        var uri: String
        var valid: Int
        var skipped: Int

        init(_ folder: UnchangedFolder) {
            uri = folder.uri
            valid = folder.valid
            skipped = folder.skipped
        }
    }

    private struct Watching: Encodable {
        var event = "watching"
        var folders: Int
        var polled: Int
        var absent: Int

        init(_ state: WatchState) { (folders, polled, absent) = (state.folders, state.polled, state.absent) }
    }

    private struct Notice: Encodable {
        var event = "notice"
        var source: String
        var text: String
    }

    private struct ItemLine: Encodable {
        var event = "item"
        var uri: String
        var outcome: String
        var bytes: Int64?
        var type: String?
        var renderer: String?
        var code: String?
        var reason: String?
        var remembered: Bool?
        var previews: [String: String]?
        var pages: Int?
        var width: Int?
        var height: Int?
        var duration: Double?
        var title: String?
        var thumbhash: String?
        var requests: Int?
        var bytesRead: Int64?
        var milliseconds: Double

        init(_ report: ItemReport) {
            uri = report.uri
            bytes = report.bytes
            type = report.type?.mimeType
            renderer = report.renderer?.id
            pages = report.facts.pages
            width = report.facts.size?.width
            height = report.facts.size?.height
            duration = report.facts.duration
            title = report.facts.title
            thumbhash = report.placeholder
            requests = report.traffic?.requests
            bytesRead = report.traffic?.bytes
            milliseconds = (report.times.total.inSeconds * 1e6).rounded() / 1000
            switch report.outcome {
            case .made(let made):
                outcome = "made"
                previews = Self.paths(made)
            case .valid(let valid):
                outcome = "valid"
                previews = Self.paths(valid)
            case .planned: outcome = "planned"
            case .skipped(let error):
                outcome = "skipped"
                (code, reason) = (error.code.rawValue, error.message)
            case .failed(let error, let known):
                outcome = "failed"
                (code, reason) = (error.code.rawValue, error.message)
                remembered = known
            }
        }

        private static func paths(_ previews: [Preview]) -> [String: String] {
            Dictionary(previews.map { ($0.size.description, $0.path) }) { first, _ in first }
        }
    }

    private struct Finished: Encodable {
        var event = "finished"
        var made: Int
        var valid: Int
        var failed: Int
        var skipped: Int
        var planned: Int
        var found: Int
        var bytes: Int64
        var requests: Int
        var bytesRead: Int64
        var seconds: Double
        var interrupted: Bool
        var stopped: String?
        var joined: Int32?
        var failedSources: [FailedSource]

        struct FailedSource: Encodable {
            var uri: String
            var code: String
            var reason: String
        }

        init(_ summary: RunSummary) {
            made = summary.total.made
            valid = summary.total.valid
            failed = summary.total.failed
            skipped = summary.skipped
            planned = summary.total.planned
            found = summary.found
            bytes = summary.bytes
            requests = summary.traffic.requests
            bytesRead = summary.traffic.bytes
            seconds = (summary.seconds * 1000).rounded() / 1000
            interrupted = summary.wasInterrupted
            stopped = summary.stopped?.message
            joined = summary.joined
            failedSources = summary.failedSources.map {
                FailedSource(uri: $0.uri, code: $0.error.code.rawValue, reason: $0.error.message)
            }
        }
    }
}
