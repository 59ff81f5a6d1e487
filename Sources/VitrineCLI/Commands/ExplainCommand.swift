import Glibc
import PluginHost
import PreviewCache
import Timing
import Vitrine
import VitrineKit

/// `vitrine explain`
enum ExplainCommand: Command {
    static let name = "explain"
    static let summary = "Say how a file gets its preview, or why it gets none, and what its storage is asked for."
    static let usage = "FILE|URI [OPTIONS]"
    static let details = """
        Renders the file once to see what happens, and keeps nothing of it. A folder of a server or of an archive is
        listed instead, one level of it, to see what that costs.
        """
    static let options = [
        SizeOption.several, EmbeddedOption.specification, ReadLimitOption.specification, PasswordOptions.command,
        JSONOption.object,
    ]

    /// What there is to say.
    private enum Answer {
        case item(Explanation)
        case folder(FolderExplanation)
    }

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        let sizes = try SizeOption.sizes(arguments)
        let embedded = try EmbeddedOption.use(arguments)
        let limits = try ReadLimitOption.limits(arguments)
        let pipeline = try CommandContext.pipeline(jobs: 1, mayLackCache: true) { settings throws(PluginError) in
            try PasswordOptions.apply(arguments, to: &settings)
        }
        let source = try CommandContext.file(arguments, pipeline)
        let work = InterruptibleWork { () -> Result<Answer, PluginError> in
            do throws(PluginError) {
                if source.isFolderOfServer || source.isWholeArchive {
                    return .success(.folder(try await pipeline.explain(folder: source)))
                }
                return .success(
                    .item(try await pipeline.explain(source, sizes: sizes, limits: limits, embedded: embedded)))
            } catch {
                guard error.code == .notAFile, source.scheme != "file" else { return .failure(error) }
            }
            // What looked like a file is a folder.
            do throws(PluginError) { return .success(.folder(try await pipeline.explain(folder: source))) } catch {
                return .failure(error)
            }
        }
        let result = await work.value
        await pipeline.end()
        await WorkerNotice.show(pipeline)
        switch (try result.get(), JSONOption.isGiven(arguments)) {
        case (.item(let explanation), true):
            try JSONText.show(
                DetailedObject(
                    ExplanationObject(explanation), keys: ExplanationObject.CodingKeys.self, explanation.report.facts))
        case (.folder(let explanation), true): try JSONText.show(FolderExplanationObject(explanation))
        case (.item(let explanation), false): LabelledRows(rows: rows(explanation, pipeline)).show()
        case (.folder(let explanation), false): LabelledRows(rows: rows(explanation)).show()
        }
        return ExitCode.done
    }

    static func rows(_ explanation: Explanation, _ pipeline: PreviewPipeline) -> [(String, String)] {
        let report = explanation.report
        var rows = [("file", ItemName.long(explanation.uri)), ("uri", explanation.uri)]
        if let storage = explanation.storage { rows += Self.rows(storage, "found for", "asked then") }
        if let archive = explanation.archive { rows += Self.rows(archive) }
        if let size = explanation.entry.size { rows.append(("size", Quantity.bytes(size))) }
        if let type = explanation.type {
            rows.append(("type", "\(type.mimeType), \(evidence(type.found))"))
        } else {
            rows.append(("type", "unknown: it could not be read"))
        }
        if explanation.candidates.isEmpty, explanation.type != nil {
            let why =
                switch (explanation.entry.size, explanation.switchedOff) {
                case (0, _): "the file is empty"
                case (_, let plugin?): "plugin '\(plugin)' would draw it, but is switched off in the settings"
                case (_, nil): "no plugin serves this type"
                }
            rows.append(("renderer", "none: \(why)"))
        }
        for (index, candidate) in explanation.candidates.enumerated() {
            let name = "\(candidate.name.id) \(candidate.name.version)"
            let why =
                candidate.isForeign
                ? "a thumbnailer of another project, the last resort"
                : "priority \(candidate.priority), "
                    + (index == 0 ? "asked first" : "asked when those before fail")
            rows.append((index == 0 ? "renderer" : "", "\(name), \(why)"))
        }
        for (index, entry) in explanation.cached.enumerated() {
            rows.append((index == 0 ? "cache" : "", "\(entry.size): \(state(entry.state))"))
        }
        if let remembered = explanation.remembered {
            rows.append(("", "failure of an earlier run, by \(remembered.renderer): \(remembered.message)"))
        }
        if let packed = report.packed { rows.append(("packed", "\(packed.mimeType), drawn as if it were not packed")) }
        for (index, refusal) in report.refusals.enumerated() {
            let why = refusal.reason.map { "(\($0.code.rawValue)): \($0.message)" } ?? "drew nothing that could be seen"
            rows.append((index == 0 ? "refused" : "", "\(refusal.renderer.id) \(why)"))
        }
        rows.append(("result", outcome(report, pipeline)))
        rows += FactRows.rows(report.facts)
        if let traffic = report.traffic { rows.append(("read", ReadTraffic.text(traffic, of: report.bytes))) }
        rows.append(("time", times(report.times)))
        return rows.map { ($0.0, DisplayText.of($0.1)) }
    }

    static func rows(_ explanation: FolderExplanation) -> [(String, String)] {
        var rows = [("folder", ItemName.long(explanation.uri)), ("uri", explanation.uri)]
        if let storage = explanation.storage { rows += Self.rows(storage, "connected for", "listed for") }
        if let archive = explanation.archive { rows += Self.rows(archive) }
        let kinds: [(Entry.Kind, String)] = [
            (.file, "file"), (.folder, "folder"), (.link, "link"), (.special, "other"),
        ]
        let counts = kinds.compactMap { kind, name in
            explanation.counts[kind].map { Quantity.count($0, name) }
        }
        rows.append(("holds", counts.isEmpty ? "nothing" : counts.joined(separator: ", ")))
        for omission in explanation.omissions { rows.append(("", omission.message)) }
        rows.append(("time", "\(milliseconds(explanation.time)) ms to list it"))
        return rows.map { ($0.0, DisplayText.of($0.1)) }
    }

    private static func rows(
        _ storage: ExplainedStorage, _ first: String, _ then: String
    ) -> [(String, String)] {
        let backend = "\(storage.backend.id) \(storage.backend.version)"
        return [
            ("storage", "\(backend), \(first) \(ReadTraffic.text(storage.found))"),
            ("", "\(then) \(ReadTraffic.text(storage.afterwards))"),
        ]
    }

    private static func rows(_ archive: ExplainedArchive) -> [(String, String)] {
        let way = archive.isSequential ? "gone through to reach one" : "each read from its own place"
        var text = "\(archive.members) members, \(way), by \(archive.reader.id) \(archive.reader.version)"
        if archive.refused > 0 { text += "; \(archive.refused) left out for their names" }
        var rows = [("archive", text)]
        if let failure = archive.failure { rows.append(("", "its list is not complete: \(failure.message)")) }
        if let traffic = archive.traffic { rows.append(("", "listed for " + ReadTraffic.text(traffic, of: nil))) }
        return rows
    }

    private static func evidence(_ evidence: SniffedType.Evidence) -> String {
        switch evidence {
        case .magic: "by a plugin's magic bytes"
        case .content: "by its content, with shared-mime-info"
        case .name: "by its name"
        }
    }

    private static func state(_ state: PreviewCache.State) -> String {
        switch state {
        case .valid(let path): "valid, \(path)"
        case .stale(let path): "out of date, \(path)"
        case .absent: "absent"
        }
    }

    private static func outcome(_ report: ItemReport, _ pipeline: PreviewPipeline) -> String {
        switch report.outcome {
        case .made, .valid:
            "rendered by \(report.renderer?.id ?? "nobody")"
                + (report.embedded.map { ", which took the \($0) inside the file" } ?? "")
                + (report.isUnlocked ? ", with a password" : "")
        case .planned: "would be rendered"
        case .skipped(let error): "skipped (\(error.code.rawValue)): \(error.message)"
        case .failed(let error, _):
            "failed (\(error.code.rawValue)): \(error.message)\(PasswordOptions.hint(of: error, pipeline))"
        }
    }

    private static func times(_ times: StageTimes) -> String {
        let stages = [
            ("lookup", times.lookup), ("sniff", times.sniff), ("wait", times.wait), ("worker start", times.start),
            ("read", times.read), ("render", times.render), ("scale and encode", times.encode), ("store", times.store),
        ]
        let parts = stages.map { "\($0.0) \(milliseconds($0.1))" }
        return "\(milliseconds(times.total)) ms in all: " + parts.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String { Quantity.decimal(duration.inSeconds * 1000, 2) }
}

extension SourceURI {
    /// Whether it can only be a folder: what has no name, or a slash behind it.
    fileprivate var isFolderOfServer: Bool {
        scheme != "file" && scheme != "archive" && (path.isEmpty || path.last == UInt8(ascii: "/"))
    }
}
