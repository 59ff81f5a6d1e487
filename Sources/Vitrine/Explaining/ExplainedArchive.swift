public import RangeReading
public import VitrineKit

/// What is known of an archive that an item is a member of, or a folder lies in.
public struct ExplainedArchive: Sendable {
    /// What reads it.
    public var reader: RendererName
    /// Members that it has.
    public var members: Int
    /// How many of them cannot be reached by any path.
    public var refused: Int
    /// Whether a member is reached through those before it.
    public var isSequential: Bool
    /// Why its list is not complete; `nil` when it is.
    public var failure: PluginError?
    /// What listing it cost of its storage; `nil` for archives on this machine.
    public var traffic: ItemTraffic?

    init(_ contents: OpenArchive.Contents) {
        reader = RendererName(contents.plugin)
        members = contents.tree.members.count
        refused = contents.tree.refusedCount
        isSequential = contents.tree.isSequential
        failure = contents.tree.failure
        traffic = contents.traffic
    }
}
