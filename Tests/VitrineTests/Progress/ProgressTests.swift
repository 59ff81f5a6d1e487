import Testing
import Timing
import VitrineKit

@testable import Vitrine

@Suite struct ProgressTests {
    private func item(_ uri: String, source: String = "file:///a") -> ProgressEvent {
        .item(ItemReport(uri: uri, source: source, .planned))
    }

    @Test func `a failure that another process may have met meanwhile is not taken for absent`() {
        var report = ItemReport(uri: "file:///a", source: "file:///", .planned)
        #expect(report.mayHaveFailure)
        report.hadNoFailure = .now + .seconds(3600)
        #expect(!report.mayHaveFailure)
        report.hadNoFailure = .now - .seconds(1)
        #expect(report.mayHaveFailure)
    }

    @Test func `a listener hears what its topic covers`() {
        let event = item("file:///a/b/c.pdf")
        #expect(Topic.everything.covers(event))
        #expect(Topic.source("file:///a").covers(event))
        #expect(!Topic.source("file:///a/b").covers(event))
        #expect(Topic.folder("file:///a/b").covers(event))
        #expect(Topic.folder("file:///").covers(event))
        #expect(!Topic.folder("file:///a/bb").covers(event))
        #expect(!Topic.folder("file:///a/b/c").covers(event))
        #expect(Topic.item("file:///a/b/c.pdf").covers(event))
        #expect(!Topic.item("file:///a/b").covers(event))
        let finished = ProgressEvent.finished(RunSummary(sources: ["file:///a"]))
        #expect(Topic.source("file:///a").covers(finished))
        #expect(!Topic.item("file:///a/b/c.pdf").covers(finished))
    }

    @Test func `a slow listener loses the oldest, never the last`() async {
        let hub = ProgressHub()
        let events = hub.events(of: .everything, buffer: 3)
        for number in 0..<100 { hub.send(item("file:///a/\(number)")) }
        hub.send(.finished(RunSummary(sources: [])))
        var seen: [String] = []
        for await event in events {
            if case .finished = event { break }
            if let uri = event.uri { seen.append(uri) }
        }
        #expect(seen == ["file:///a/98", "file:///a/99"])
    }

    @Test func `who wants all events loses none, and is waited for until it has read or is gone`() async {
        let hub = ProgressHub()
        do {
            var events = hub.allEvents().makeAsyncIterator()
            for number in 0..<5000 { hub.send(item("file:///a/\(number)")) }
            #expect(hub.isCrowded(5000) && !hub.isCrowded(5001))
            let cancelled = Task { await hub.room(below: 5000) }
            cancelled.cancel()
            await cancelled.value
            var read: [String?] = []
            while read.count < 5000, let event = await events.next(isolation: nil) { read.append(event.uri) }
            #expect(read == (0..<5000).map { "file:///a/\($0)" })
            #expect(!hub.isCrowded(1))
            hub.send(item("file:///a/5000"))
            #expect(hub.isCrowded(1))
        }
        #expect(!hub.isCrowded(1))
        await hub.room(below: 1)
    }

    @Test func `a listener that leaves is forgotten, and those who stay hear on`() async {
        let hub = ProgressHub()
        do {
            let leaving = hub.events(of: .everything, buffer: 1)
            _ = leaving
        }
        let staying = hub.events(of: .item("file:///a/1"), buffer: 8)
        hub.send(item("file:///a/0"))
        hub.send(item("file:///a/1"))
        var iterator = staying.makeAsyncIterator()
        guard case .item(let report) = await iterator.next() else {
            Issue.record("nothing came")
            return
        }
        #expect(report.uri == "file:///a/1")
    }

    @Test(.timeLimit(.minutes(10))) func `the item that began last is told with the next progress`() async {
        let hub = ProgressHub()
        let events = hub.events(of: .everything, buffer: 8)
        let ledger = RunLedger(sources: ["file:///a"], hub: hub)
        await ledger.began("file:///a/1")
        await ledger.began("file:///a/2")
        // Progress that was told between the two says the first one.
        for await case .advanced(let progress) in events where progress.current != "file:///a/1" {
            #expect(progress.current == "file:///a/2")
            break
        }
        await ledger.began("file:///a/3")
        _ = await ledger.finish(interrupted: false)
        for await case .advanced(let progress) in events where progress.current != "file:///a/2" {
            #expect(progress.current == "file:///a/3")
            break
        }
    }

    @Test(.timeLimit(.minutes(10))) func `whatever ended is counted when the run ends`() async {
        let hub = ProgressHub()
        let ledger = RunLedger(sources: ["file:///a"], hub: hub)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    await ledger.ended(ItemReport(uri: "file:///a/\(number)", source: "file:///a", .made([])))
                }
            }
        }
        await ledger.ended(
            ItemReport(
                uri: "file:///a/x", source: "file:///a", .failed(PluginError(.cancelled, "no"), remembered: false))
        )
        #expect(await ledger.finish(interrupted: false).total == .init(made: 100))
    }

    @Test(arguments: [true, false])
    func `a full disk ends a run, and fails an item of a watch`(endsWithCache: Bool) async {
        let ledger = RunLedger(sources: ["file:///a"], hub: ProgressHub(), endsWithCache: endsWithCache)
        let error = PluginError(.noSpace, "there is no room")
        var report = ItemReport(uri: "file:///a/1", source: "file:///a", .failed(error, remembered: false))
        report.metClosedCache = true
        await ledger.found()
        await ledger.ended(report)
        #expect(ledger.isStopped == endsWithCache)
        let summary = await ledger.finish(interrupted: false)
        #expect(summary.stopped == (endsWithCache ? error : nil))
        #expect(summary.found == 1 && summary.total.failed == (endsWithCache ? 0 : 1))
    }

    @Test func `a stream ends with its hub`() async {
        var hub: ProgressHub? = ProgressHub()
        guard let events = hub?.events(of: .everything, buffer: 1) else { return }
        hub = nil
        for await _ in events { Issue.record("something came") }
    }

    @Test func `a run's counts are exact`() {
        var summary = RunSummary(sources: ["file:///a"])
        var made = ItemReport(uri: "file:///a/1", source: "file:///a", .made([]))
        made.bytes = 10
        made.renderer = RendererName(id: "pdf", version: "1", title: "PDF documents")
        summary.count(made)
        summary.count(ItemReport(uri: "file:///a/2", source: "file:///a", .valid([])))
        summary.count(
            ItemReport(uri: "file:///a/3", source: "file:///a", .failed(PluginError(.corrupt, "no"), remembered: false))
        )
        summary.count(ItemReport(uri: "file:///a/4", source: "file:///a", .skipped(PluginError(.unsupported, "no"))))
        #expect(summary.total == .init(made: 1, valid: 1, failed: 1))
        #expect(summary.skipped == 1)
        #expect(summary.bytes == 10)
        #expect(summary.byKind["PDF documents"] == .init(made: 1))
        #expect(summary.failures.map(\.uri) == ["file:///a/3"])
    }

    @Test func `what failed in the first part of a run is new, and what was known before it is not`() {
        func report(_ name: String, remembered: Bool) -> ItemReport {
            ItemReport(
                uri: "file:///a/" + name, source: "file:///a",
                .failed(PluginError(.corrupt, "no"), remembered: remembered))
        }
        var (first, second) = (RunSummary(sources: ["file:///a"]), RunSummary(sources: ["file:///a"]))
        for (name, wasKnown) in [("known", true), ("new", false)] {
            first.count(report(name, remembered: wasKnown))
            second.count(report(name, remembered: true))
        }
        second.follow(first)
        #expect(second.failures.filter(\.remembered).map(\.uri) == ["file:///a/known"])
        #expect(second.remembered == 1 && second.total.failed == 2)
    }
}
