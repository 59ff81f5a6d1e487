public import VitrineKit

/// What became of one file or folder.
public struct CopyReport: Sendable {
    /// How it ended.
    public enum Outcome: Sendable {
        /// It was copied. `reused`: bytes that were there from an earlier try.
        case copied(reused: Int64)
        /// A file of this content was there already.
        case present
        /// It is nothing that is copied, for this reason.
        case skipped(PluginError)
        /// It was not copied, for this reason. Nothing of it can be seen.
        case failed(PluginError)
    }

    /// The destination's URI.
    public var destination: String
    /// The file or folder.
    public var from: String
    /// Its copy; the destination's folder that it would have come to when there is none.
    public var uri: String
    /// How it ended.
    public var outcome: Outcome
    /// Bytes of the file, if known.
    public var size: Int64?
    /// The checksum that both sides agree on, if one was compared.
    public var checksum: Checksum?
}
