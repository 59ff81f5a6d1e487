import VitrineKit

/// What a look at a folder found.
enum FolderLook: Sendable {
    /// What it holds, and whether that is what it was.
    case snapshot(FolderSnapshot)
    /// It holds more than is held at once: what was read of it and kept, and what comes next.
    case begun(BegunListing)
}

extension Storage {
    /// What several folders hold now, one level each, and whether that is what it was. See `SnapshotBackend`.
    ///
    /// Of a backend without that ability each folder is listed, and the digest made of the entries.
    /// - Parameter requests: at most ``snapshotLimit``.
    /// - Returns: one answer for each request, in their order.
    func looks(at requests: [SnapshotRequest]) async -> [Result<FolderLook, PluginError>] {
        if requests.isEmpty { return [] }
        guard let backend = current as? any SnapshotBackend else {
            var answers: [Result<FolderLook, PluginError>] = []
            var room = Self.callLimit
            let isOnly = requests.count == 1
            for request in requests { answers.append(await listed(request, &room, isOnly: isOnly)) }
            return answers
        }
        let near = requests.filter { tooDeep($0.folder) == nil }
        var answers = (near.isEmpty ? [] : await snapshots(of: near, backend))[...]
        return requests.map { request in
            if let refusal = tooDeep(request.folder) { return .failure(refusal) }
            guard let answer = answers.popFirst() else { return .failure(PluginError(.io, "an answer is missing")) }
            return answer.map(FolderLook.snapshot)
        }
    }

    private func snapshots(
        of requests: [SnapshotRequest], _ backend: any SnapshotBackend
    ) async -> [Result<FolderSnapshot, PluginError>] {
        let first = requests.first.map { "'\(DisplayText.of($0.folder.bytes))'" } ?? "nothing"
        do throws(PluginError) {
            let answers = try await watch.run("looking at the folder \(first) and \(requests.count - 1) more") {
                () async throws(PluginError) in await backend.snapshots(of: requests)
            }
            guard answers.count == requests.count else {
                throw PluginError(
                    .io,
                    "the backend of '\(source.text)' was asked for \(requests.count) folders and told of \(answers.count)"
                )
            }
            return answers
        } catch {
            guard error.code == .offline, requests.count > 1 else { return requests.map { _ in .failure(error) } }
            // One that never answers is no reason to give up the others.
            var answers: [Result<FolderSnapshot, PluginError>] = []
            for request in requests { answers += await snapshots(of: [request], backend) }
            return answers
        }
    }

    /// How many folders are asked about in one call, whose time is bounded.
    static let snapshotLimit = 16
    /// How many entries of one folder are held at once.
    static let entryLimit = 1 << 14
    /// After how many entries a folder that is new, and that nobody waits behind, is merged while the rest of it is still
    /// listed: files that say something about their folder are mostly among the first.
    static let beginLimit = 1 << 12
    /// How many of all folders of a call together.
    static let callLimit = 1 << 16

    /// - Parameter isOnly: whether nobody waits behind it. Else no listing stays half read: it may hold one of the few
    ///   connections of a server, which the folders behind it need.
    private func listed(
        _ request: SnapshotRequest, _ room: inout Int, isOnly: Bool
    ) async -> Result<FolderLook, PluginError> {
        // Whoever asks looks whether what it was passed over for is still there.
        if request.known == .passedOver {
            return .success(.snapshot(FolderSnapshot(digest: .passedOver, content: .unchanged)))
        }
        // Of what is known nothing may have changed, which only the end tells: what fits into memory waits there for it.
        let limit = request.known == nil ? min(room, isOnly ? Self.beginLimit : Self.entryLimit) : Self.entryLimit
        var pages = pages(of: request.folder).makeAsyncIterator()
        var digest = EntryDigest()
        var kept: [[Entry]] = []
        var count = 0
        var isLarge = false
        var spool: EntrySpool?
        do throws(PluginError) {
            while let page = try await pages.next(isolation: nil) {
                digest.add(page)
                count += page.count
                kept.append(page)
                guard count > limit else { continue }
                if request.known == nil {
                    let listing =
                        isOnly ? BegunListing(kept, digest, pages) : BegunListing(self.pages(of: request.folder))
                    return .success(.begun(listing))
                }
                if !isLarge {
                    isLarge = true
                    spool = await AsideThread.run { [spools] in spools.spool() }
                }
                if let begun = spool {
                    let isKept = await AsideThread.run { [kept] in kept.allSatisfy(begun.add) }
                    if !isKept { spool = nil }
                }
                kept = []
            }
        } catch { return .failure(error) }
        let value = digest.value
        if value == request.known { return .success(.snapshot(FolderSnapshot(digest: value, content: .unchanged))) }
        guard !isLarge, count <= room else {
            if let spool, let listing = try? await BegunListing(spool, digest) { return .success(.begun(listing)) }
            return .success(.snapshot(FolderSnapshot(digest: value, content: .tooMany)))
        }
        room -= count
        return .success(.snapshot(FolderSnapshot(digest: value, content: .entries(kept.flatMap { $0 }))))
    }
}
