import VitrineKit

/// Bytes that are read by range.
protocol RawBytes: Sendable {
    var size: Int64 { get }
    /// Whether they can never be others.
    var isPinned: Bool { get }
    /// Reads a range inside of the size: all of it.
    func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8]
}
