import Catalog
public import Finishing
import PreviewCache
import VitrineKit
import Workers

extension PreviewPipeline {
    /// Looks at what a run has made of folders. Nothing is rendered: what has no valid preview is without picture.
    /// - Parameters:
    ///   - sources: those of the run.
    ///   - options: those of the run; the picture shown is the smallest of its sizes with 256 pixels or more, or the
    ///     largest.
    ///   - summary: of the run, which knows the reasons of failures that are not remembered.
    ///   - format: what ``Survey/Entry/picture`` shall be, WebP or PNG. Previews that are no PNG themselves stay as they
    ///     are, and as large.
    public func survey(
        _ sources: [RunSource], _ options: PrebuildOptions, _ summary: RunSummary, as format: PictureFormat = .webp
    ) async -> Survey {
        var options = options
        let sizes = options.sizes.sorted()
        options.sizes = [sizes.first { $0 >= .large } ?? sizes.last ?? .large]
        (options.force, options.isDryRun) = (false, true)
        let events = progress(of: .everything, buffer: 1 << 16)
        let names = Set(sources.map(\.uri.text))
        let reasons = Dictionary(summary.failures.map { ($0.uri, $0.error) }) { first, _ in first }
        let listener = Task { () -> Survey in
            var survey = Survey()
            for await event in events {
                // Another run of the same pipeline may end meanwhile.
                if case .finished(let end) = event, Set(end.sources) == names { break }
                guard case .item(let report) = event else { continue }
                guard let entry = Self.entry(report, reasons) else {
                    survey.noteOther(report)
                    continue
                }
                if survey.entries.count < Survey.mostEntries {
                    survey.entries.append(entry)
                } else {
                    survey.omitted += 1
                }
            }
            return survey
        }
        _ = await prebuild(sources, options)
        var survey = await listener.value
        let catalog = try? desk.catalog()
        let roots = ((try? catalog?.sources()) ?? []).compactMap { record in
            (try? SourceURI(record.uri)).map { (uri: $0, record: record) }
        }
        for index in survey.entries.indices {
            guard let path = survey.entries[index].path, let details = cache.details(ofEntry: path) else { continue }
            survey.entries[index].facts = details.facts
            guard let uri = try? SourceURI(survey.entries[index].uri) else { continue }
            // Who drew it knows best what it is: several renderers may be asked for files of one type.
            let titles = roots.lazy.compactMap { root in
                uri.path(below: root.uri).flatMap { try? catalog?.title(of: $0, in: root.record) }
            }
            if let kind = titles.first ?? kind(of: uri, details.mimeType) { survey.entries[index].kind = kind }
        }
        survey.entries = Self.sorted(survey.entries)
        survey.others = Self.sorted(survey.others)
        await addPictures(to: &survey, options, as: format)
        return survey
    }

    /// What people call files of a type. What a file is counts, whatever its name says.
    private func kind(of uri: SourceURI, _ type: String?) -> String? {
        let name = Array(uri.path.split(separator: UInt8(ascii: "/")).last ?? [])
        return type.flatMap { likelyRenderer(of: $0, named: name, in: uri.scheme) }?.manifest.name
    }

    private static func entry(_ report: ItemReport, _ reasons: [String: PluginError]) -> Survey.Entry? {
        var entry = Survey.Entry(
            uri: report.uri, source: report.source, kind: report.renderer?.title ?? "Other files", bytes: report.bytes)
        switch report.outcome {
        case .skipped: return nil
        case .made(let previews), .valid(let previews): entry.path = previews.first?.path
        case .planned: entry.failure = reasons[report.uri] ?? PluginError(.notFound, "there is no preview yet")
        case .failed(let error, _): entry.failure = error
        }
        return entry
    }

    /// Sources and folders by their names, and in each one kind after the other, all as file managers sort names.
    private static func sorted(_ entries: [Survey.Entry]) -> [Survey.Entry] {
        var known: [Substring: [[UInt8]]] = [:]
        // The URI behind the key keeps apart what has the same key, such as folders that differ in case.
        func keys(_ place: Substring) -> [[UInt8]] {
            if let keys = known[place] { return keys }
            let keys = [FileNameOrder.pathKey(String(place)), Array(place.utf8)]
            known[place] = keys
            return keys
        }
        let keyed = entries.map { entry in
            let folder = entry.uri[..<(entry.uri.lastIndex(of: "/") ?? entry.uri.startIndex)]
            let name = [Array(entry.kind.utf8), FileNameOrder.key(entry.uri), Array(entry.uri.utf8)]
            return (keys: keys(entry.source[...]) + keys(folder) + name, entry: entry)
        }
        return keyed.sorted { one, other in
            one.keys.lexicographicallyPrecedes(other.keys) { $0.lexicographicallyPrecedes($1) }
        }.map(\.entry)
    }

    private func addPictures(
        to survey: inout Survey, _ options: PrebuildOptions, as format: PictureFormat
    ) async {
        let most = format == .png ? Survey.mostPlainBytes : Survey.mostBytes
        var bytes = 0
        for index in survey.entries.indices {
            guard let path = survey.entries[index].path else { continue }
            guard bytes < most, !Task.isCancelled else {
                survey.withoutPicture += 1
                continue
            }
            guard let (picture, format) = await picture(at: path, options, as: format) else { continue }
            survey.entries[index].picture = picture
            survey.entries[index].format = format
            survey.entries[index].pixels = EntryFile.size(of: picture, format)
            bytes += picture.count
        }
    }

    /// The picture of an entry for a sheet: small, and of the wanted format where the entry is a PNG.
    private func picture(
        at path: String, _ options: PrebuildOptions, as format: PictureFormat
    ) async -> ([UInt8], PictureFormat)? {
        guard let entry = try? EntryFile.read(path) else { return nil }
        guard options.finish.format == .png else { return (EntryTail.withoutKeys(entry), options.finish.format) }
        // What is drawn on a sheet is made smaller there.
        if format == .png, options.sizes[0] <= .xLarge { return (entry, .png) }
        var finish = Finish()
        finish.format = format
        if format != .png { finish.quality = 76 }
        let box = min(options.sizes[0].pixels, 320)
        let result = try? await self.finish(FinishingJob(previews: [entry], box: box, finish: finish))
        return result?.pictures.first.map { ($0.png, format) }
    }
}
