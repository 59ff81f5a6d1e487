public import VitrineKit

/// Fills memory with ranges of an item that lies on a server.
public protocol RangeProvider: Sendable {
    /// Brings a range.
    /// - Parameters:
    ///   - offset: the first byte; 0 or more, and not checked otherwise.
    ///   - count: how many bytes; 1 or more, and not checked otherwise.
    /// - Returns: what is there now in one piece: at least the range, as far as the item goes.
    /// - Throws: `overBudget`, and what the storage throws: `offline`, `changed` …; `invalidArgument` for a range that
    ///   begins behind the item's end.
    func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64>
}
