import Catalog
import VitrineKit

// Previews of items that were seen to be deleted.
extension SourceWatch {
    /// Items were found to be gone.
    func forget(
        _ paths: [ItemPath], base: ItemPath, _ record: SourceRecord, _ storage: Storage, _ time: Int64
    ) async {
        for path in paths {
            let uri = storage.source.appending(path)
            settling.forget(path)
            await queue.drop(uri)
            if movedAway.contains(uri) { continue }
            // Alone, it would have found what moved.
            switch others.isEmpty ? .tell : run.departures.left(uri, self.uri, at: clock.now) {
            case .tell: run.pipeline.hub.send(.removed(uri: uri, source: self.uri))
            case .wait: tellLater()
            case .pass: break
            }
        }
        // What nobody saw going may be on a disk that is not there.
        guard phase == .told, !paths.isEmpty else { return }
        for path in paths where deleted.count < Self.deletedLimit { deleted.append((path, clock.now, time)) }
        guard removal == nil else { return }
        let delay = run.options.removalDelay
        removal = Task { [weak self] in
            while let self, let moment = await self.nextRemoval(after: delay) {
                try? await self.clock.sleep(until: moment)
                if Task.isCancelled { return }
                await self.removePreviews(base: base, record, after: delay)
            }
        }
    }

    /// Tells of items that are gone once no other source has found them.
    private func tellLater() {
        guard telling == nil else { return }
        telling = Task { [weak self] in
            while let self, let moment = await self.nextTelling() {
                try? await self.clock.sleep(until: moment)
                if Task.isCancelled { return }
                await self.tellDepartures()
            }
        }
    }

    private func nextTelling() -> Instant? {
        guard let first = run.departures.first(from: uri), !Task.isCancelled else {
            telling = nil
            return nil
        }
        // Those that are due already wait for other sources to be looked at for the first time.
        return max(first + Departures.delay, clock.now + Departures.delay / 4)
    }

    private func tellDepartures() async {
        // A first look at another source may take hours, or wait for another run.
        let delay = await state.hasLookedAtAll ? Departures.delay : Departures.patience
        tell(run.departures.take(from: uri, until: clock.now - delay))
    }

    /// Tells what is not told yet: the watch ends.
    func tellAllDepartures() {
        telling?.cancel()
        tell(run.departures.take(from: uri, until: nil))
    }

    private func tell(_ departures: [String]) {
        let place = departures.isEmpty ? nil : try? index.place(of: source.uri)
        for uri in departures {
            // It may have come back as it was, which no step of a look tells.
            if let place, let path = (try? SourceURI(uri))?.path(below: source.uri)?.placed(below: place.base),
                (try? index.catalog.holds(path, in: place.source)) == true
            {
                continue
            }
            run.pipeline.hub.send(.removed(uri: uri, source: self.uri))
        }
    }

    private func nextRemoval(after delay: Duration) -> Instant? {
        guard let first = deleted.first, !Task.isCancelled else {
            removal = nil
            return nil
        }
        return first.at + delay
    }

    /// Deletes previews of items that were seen to be deleted and have not turned up at another place since.
    private func removePreviews(base: ItemPath, _ record: SourceRecord, after delay: Duration) {
        let moment = clock.now - delay
        let count = deleted.prefix { $0.at <= moment }.count
        guard count > 0 else { return }
        let ripe = deleted.prefix(count)
        deleted.removeFirst(count)
        let paths = Set(ripe.compactMap { base.isRoot ? $0.path : $0.path.above(base) })
        // If it fails, they go when their grace time is over.
        let items = try? index.catalog.takeVanished(paths, of: record, since: ripe.map(\.time).min() ?? 0)
        guard let root = try? SourceURI(record.uri) else { return }
        for item in items ?? [] { run.pipeline.cache.remove(item, in: root) }
        // Those of what somebody says is to be left out have no grace time.
        _ = try? VanishedItems(index.catalog, run.pipeline.cache).remove()
    }
}

extension ItemPath {
    /// The same place as it is seen from a folder that holds `base`.
    fileprivate func above(_ base: ItemPath) -> ItemPath? {
        try? ItemPath(isRoot ? base.bytes : base.bytes + [UInt8(ascii: "/")] + bytes)
    }
}
