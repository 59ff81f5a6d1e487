import PreviewCache
import Vitrine
import VitrineKit

/// One run of the engine over all files, to learn which it can draw, with what, and where its time goes.
struct Survey {
    /// Files by what became of them, of one renderer.
    struct Result {
        var made: [String] = []
        var failed: [String] = []
        var times: [StageTimes] = []
    }

    /// By renderer id.
    private(set) var results: [String: Result] = [:]

    /// Renders every file in a folder with the engine in this process.
    /// - Parameters:
    ///   - folder: holds the files, all in itself.
    ///   - cache: a folder for the previews.
    init(_ folder: String, cache: String, options: BenchOptions) async throws(PluginError) {
        var configuration = try PipelineConfiguration.standard()
        configuration.cache = try .standard(environment: ["XDG_CACHE_HOME": cache])
        configuration.jobs = options.jobs ?? configuration.jobs
        let pipeline = try PreviewPipeline(configuration)
        let events = pipeline.progress(buffer: 1 << 20)
        let source = try pipeline.source(Array(folder.utf8), workingFolder: [UInt8(ascii: "/")])
        _ = await pipeline.prebuild([source], PrebuildOptions(sizes: [try PreviewSize(pixels: options.box)]))
        for await event in events {
            if case .item(let report) = event { count(report, folder) }
            if case .finished = event { break }
        }
        await pipeline.end()
    }

    private mutating func count(_ report: ItemReport, _ folder: String) {
        guard let renderer = report.renderer?.id, let name = report.uri.split(separator: "/").last else { return }
        let path = "\(folder)/\(name)"
        switch report.outcome {
        case .made:
            results[renderer, default: Result()].made.append(path)
            results[renderer, default: Result()].times.append(report.times)
        case .failed: results[renderer, default: Result()].failed.append(path)
        case .valid, .planned, .skipped: break
        }
    }
}
