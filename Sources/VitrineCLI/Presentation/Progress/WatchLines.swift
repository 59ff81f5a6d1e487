import Glibc
import Vitrine
import VitrineKit

/// What a watch does, a line for each thing that happens, on standard output.
///
///     made     /home/a/Documents/report.pdf
///     failed   /home/a/Documents/broken.pdf: it is damaged
///     moved    /home/a/Documents/draft.odt to /home/a/Documents/final.odt
///     removed  /home/a/Documents/old.pdf
///     watching 812 folders of 2 sources
struct WatchLines {
    /// Writes until the run's last event.
    /// - Returns: whether everything could be written.
    func show(_ events: AsyncStream<ProgressEvent>) async -> Bool {
        for await event in events {
            if let line = Self.line(event) {
                guard await Console.writeAside(line + "\n", to: STDOUT_FILENO) else { return false }
            }
            if case .finished = event { return true }
        }
        return true
    }

    /// The line of an event; `nil` for what nobody needs to know.
    static func line(_ event: ProgressEvent) -> String? {
        switch event {
        case .item(let report):
            switch report.outcome {
            case .made: return "made     \(ItemName.long(report.uri))"
            case .failed(let error, let isRemembered):
                // It is gone, is looked at again, or was told in an earlier run.
                let isNoise = [.notFound, .changed, .cancelled].contains(error.code) || isRemembered
                return isNoise ? nil : "failed   \(ItemName.reason(report.uri, error))"
            case .valid, .skipped, .planned: return nil
            }
        case .removed(let uri, _): return "removed  \(ItemName.long(uri))"
        case .watching(let state): return "watching \(text(state))"
        case .notice(_, let text): return "notice   \(DisplayText.of(text))"
        case .moved(let old, let uri, _): return "moved    \(ItemName.long(old)) to \(ItemName.long(uri))"
        case .started, .waiting, .advanced, .unchanged, .copy, .finished: return nil
        }
    }

    /// What is watched, in words.
    static func text(_ state: WatchState) -> String {
        var text = "\(Quantity.count(state.folders, "folder")) of \(Quantity.count(state.sources.count, "source"))"
        if state.polled > 0 { text += "; \(state.polled) looked at from time to time" }
        if state.absent > 0 { text += "; \(Quantity.count(state.absent, "source")) not there" }
        return text
    }
}
