public import VitrineKit

/// Lists a folder and reads each of its files, sixteen at a time, as a run over a source does: for tests of what a bad
/// network costs.
public struct BulkReading: Sendable {
    /// Entries that were listed, and names among them that are different.
    public private(set) var entries = 0
    /// See ``entries``.
    public private(set) var names = 0
    /// Files that could not be read, or hold something else than they should.
    public private(set) var wrong = 0
    /// Why the first of these could not be read; `nil` when it was read and was not what it should be.
    public private(set) var failure: PluginError?
    /// How long all of it took.
    public private(set) var duration = Duration.zero

    /// Reads.
    /// - Parameters:
    ///   - backend: connected.
    ///   - folder: has files only.
    ///   - content: what a file of this name holds.
    /// - Throws: when the folder cannot be listed to its end.
    public init(
        _ backend: any StorageBackend, folder: ItemPath = .root,
        content: @escaping @Sendable (_ name: [UInt8]) -> [UInt8]
    ) async throws(PluginError) {
        let start = ContinuousClock.now
        var found: [Entry] = []
        for try await page in backend.list(folder) { found += page }
        let items = found
        entries = items.count
        names = Set(items.map(\.name)).count
        let failures = await withTaskGroup(of: [PluginError?].self) { group in
            for first in 0..<16 {
                group.addTask {
                    var failures: [PluginError?] = []
                    for index in stride(from: first, to: items.count, by: 16) {
                        let entry = items[index]
                        let wanted = content(entry.name)
                        do throws(PluginError) {
                            let file = try await backend.open(folder.appending(entry.name), listedAs: entry)
                            let read = try await file.read(at: 0, count: max(1, wanted.count))
                            if read != wanted { failures.append(nil) }
                        } catch { failures.append(error) }
                    }
                    return failures
                }
            }
            return await group.reduce([], +)
        }
        wrong = failures.count
        failure = failures.lazy.compactMap(\.self).first
        duration = .now - start
    }

    /// Whether so many files were listed and read, none of them lost, twice or wrong.
    public func isWhole(_ count: Int) -> Bool { entries == count && names == count && wrong == 0 }
}
