import VitrineKit

extension BackendConformance.Run {
    /// A backend with the ability says by digest that nothing changed, and tells the same entries as a listing.
    func snapshots() async -> [Violation] {
        guard let backend = backend as? any SnapshotBackend else { return [] }
        var findings = Findings()
        let folders = [ItemPath.root] + sample.nodes.filter { $0.content == nil }.map(\.path)
        let first = await backend.snapshots(of: folders.map { SnapshotRequest(folder: $0) })
        findings.expect(
            first.count == folders.count, "there is one snapshot for each request", "there are \(first.count)")
        var known: [SnapshotRequest] = []
        for (folder, answer) in zip(folders, first) {
            guard
                let snapshot = await findings.succeeds(
                    "a folder has a snapshot", { () throws(PluginError) in try answer.get() })
            else { continue }
            known.append(SnapshotRequest(folder: folder, known: snapshot.digest))
            guard case .entries(let entries) = snapshot.content,
                let listed = await findings.succeeds(
                    "a folder can be listed", { () throws(PluginError) in try await self.entries(of: folder) })
            else { continue }
            findings.expect(
                Set(entries) == Set(listed) && entries.count == listed.count, "a snapshot tells what a listing tells",
                "'\(folder)' has \(entries.count) entries in one and \(listed.count) in the other, or other ones")
        }
        for (request, answer) in zip(known, await backend.snapshots(of: known)) {
            guard case .success(let snapshot) = answer else { continue }
            var isUnchanged = false
            if case .unchanged = snapshot.content { isUnchanged = true }
            findings.expect(
                isUnchanged && snapshot.digest == request.known, "a folder that did not change has the same digest",
                "'\(request.folder)' is said to have changed")
        }
        if let folder = folders.last {
            let other = SnapshotRequest(folder: folder, known: FolderDigest(low: 1, high: 2))
            let answer = await backend.snapshots(of: [other]).first
            if case .success(let snapshot)? = answer, case .unchanged = snapshot.content {
                findings.expect(false, "another digest is a change", "'\(folder)' is said to be unchanged")
            }
        }
        return findings.violations
    }
}
