public import VitrineKit

/// What a storage that is not on this machine was asked for, by the backend's own count.
public struct ExplainedStorage: Sendable {
    /// The plugin that speaks with it.
    public var backend: RendererName
    /// What was asked for until the item or folder was found, from the connection on.
    public var found: Traffic
    /// What was asked for afterwards: to read the item, or to list the folder.
    public var afterwards: Traffic
}
