import VitrineKit

extension BackendConformance.Run {
    /// A backend with the ability tells of what is made in folders that are watched.
    /// - Parameter put: makes a node in the storage.
    func watching(_ put: @Sendable (BackendSample.Node) async throws -> Void) async -> [Violation] {
        guard let backend = backend as? any WatchableBackend else { return [] }
        var findings = Findings()
        let watch = await findings.succeeds("a source can be watched") { () throws(PluginError) in
            try await backend.watch()
        }
        guard let watch, let nested = try? ItemPath("nested"), let missing = try? ItemPath("missing"),
            let file = try? nested.appending(Array("made later.txt".utf8)),
            let folder = try? nested.appending(Array("made later".utf8))
        else { return findings.violations }
        let answers = await watch.add([.root, nested, missing])
        findings.expect(
            answers.count == 3 && answers[0] == nil && answers[1] == nil,
            "folders that are there can be watched", "the answers are \(answers)")
        findings.expect(
            answers.last.map { $0?.code == .notFound } ?? false, "a folder that is not there is not watched",
            "the answers are \(answers)")
        for node in [BackendSample.Node(file, content: [1, 2, 3]), BackendSample.Node(folder)] {
            do { try await put(node) } catch {
                findings.expect(false, "the storage can be changed", "\(error)")
                return findings.violations
            }
            findings.expect(
                await isTold(nested, watch), "what is made in a folder that is watched is told",
                "'\(node.path)' was made and nothing told")
        }
        watch.remove(nested)
        let waiting = Task { await watch.next() }
        waiting.cancel()
        var isCancelled = false
        // What was noticed before may come first.
        if case .ended(let error) = await waiting.value { isCancelled = error.code == .cancelled }
        let last = Task {
            withUnsafeCurrentTask { $0?.cancel() }; return await watch.next()
        }
        if case .ended(let error) = await last.value { isCancelled = isCancelled || error.code == .cancelled }
        findings.expect(isCancelled, "who is cancelled does not wait for changes", "it went on waiting")
        return findings.violations
    }

    /// Whether a change of a folder is told within two minutes: a busy machine takes its time.
    private func isTold(_ folder: ItemPath, _ watch: any FolderWatch) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                while true {
                    switch await watch.next() {
                    case .folders(let folders): if folders.contains(folder) { return true }
                    case .everything: return true
                    default: return false
                    }
                }
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(120))
                return false
            }
            let isTold = await group.next() ?? false
            group.cancelAll()
            return isTold
        }
    }
}
