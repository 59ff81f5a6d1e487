import PlaceNames
public import VitrineKit

// Copying between storages.
extension PreviewPipeline {
    /// Copies files, and folders with all that is in them, into a folder of any storage that can be written to.
    ///
    /// Each file becomes visible when all of it is there, under a name that nothing else has: `file(1).doc` where another
    /// file is called `file.doc`. What is the same already is not copied again, so that copying that was stopped, in
    /// whatever way, is gone on with by asking for it again; large files go on where they were, if the storage can. Who
    /// listens to the topics of the destination hears of it; see ``CopyEvent``.
    ///
    /// ```swift
    /// let photos = try SourceURI("davs://cloud.example.org/photos"), disk = try SourceURI("file:///mnt/backup")
    /// let summary = try await pipeline.copy([photos], to: disk)
    /// print(summary.copied, summary.isComplete)
    /// ```
    /// - Parameters:
    ///   - sources: files and folders.
    ///   - destination: a folder; it and those above are made where they are missing.
    ///   - options: how.
    /// - Returns: what was copied and what was not. A task that is cancelled gets one, too.
    /// - Throws: when nothing can be copied at all, before anything is told: `unsupported` for a storage that is only
    ///   read, `notAFile`, `forbidden`, `offline`, `unauthorized`, `cancelled` …
    public func copy(
        _ sources: [SourceURI], to destination: SourceURI, _ options: CopyOptions = CopyOptions()
    ) async throws(PluginError) -> CopySummary {
        let target = try await folder(destination)
        let abilities = try target.writing()
        let ledger = CopyLedger(destination: target.source.text, hub: hub)
        await ledger.start(sources.map(\.text))
        var found: [CopySource] = []
        for uri in sources {
            if Task.isCancelled { break }
            do throws(PluginError) {
                let source = try await self.copySource(uri, options)
                try Self.check(source, isNotAbove: target)
                found.append(source)
            } catch {
                let report = CopyReport(
                    destination: target.source.text, from: uri.text, uri: target.source.text, outcome: .failed(error))
                await ledger.ended(report, isFile: false)
            }
        }
        await CopyRun(to: target, abilities, options, ledger).run(found)
        return await ledger.finish(interrupted: Task.isCancelled)
    }

    /// A folder that is there or is made now.
    private func folder(_ uri: SourceURI) async throws(PluginError) -> Storage {
        // The user named it: whatever disks lie below belong to it.
        let settings = BackendSettings(crossesFileSystems: true)
        do throws(PluginError) {
            let storage = try await storages.storage(for: uri, settings)
            _ = try storage.writing()
            return storage
        } catch {
            guard error.code == .notFound, let place = try? ItemLocation(item: uri), place.source != uri else {
                throw error
            }
            let above = try await folder(place.source)
            do throws(PluginError) { try await above.makeFolder(place.path) } catch {
                if error.code != .exists { throw error }
            }
            return try await storages.storage(for: uri, settings)
        }
    }

    /// What somebody named: a folder, or a file in one.
    private func copySource(_ uri: SourceURI, _ options: CopyOptions) async throws(PluginError) -> CopySource {
        let settings = BackendSettings(
            followsLinks: options.followsLinks, crossesFileSystems: options.crossesFileSystems)
        do throws(PluginError) {
            let storage = try await storages.storage(for: uri, settings)
            let entry = try await storage.stat(.root)
            // A member of an archive is a root of it as well.
            guard entry.kind == .folder else { throw Self.notAFile(entry.kind) }
            return CopySource(storage: storage, path: .root, entry: entry, name: try Self.name(of: uri))
        } catch {
            guard [.notAFile, .notFound, .invalidArgument].contains(error.code),
                let place = try? ItemLocation(item: uri),
                // What was named says better why it cannot be opened than what is above.
                let storage = try? await storages.storage(for: place.source, settings)
            else { throw error }
            let entry = try await storage.stat(place.path)
            guard entry.kind == .file else {
                let hint =
                    entry.kind == .link ? "a symbolic link; --follow-links follows it" : "neither file nor folder"
                throw PluginError(.notAFile, "'\(PlaceName.of(uri))' is \(hint)")
            }
            return CopySource(storage: storage, path: place.path, entry: entry, name: place.path.name)
        }
    }

    /// The last part of a path, or what stands for the whole storage.
    private static func name(of uri: SourceURI) throws(PluginError) -> [UInt8] {
        let last = uri.lastName
        let name = last.isEmpty ? Array((uri.authority ?? "").utf8) : last
        guard !name.isEmpty else {
            throw PluginError(
                .invalidArgument, "'\(PlaceName.of(uri))' has no name that a copy could have: name what is in it"
            )
        }
        return name
    }

    /// A folder that is copied into itself would never end.
    private static func check(_ source: CopySource, isNotAbove target: Storage) throws(PluginError) {
        guard source.entry.kind == .folder else { return }
        let slash = UInt8(ascii: "/")
        var isAbove = target.source.path(below: source.storage.source) != nil
        if let above = source.storage.localRoot, let below = target.localRoot {
            isAbove = isAbove || below == above || below.starts(with: above.last == slash ? above : above + [slash])
        }
        guard !isAbove else {
            throw PluginError(
                .invalidArgument,
                "'\(PlaceName.of(target.source))' lies in '\(PlaceName.of(source.uri))', which cannot be copied "
                    + "into itself")
        }
    }
}
