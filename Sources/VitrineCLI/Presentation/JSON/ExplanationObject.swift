import PluginHost
import PreviewCache
import RangeReading
import Vitrine
import VitrineKit

/// How an item gets its preview as `explain --json` tells it, without the details of it; `docs/json.md` describes it.
struct ExplanationObject: Encodable {
    var uri: String
    var bytes: Int64?
    var type: String?
    var evidence: String?
    private var renderers: [Candidate]
    var switchedOff: String?
    private var cache: [CacheEntry]
    private var remembered: Reason?
    var packed: String?
    private var refused: [Reason]?
    var outcome: String
    var renderer: String?
    var embedded: String?
    var code: String?
    var reason: String?
    var pages: Int?
    var originalWidth: Int?
    var originalHeight: Int?
    var duration: Double?
    var title: String?
    var storage: StorageObject?
    var archive: ArchiveObject?
    var requests: Int?
    var bytesRead: Int64?
    private var times: Times

    enum CodingKeys: String, CodingKey, CaseIterable {
        case uri, bytes, type, evidence, renderers, switchedOff, cache, remembered, packed, refused, outcome, renderer
        case embedded, code, reason, pages, originalWidth, originalHeight, duration, title, storage, archive, requests
        case bytesRead, times
    }

    init(_ explanation: Explanation) {
        let report = explanation.report
        uri = explanation.uri
        bytes = explanation.entry.size
        type = explanation.type?.mimeType
        evidence = explanation.type?.found.rawValue
        renderers = explanation.candidates.map(Candidate.init)
        switchedOff = explanation.switchedOff
        cache = explanation.cached.map(CacheEntry.init)
        remembered = explanation.remembered.map {
            Reason(renderer: $0.renderer, code: $0.code.rawValue, reason: $0.message)
        }
        packed = report.packed?.mimeType
        if !report.refusals.isEmpty {
            refused = report.refusals.map {
                Reason(renderer: $0.renderer.id, code: $0.reason?.code.rawValue, reason: $0.reason?.message)
            }
        }
        renderer = report.renderer?.id
        embedded = report.embedded
        switch report.outcome {
        case .made, .valid, .planned: outcome = "made"
        case .skipped(let error): (outcome, code, reason) = ("skipped", error.code.rawValue, error.message)
        case .failed(let error, _): (outcome, code, reason) = ("failed", error.code.rawValue, error.message)
        }
        pages = report.facts.pages
        originalWidth = report.facts.size?.width
        originalHeight = report.facts.size?.height
        duration = report.facts.duration
        title = report.facts.title
        storage = explanation.storage.map(StorageObject.init)
        archive = explanation.archive.map(ArchiveObject.init)
        requests = report.traffic?.requests
        bytesRead = report.traffic?.bytes
        times = Times(report.times)
    }
}

/// A renderer that could draw the item.
private struct Candidate: Encodable {
    var id: String
    var version: String
    var priority: Int
    var foreign: Bool?

    init(_ candidate: Explanation.Candidate) {
        (id, version, priority) = (candidate.name.id, candidate.name.version, candidate.priority)
        foreign = candidate.isForeign ? true : nil
    }
}

private struct CacheEntry: Encodable {
    var size: String
    var state: String
    var path: String?

    init(_ entry: Explanation.CacheEntry) {
        size = entry.size.description
        switch entry.state {
        case .valid(let path): (state, self.path) = ("valid", path)
        case .stale(let path): (state, self.path) = ("stale", path)
        case .absent: state = "absent"
        }
    }
}

/// Who drew nothing, and why.
private struct Reason: Encodable {
    var renderer: String
    var code: String?
    var reason: String?
}

/// Milliseconds of each stage.
private struct Times: Encodable {
    var lookup: Double
    var sniff: Double
    var wait: Double
    var start: Double
    var read: Double
    var render: Double
    var encode: Double
    var store: Double
    var total: Double

    init(_ times: StageTimes) {
        (lookup, sniff, wait) = (times.lookup.milliseconds, times.sniff.milliseconds, times.wait.milliseconds)
        (start, read, render) = (times.start.milliseconds, times.read.milliseconds, times.render.milliseconds)
        (encode, store, total) = (times.encode.milliseconds, times.store.milliseconds, times.total.milliseconds)
    }
}
