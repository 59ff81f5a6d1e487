import Glibc

/// A remembered failure and the item that it belongs to.
public struct QuarantinedItem: Hashable, Sendable {
    /// The item's URI.
    public var uri: String
    /// What is remembered of it.
    public var failure: RememberedFailure
}

extension PreviewCache {
    /// The failures that this version of the program remembers, by URI. Whether the items have changed since is not
    /// looked at. Reads a small file for each, some 20 µs.
    /// - Parameter limit: how many are read at most, in no particular order. Default: a million.
    public func quarantine(limit: Int = 1_000_000) -> [QuarantinedItem] {
        var items: [QuarantinedItem] = []
        var count = 0
        Folder.forEachName(in: standard.failFolder) { name in
            guard name.hasSuffix(".png"), count < limit else { return }
            count += 1
            let path = standard.failFolder + "/" + name
            var keys = FailureKeys()
            let outcome = PNGTextReader.read(path) { keys.see($0, $1) }
            // An entry under a name that is not its URI's is nobody's.
            guard case .complete = outcome, let uri = keys.uri, let failure = keys.failure,
                standard.failPath(uri) == path
            else { return }
            items.append(QuarantinedItem(uri: uri, failure: failure))
        }
        return items.sorted { $0.uri < $1.uri }
    }

    /// Forgets the failure of an item.
    /// - Parameter uri: as ``quarantine(limit:)`` told it.
    /// - Returns: whether one was remembered.
    @discardableResult
    public func forgetFailure(of uri: String) -> Bool { forgetFailure(at: standard.failPath(uri)) }

    @discardableResult
    func forgetFailure(at path: String) -> Bool {
        guard unlink(path) == 0 else { return false }
        // A failure's entry takes one block.
        if keepsAccount { account(-EntryRecord.occupied(1)) }
        return true
    }
}
