import Glibc
import PlaceNames
import VitrineKit

/// Copies one file into a folder of the destination: finds its name, sends it, compares it.
struct FileCopy: Sendable {
    let destination: Storage
    let abilities: WritingAbilities
    let options: CopyOptions
    let ledger: CopyLedger
    let names: CopyNames

    /// A file that changes while it is copied is begun anew so often.
    private static let tries = 3
    /// A connection that broke is given one more try, which goes on where it broke if the storage can.
    private static let passing: Set<PluginError.Code> = [.io, .offline, .throttled]

    /// Copies a file, and says what became of it.
    func run(_ item: Item, into folder: ItemPath) async -> CopyReport {
        var tried = 0
        while true {
            do throws(PluginError) {
                return try await copy(item, into: folder)
            } catch {
                tried += 1
                let limit = error.code == .changed ? Self.tries : Self.passing.contains(error.code) ? 2 : 1
                if tried < limit, !Task.isCancelled { continue }
                return report(item, folder, error.code == .exists ? .skipped(error) : .failed(error))
            }
        }
    }

    /// Tries one name after the other.
    private func copy(_ item: Item, into folder: ItemPath) async throws(PluginError) -> CopyReport {
        // Again, since an earlier try may have found it changed.
        let source = try await item.storage.open(item.path)
        if let limit = abilities.maximumFileSize, let size = source.entry.size, size > limit {
            throw PluginError(
                .limitExceeded, "'\(PlaceName.of(item.uri))' has \(size) bytes, and the destination takes \(limit)")
        }
        let name = NumberedName(item.path.name, limit: abilities.maximumNameBytes)
        for number in 0...NumberedName.maximumNumber {
            let path = try folder.appending(number == 0 ? item.path.name : name.bytes(number))
            if let report = try await attempt(source, of: item, at: path) { return report }
        }
        throw PluginError(
            .limitExceeded,
            "there are more than \(NumberedName.maximumNumber) files called '\(DisplayText.of(item.path.name))' in "
                + "'\(PlaceName.of(destination.source.appending(folder)))'")
    }

    /// Copies under one name, or finds that this was done.
    /// - Returns: `nil` when something else has it, and another one is to be tried.
    private func attempt(
        _ source: any ByteSource, of item: Item, at path: ItemPath
    ) async throws(PluginError) -> CopyReport? {
        // With a number, the storage itself decides who is first.
        guard options.clash != .number else { return try await attemptAlone(source, of: item, at: path) }
        await names.enter(path)
        let result: Result<CopyReport?, PluginError>
        do throws(PluginError) { result = .success(try await attemptAlone(source, of: item, at: path)) } catch {
            result = .failure(error)
        }
        await names.leave(path)
        return try result.get()
    }

    private func attemptAlone(
        _ source: any ByteSource, of item: Item, at path: ItemPath
    ) async throws(PluginError) -> CopyReport? {
        if let existing = try await existing(path) {
            let comparison = SameContent(destination: destination, abilities: abilities, options: options)
            if try await comparison.holds(source, of: item, existing, at: path) {
                return report(item, path, .present, size: source.entry.size)
            }
            if options.clash == .number { return nil }
            if options.clash == .skip || existing.kind != .file {
                let what = existing.kind == .file ? "a file with another content" : "no file"
                throw PluginError(
                    .exists, "'\(PlaceName.of(destination.source.appending(path)))' is there already, \(what)")
            }
            // What this copying made is not replaced by the next file of that name.
            if try await isOwn(existing, at: path) { return nil }
        }
        guard await names.reserve(path) else { return nil }
        let result: Result<CopyReport, PluginError>
        do throws(PluginError) { result = .success(try await send(source, of: item, to: path)) } catch {
            result = .failure(error)
        }
        switch result {
        case .success(let report):
            await names.release(path)
            if options.clash == .replace { await names.add(path) }
            return report
        case .failure(let error):
            await names.release(path)
            // Somebody else was quicker.
            if error.code == .exists, options.clash == .number { return nil }
            throw error
        }
    }

    /// Whether a file is a copy that was just made, under this name or one that is the same to the destination.
    private func isOwn(_ existing: Entry, at path: ItemPath) async throws(PluginError) -> Bool {
        for copy in await names.copies(like: path) {
            if copy == path { return true }
            guard let other = try await self.existing(copy) else { continue }
            if existing.volume == other.volume, !existing.differs(from: other) { return true }
        }
        return false
    }

    private func existing(_ path: ItemPath) async throws(PluginError) -> Entry? {
        do throws(PluginError) { return try await destination.stat(path) } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    private func send(
        _ source: any ByteSource, of item: Item, to path: ItemPath
    ) async throws(PluginError) -> CopyReport {
        let entry = source.entry
        let draft = FileDraft(
            size: entry.size, modified: entry.modified, contentType: entry.contentType,
            token: ContentToken.of(item.uri, entry, as: path))
        let transaction = try await destination.write(path, draft)
        do throws(PluginError) {
            let known = try await item.storage.checksums(of: item.path)
            return try await send(source, of: item, to: path, transaction, known)
        } catch {
            // What is there of it may be gone on with, unless it is of no use any more or takes room that is needed.
            if [.changed, .noSpace, .exists, .invalidArgument, .limitExceeded].contains(error.code) {
                await transaction.abandon()
            } else {
                await transaction.suspend()
            }
            throw error
        }
    }

    /// - Parameter known: what the source says of its content.
    private func send(
        _ source: any ByteSource, of item: Item, to path: ItemPath, _ transaction: any WriteTransaction,
        _ known: [Checksum]
    ) async throws(PluginError) -> CopyReport {
        let (uri, kept, size) = (destination.source.appending(path), transaction.kept, source.entry.size)
        var wanted = Set(abilities.checksums + known.map(\.algorithm))
        if options.verifies { wanted.insert(.sha256) }
        // What was sent before is read again only where that costs little.
        let isWhole = kept == 0 || (item.storage.localRoot != nil && !wanted.isEmpty)
        let digest = ContentDigest(isWhole ? wanted : [])
        await ledger.advanced(item.uri, to: uri, bytes: kept, of: size)
        let reading = FileReading(file: source, uri: item.uri, start: isWhole ? 0 : kept)
        let length = try await reading.pieces { (piece, offset) throws(PluginError) in
            digest.add(piece)
            let end = offset + Int64(piece.count)
            guard end > kept else { return }
            let fresh = offset < kept ? Array(piece.dropFirst(Int(kept - offset))) : piece
            try await transaction.append(fresh, at: max(offset, kept))
            await ledger.advanced(item.uri, to: uri, bytes: end, of: size)
        }
        let content = digest.checksums()
        let agreed = known.first { content.contains($0) }
        if let other = known.first(where: { known in
            content.contains { $0.algorithm == known.algorithm && $0.bytes != known.bytes }
        }) {
            throw PluginError(
                .changed,
                "'\(PlaceName.of(item.uri))' was read as something else than \(other), which its storage says of it")
        }
        let condition = options.clash == .replace ? WriteCondition.replacing : .ifAbsent
        let written = try await transaction.commit(condition, content: content)
        if options.verifies { try await verify(path, content, item, source) }
        var report = report(item, path, .copied(reused: max(kept, written.reused)), size: length)
        report.checksum = written.checksum ?? agreed ?? (options.verifies ? content.first : nil)
        return report
    }

    /// Reads a copy back.
    /// - Throws: `corrupt` when it is another content: what is there then stays, and to copy it again would hide it.
    private func verify(
        _ path: ItemPath, _ content: [Checksum], _ item: Item, _ source: any ByteSource
    ) async throws(PluginError) {
        let digest = ContentDigest(Set(content.map(\.algorithm)))
        let reading = FileReading(
            file: try await destination.open(path), uri: destination.source.appending(path))
        if content.isEmpty {
            // It was resumed from a source that is far away: both are read once more.
            let same = SameContent(destination: destination, abilities: abilities, options: options)
            if try await same.bytesAgree(source, of: item, at: path) { return }
        } else {
            do throws(PluginError) {
                _ = try await reading.pieces { (piece, _) throws(PluginError) in digest.add(piece) }
                if Set(digest.checksums()) == Set(content) { return }
            } catch { if error.code != .changed { throw error } }
        }
        throw PluginError(
            .corrupt,
            "'\(PlaceName.of(destination.source.appending(path)))' was read back as something else than was written: "
                + "delete that copy, and do not trust that storage")
    }

    private func report(
        _ item: Item, _ path: ItemPath, _ outcome: CopyReport.Outcome, size: Int64? = nil
    ) -> CopyReport {
        CopyReport(
            destination: destination.source.text, from: item.uri, uri: destination.source.appending(path),
            outcome: outcome, size: size ?? item.entry.size)
    }
}

/// Stands for one version of one file on its way to one name.
enum ContentToken {
    /// A file may change twice within the second to which many storages tell times: such a time counts once it is old.
    /// - Returns: `nil` when versions cannot be told apart, so that nothing may be gone on with.
    static func of(_ uri: String, _ entry: Entry, as path: ItemPath) -> String? {
        guard let size = entry.size, entry.etag != nil || entry.modified.map(isSafe) ?? false else { return nil }
        let time = entry.modified.map { "\($0.seconds).\($0.nanoseconds)" } ?? ""
        let marks = [uri, "\(size)", time, entry.etag ?? "", entry.identifier.map(String.init) ?? ""]
        let digest = ContentDigest([.sha256])
        digest.add(Array(marks.joined(separator: "\0").utf8) + [0] + path.bytes)
        return digest.checksums().first.map { String($0.description.dropFirst(7).prefix(32)) }
    }

    private static func isSafe(_ time: Timestamp) -> Bool {
        time.nanoseconds != 0 || time.seconds < Int64(Glibc.time(nil)) - 120
    }
}
