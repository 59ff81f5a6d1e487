import Finishing
import Glibc
import PreviewCache
public import VitrineKit
import Workers

// Pictures that are made of previews: cropped, put together, in another format. Each preview goes the way of every item;
// only then a worker that holds encoders makes the picture, and the cache keeps both.
extension PreviewPipeline {
    /// A picture of one item, made if need be.
    /// - Parameters:
    ///   - source: the item's path or URI, read by ``source(_:workingFolder:)``.
    ///   - order: what is wanted.
    /// - Throws: why there is none; `invalidArgument` for an order that cannot be met.
    public func picture(of source: SourceURI, _ order: PictureOrder) async throws(PluginError) -> FinishedPreview {
        try order.variant.finish.check()
        let location = try ItemLocation(item: source)
        if order.variant.finish.isPlain {
            let preview = try await preview(at: location, render(order, order.size, order.variant))
            return try finished(preview, order)
        }
        let settings = BackendSettings(followsLinks: true, crossesFileSystems: true)
        let storage = try await storages.storage(for: location.source, settings)
        let entry = try await order.limits.hold { () async throws(PluginError) in
            try await storage.stat(location.path)
        }
        let isFolder = entry.kind == .folder
        let subject = Subject(uri: location.uri, modified: entry.modified, size: isFolder ? nil : entry.size)
        if !order.force, order.isKept, isFolder || entry.kind == .file, try await storage.mayRead(location.path),
            case .valid(let path) = cache.lookup(
                subject, size: order.size, variant: order.variant, embedded: isFolder ? nil : order.embedded,
                marksUse: true)
        {
            let preview = Preview(uri: location.uri, size: order.size, path: path)
            return try finished(preview, order)
        }
        let parts = try await parts(of: location, order)
        let result = try await finish(parts.previews, order, labels: parts.labels)
        let details = parts.previews.first.flatMap { self.details(of: $0) }
        // What is made of a preview that is not kept is not kept either.
        var order = order
        if parts.previews.contains(where: { $0.unkept != nil }) || entry.modified == nil { order.isKept = false }
        guard let picture = result.pictures.first else { throw PluginError(.invalidAnswer, "no picture was made") }
        var subjectWithType = subject
        subjectWithType.mimeType = details?.mimeType
        let path = try await keep(picture, result.placeholder, subjectWithType, details, order)
        return FinishedPreview(
            uri: location.uri, itemSize: entry.size, size: order.size, path: order.isKept ? path : nil,
            bytes: picture.png, format: order.variant.finish.format, pixels: picture.size,
            facts: details?.facts ?? Facts(), areFactsComplete: details?.areFactsComplete ?? false,
            mimeType: details?.mimeType,
            placeholder: result.placeholder.isEmpty ? nil : Base64.text(result.placeholder))
    }

    private func render(_ order: PictureOrder, _ size: PreviewSize, _ variant: Variant) -> RenderOrder {
        var render = RenderOrder(sizes: [size], variant: variant, priority: .interactive, force: order.force)
        render.limits = order.limits
        render.embedded = order.embedded
        render.mayBeUnkept = order.mayBeUnkept
        return render
    }

    /// An entry that is there, with what it says of itself.
    private func finished(_ preview: Preview, _ order: PictureOrder) throws(PluginError) -> FinishedPreview {
        let bytes = EntryTail.withoutKeys(try preview.bytes())
        let details = details(of: preview)
        let format = order.variant.finish.format
        guard let pixels = EntryFile.size(of: bytes, format) else {
            throw PluginError(.io, "the preview '\(preview.path)' is damaged; make it anew with --force")
        }
        return FinishedPreview(
            uri: preview.uri, itemSize: details?.itemSize, size: order.size,
            path: preview.unkept == nil ? preview.path : nil,
            bytes: bytes, format: format, pixels: pixels, facts: details?.facts ?? Facts(),
            areFactsComplete: details?.areFactsComplete ?? false, mimeType: details?.mimeType,
            placeholder: details?.placeholder)
    }

    // MARK: The previews that a picture is made of

    private struct PictureParts {
        var previews: [Preview] = []
        var labels: [String] = []
    }

    private func parts(of location: ItemLocation, _ order: PictureOrder) async throws(PluginError) -> PictureParts {
        let finish = order.variant.finish
        var box = order.size.pixels
        if case .sheet(let columns, let rows, let isNumbered) = finish.arrangement {
            let geometry = SheetGeometry(box: box, columns: columns, rows: rows, isNumbered: isNumbered)
            guard let geometry else {
                throw PluginError(
                    .invalidArgument, "a sheet of \(box) pixels has no room for \(columns) × \(rows) pictures")
            }
            box = geometry.tileBox
        }
        switch finish.parts {
        case .one:
            var variant = order.variant
            variant.finish = .plain
            return PictureParts(previews: [try await part(location, order, box, variant)], labels: ["1"])
        case .pages(let pages): return try await self.pages(pages, of: location, order, box)
        case .frames(let count): return try await frames(count, of: location, order, box)
        }
    }

    private func pages(
        _ pages: ClosedRange<Int>, of location: ItemLocation, _ order: PictureOrder, _ box: Int
    ) async throws(PluginError) -> PictureParts {
        var parts = PictureParts()
        var last = pages.upperBound
        var page = pages.lowerBound
        while page <= last {
            let preview = try await part(location, order, box, try Variant(page: page))
            parts.previews.append(preview)
            parts.labels.append(String(page + 1))
            // What another program made says nothing about pages; then there is one, as far as anybody knows. Of a long
            // text later pages may know better than the first, which only has the word of the file's properties.
            let known = details(of: preview)?.facts.pages
            if known != nil || page == pages.lowerBound { last = min(pages.upperBound, (known ?? 1) - 1) }
            page += 1
        }
        return parts
    }

    private func frames(
        _ count: Int, of location: ItemLocation, _ order: PictureOrder, _ box: Int
    ) async throws(PluginError) -> PictureParts {
        var first = render(order, .large, .standard)
        var details = details(of: try await preview(at: location, first))
        if details?.isDurationExact != true, !first.force {
            // Made by another program, or by an earlier version.
            first.force = true
            details = self.details(of: try await preview(at: location, first))
        }
        guard let duration = details?.facts.duration, duration > 0 else {
            throw PluginError(
                .invalidArgument,
                "it has no duration to take frames of; --frames and --animate are for videos that say how long they last, and "
                    + "--at takes the frame of a moment of others")
        }
        let times = (0..<count).map { duration * (Double($0) + 0.5) / Double(count) }
        return PictureParts(previews: try await moments(times, of: location, order, box), labels: times.map(Self.clock))
    }

    /// The previews of moments, of which as many are made at once as there are workers: each is decoded for itself.
    private func moments(
        _ times: [Double], of location: ItemLocation, _ order: PictureOrder, _ box: Int
    ) async throws(PluginError) -> [Preview] {
        var variants: [Variant] = []
        for time in times { variants.append(try Variant(time: time)) }
        let made = await withTaskGroup(of: (index: Int, result: Result<Preview, PluginError>).self) { group in
            var waiting = Array(variants.enumerated())[...]
            func startNext() {
                guard let (index, variant) = waiting.popFirst() else { return }
                group.addTask {
                    do throws(PluginError) {
                        return (index, .success(try await self.part(location, order, box, variant)))
                    } catch { return (index, .failure(error)) }
                }
            }
            for _ in 0..<max(1, configuration.jobs) { startNext() }
            var made: [(index: Int, result: Result<Preview, PluginError>)] = []
            for await one in group {
                made.append(one)
                // Nobody needs the others.
                if case .failure = one.result { group.cancelAll() } else if !group.isCancelled { startNext() }
            }
            return made
        }
        // The first that failed is why others were cancelled.
        for one in made { _ = try one.result.get() }
        var previews: [Preview] = []
        for one in made.sorted(by: { $0.index < $1.index }) { previews.append(try one.result.get()) }
        return previews
    }

    private func part(
        _ location: ItemLocation, _ order: PictureOrder, _ box: Int, _ variant: Variant
    ) async throws(PluginError) -> Preview {
        guard order.variant.finish.fit != .contain else {
            return try await preview(at: location, render(order, try PreviewSize(pixels: box), variant))
        }
        let covering = CoveringSize(box: box, limit: PreviewSize.maximumPixels)
        let preview = try await preview(at: location, render(order, try PreviewSize(pixels: covering.first), variant))
        guard let size = EntryFile.size(of: try preview.bytes(), .png) else {
            throw PluginError(.io, "the preview '\(preview.path)' is damaged; make it anew with --force")
        }
        guard let second = covering.second(width: size.width, height: size.height) else { return preview }
        return try await self.preview(at: location, render(order, try PreviewSize(pixels: second), variant))
    }

    /// Minutes and seconds, and hours if there are any.
    private static func clock(_ time: Double) -> String {
        let seconds = Int(time)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60
        return minutes < 60
            ? "\(minutes):\(two(seconds % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
    }

    // MARK: Finishing

    private func finish(
        _ previews: [Preview], _ order: PictureOrder, labels: [String]
    ) async throws(PluginError) -> WorkerResult {
        var pictures: [[UInt8]] = []
        for preview in previews { pictures.append(try preview.bytes()) }
        var finish = order.variant.finish
        // Films look best in the dark.
        if case .frames = finish.parts, case .sheet = finish.arrangement, finish.background == nil {
            finish.background = PictureColor(0x1A, 0x1A, 0x1E)
        }
        return try await self.finish(
            FinishingJob(previews: pictures, box: order.size.pixels, finish: finish, labels: labels))
    }

    /// Makes one picture out of PNG files, in a contained worker.
    func finish(
        _ job: FinishingJob, _ urgency: Urgency = Urgency(.interactive)
    ) async throws(PluginError) -> WorkerResult {
        let specification = WorkerSpecification.finisher(library: encoderLibrary)
        return try await scheduler.run(urgency, in: Scheduler.Lane(name: "finisher", limit: 0)) {
            () async throws(PluginError) -> WorkerResult in
            try await self.workers.finish(job, by: specification)
        }
    }

    /// The library lies beside the worker's program, in a build folder as in an installed tree.
    private var encoderLibrary: String {
        let program = configuration.workerProgram
        let path = program.lastIndex(of: "/").map { String(program[...$0]) + "libVitrineEncoders.so" }
        guard let path, !path.hasPrefix("/"), let folder = getcwd(nil, 0) else {
            return path ?? "libVitrineEncoders.so"
        }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    private func keep(
        _ picture: WorkerResult.Picture, _ placeholder: [UInt8], _ subject: Subject,
        _ details: EntryDetails?, _ order: PictureOrder
    ) async throws(PluginError) -> String? {
        guard order.isKept else { return nil }
        do throws(PluginError) {
            let reserved = try await keeper.reserve(picture.png.count, waitsForCount: false)
            return try cache.store(
                picture.png, declared: picture.size, for: subject, size: order.size, variant: order.variant,
                facts: details?.facts ?? Facts(), placeholder: placeholder, embedded: details?.embedded,
                reserved: reserved)
        } catch {
            guard order.mayBeUnkept, Self.isOfTheCache(error) else { throw error }
            return nil
        }
    }
}
