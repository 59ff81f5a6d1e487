import Finishing
import PluginHost
import PreviewCache
import Timing
import VitrineKit
import Workers

// The picture of a folder, made of previews of what is in it. It is an entry of the cache as that of a file is: its key is
// the folder's URI, and it is true as long as the folder's time is the same.
extension PreviewPipeline {
    /// Brings one folder to its previews, or to the reason why it has none, and tells those who listen.
    /// - Parameter walked: the files that may be shown, by folder. Default: all but hidden ones.
    func processFolder(
        _ folder: Item, _ order: RenderOrder, walked: FolderContents.Walked? = nil
    ) async -> ItemReport {
        let clock = ContinuousClock()
        let began = clock.now
        var report = ItemReport(folder, .planned)
        report.bytes = nil
        report.renderer = Self.folderRenderer
        do throws(PluginError) {
            report.outcome = try await folderOutcome(folder, order, walked, &report)
        } catch {
            report.outcome = error.code == .empty ? .skipped(error) : .failed(error, remembered: false)
        }
        report.times.total = clock.now - began
        hub.send(.item(report))
        return report
    }

    /// What is shown in the place of a renderer.
    private static let folderRenderer = RendererName(id: "folder", version: VitrineVersion.text, title: "Folders")
    static let folderType = "inode/directory"

    private func folderOutcome(
        _ folder: Item, _ order: RenderOrder, _ walked: FolderContents.Walked?, _ report: inout ItemReport
    ) async throws(PluginError) -> ItemReport.Outcome {
        guard order.variant.page == 0, order.variant.milliseconds == nil else {
            throw PluginError(.invalidArgument, "a folder has neither pages nor moments")
        }
        guard !order.wantsPageText else {
            throw PluginError(.notAFile, "it is a folder, which has no text of its own; name the files in it")
        }
        // Who keeps no picture wants to know what a renderer learns, and none is asked about a folder.
        guard order.stores else { return .made([]) }
        let subject = Subject(uri: folder.uri, modified: folder.entry.modified, mimeType: Self.folderType)
        if !order.force {
            let found = order.sizes.compactMap { size -> Preview? in
                let state = cache.lookup(
                    subject, size: size, variant: order.variant, marksUse: order.priority == .interactive)
                guard case .valid(let path) = state else { return nil }
                return Preview(uri: subject.uri, size: size, path: path, variant: order.variant)
            }
            if found.count == order.sizes.count { return .valid(found) }
        }
        if order.isDryRun { return .planned }
        guard subject.modified != nil || order.priority == .interactive else {
            throw PluginError(
                .empty, "its storage does not say when the folder changed, so that no picture of it can be kept")
        }
        let pictures = try await pictures(of: folder, order, walked)
        var previews: [Preview] = []
        for (index, size) in order.sizes.enumerated() {
            var finish = order.variant.finish
            finish.arrangement = .mosaic
            let result = try await self.finish(
                FinishingJob(previews: pictures.map { $0[index] }, box: size.pixels, finish: finish))
            guard let picture = result.pictures.first else { throw PluginError(.invalidAnswer, "no picture was made") }
            previews.append(try await keep(picture, result.placeholder, subject, size, order, &report))
            if report.placeholderHash.isEmpty { report.placeholderHash = result.placeholder }
        }
        return .made(previews)
    }

    /// Of each of the folder's best files one PNG for each size: one file, when somebody chose it to stand for the folder,
    /// else up to four.
    /// - Throws: `empty` when none has a preview, `timeout` when none had one as long as there was time, `cancelled`.
    private func pictures(
        of folder: Item, _ order: RenderOrder, _ walked: FolderContents.Walked?
    ) async throws(PluginError) -> [[[UInt8]]] {
        let (began, patience) = (Moment.now, configuration.folderPatience)
        let contents = try await FolderContents.of(
            folder.path, in: folder.storage, walked, patience: patience
        ) { entry in
            let type = sniffer.type(name: entry.name).mimeType
            return registry.renderers(for: type).isEmpty ? nil : FolderContents.rank(entry.name, type)
        }
        var wanted = order
        // Who looks at a folder does not want to be asked for the passwords of what is in it.
        (wanted.force, wanted.mayAsk, wanted.wantsText) = (false, false, false)
        // A run tells of them in their own turn.
        wanted.isPart = true
        // Of a single one a square may be cut.
        (wanted.sizes, wanted.variant) = (order.drawnSizes, .standard)
        var pictures: [[[UInt8]]] = []
        var poor: [[[UInt8]]] = []
        var tried = 0
        var waited = Duration.zero
        let candidates = contents.candidates.prefix(FolderContents.mostAttempts)
        for candidate in candidates {
            if Task.isCancelled { throw PluginError(.cancelled, "stopped while the picture of a folder was made") }
            // Each may take as long as its renderer may, which would be many minutes for all of them.
            if tried > 0, Moment.now - began - waited >= patience { break }
            tried += 1
            let turn = Moment.now
            let report = await shared(candidate.item, wanted)
            // Of work that was under way more may have been waited for than was here.
            waited += min(report.times.wait, Moment.now - turn)
            let previews: [Preview]
            switch report.outcome {
            case .made(let made), .valid(let made): previews = made
            default: continue
            }
            var files: [[UInt8]] = []
            for preview in previews { files.append(try preview.bytes()) }
            guard files.count == order.sizes.count else { continue }
            if candidate.rank == .chosen { return [files] }
            if isPoor(files[0], wanted.sizes[0]) {
                poor.append(files)
                continue
            }
            pictures.append(files)
            if pictures.count == FolderContents.mostPictures { break }
        }
        // Better a dot than nothing.
        if pictures.isEmpty { pictures += poor.prefix(1) }
        guard !pictures.isEmpty || tried == candidates.count else {
            throw PluginError(
                .timeout,
                "none of the first \(tried) of \(candidates.count) files of the folder has a preview, and there is no time for "
                    + "the others; try again: what failed is remembered")
        }
        guard !pictures.isEmpty else {
            throw PluginError(.empty, "nothing in the folder, or right below it, has a preview")
        }
        return pictures
    }

    /// Whether a picture is a dot or a strip, of which nothing would be seen.
    private func isPoor(_ png: [UInt8], _ size: PreviewSize) -> Bool {
        guard let pixels = EntryFile.size(of: png, .png) else { return true }
        return min(pixels.width, pixels.height) < size.pixels / 8
    }

    /// Stores a picture, or keeps it in memory where the storage does not say when a folder changed.
    private func keep(
        _ picture: WorkerResult.Picture, _ placeholder: [UInt8], _ subject: Subject, _ size: PreviewSize,
        _ order: RenderOrder, _ report: inout ItemReport
    ) async throws(PluginError) -> Preview {
        func unkept() throws(PluginError) -> Preview {
            let details = EntryDetails(
                mimeType: subject.mimeType, placeholder: placeholder.isEmpty ? nil : Base64.text(placeholder))
            return try self.unkept(picture, subject, size, details)
        }
        guard order.stores, subject.modified != nil else { return try unkept() }
        do throws(PluginError) {
            let reserved = try await keeper.reserve(picture.png.count, waitsForCount: order.priority == .batch)
            let path = try cache.store(
                picture.png, declared: picture.size, for: subject, size: size, variant: order.variant,
                placeholder: placeholder, reserved: reserved)
            return Preview(uri: subject.uri, size: size, path: path, variant: order.variant)
        } catch {
            try report.doWithoutCache(
                after: error, isAllowed: order.mayBeUnkept, isClosed: isOfWholeCache(error, order))
            return try unkept()
        }
    }
}
