import Foundation

extension UserHome {
    /// Regular files below a folder, with the numbers of their inodes.
    static func inodes(below folder: String) -> [String: UInt64] {
        var inodes: [String: UInt64] = [:]
        for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { continue }
            inodes[name] = (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
        }
        return inodes
    }

    /// The files in the cache, with the numbers of their inodes: an entry that was made again has another one.
    var cached: [String: UInt64] {
        // Without the catalog, the account of the quota and the lock of those who collect.
        Self.inodes(below: cache).filter { name, _ in
            !name.hasPrefix("vitrine/catalog.sqlite")
                && !["usage", "collecting"].contains { name.hasSuffix("previews/" + $0) }
        }
    }

    /// Cached previews, without remembered failures and what is still being written.
    var previews: [String] {
        cached.keys.filter { $0.hasSuffix(".png") && !$0.hasPrefix("thumbnails/fail/") }
    }

    /// What a run left behind that it should not have: processes, unfinished files, folders of workers.
    /// - Parameter pid: one that has ended. What it killed may need a processor to go, which is waited for.
    func leftovers(of pid: pid_t) -> [String] {
        let end = ContinuousClock.now + .seconds(60)
        while !ProcessTable.processes(inSession: pid).isEmpty, .now < end { poll(nil, 0, 5) }
        let workers = ProcessTable.processes(inSession: pid).map { "process \($0.pid) \($0.name)" }
        let unfinished = cached.keys.filter { !$0.hasSuffix(".png") }.map { "file \($0)" }
        let all = FileManager.default.enumerator(atPath: temporary)?.compactMap { $0 as? String } ?? []
        // The folder that workers' folders lie in stays, as /tmp does.
        let folders = all.filter { $0 != "vitrine-\(geteuid())" && $0 != "vitrine-65534" }.map { "in TMPDIR \($0)" }
        return workers + unfinished + folders
    }
}
