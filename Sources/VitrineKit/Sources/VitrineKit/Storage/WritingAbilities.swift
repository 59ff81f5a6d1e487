/// What can be relied on when a source is written to.
public struct WritingAbilities: Hashable, Sendable {
    /// Whether a transaction that was left half-way is gone on with, also by another process. Default: no.
    public var resumes = false
    /// Whether files keep the time of their last change that the draft names. Default: no.
    public var keepsTimes = false
    /// Whether ``WriteCondition/ifAbsent`` is decided in the moment of the commit by the storage itself. Where it is not,
    /// the backend or the server looks just before. Default: yes.
    public var decidesAbsence = true
    /// Whether a file is replaced without a moment in which there is neither the old nor the new one. Default: yes.
    public var replacesAtOnce = true
    /// Which checksums the storage computes of what it was sent, and that are compared before a file gets its name.
    /// Default: none.
    public var checksums: [Checksum.Algorithm] = []
    /// The largest file that it takes; `nil` when none is known.
    public var maximumFileSize: Int64?
    /// The most bytes of a name. Default: 255.
    public var maximumNameBytes = 255

    /// Creates the defaults.
    public init() {}
}
