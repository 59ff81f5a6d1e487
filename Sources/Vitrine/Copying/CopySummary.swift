public import VitrineKit

/// What was copied, and what was not.
public struct CopySummary: Sendable {
    /// One file or folder that was not copied.
    public struct Exception: Sendable {
        /// It.
        public var from: String
        /// The reason.
        public var error: PluginError
    }

    /// The destination's URI.
    public var destination: String
    /// Files that were copied.
    public var copied = 0
    /// Bytes of them.
    public var bytes: Int64 = 0
    /// How many of these were there from an earlier try.
    public var reused: Int64 = 0
    /// Files that were there already.
    public var present = 0
    /// Folders that were made.
    public var folders = 0
    /// Links, pipes and the like, and files that were left out because their names were taken.
    public var skipped = 0
    /// Files and folders that could not be copied.
    public var failed = 0
    /// Files that were found and not begun, or not ended, when copying was stopped. There may be more that were not found.
    public var left = 0
    /// Why copying was stopped before all was tried: a full disk, say.
    public var stopped: PluginError?
    /// Whether somebody asked to stop.
    public var wasInterrupted = false
    /// Seconds that it took.
    public var seconds = 0.0
    /// The first that were left out, at most ``limit``.
    public var skips: [Exception] = []
    /// The first that failed, at most ``limit``.
    public var failures: [Exception] = []

    /// How many of each are kept.
    public static let limit = 1000

    /// Whether everything that is ever copied is at the destination now.
    public var isComplete: Bool { failed == 0 && left == 0 && stopped == nil && !wasInterrupted }
}
