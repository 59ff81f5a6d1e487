/// A file that is being written, and that nobody sees yet.
///
/// ``append(_:at:)`` and ``commit(_:content:)`` are called one after the other. ``suspend()`` and ``abandon()`` may be called at
/// any time, also while another call is under way that is not waited for any more, and wait for that one. When the last
/// reference goes without any of them, it is as if it was suspended.
public protocol WriteTransaction: Sendable {
    /// How many bytes from the start are there already, from an earlier transaction; the first call appends at this
    /// offset. 0 for a new file.
    var kept: Int64 { get }

    /// Adds bytes behind those that are there.
    /// - Parameters:
    ///   - bytes: 1 or more, of any number.
    ///   - offset: how many bytes are before them, so that nothing is written twice or left out.
    /// - Throws: `invalidArgument` for another offset, or for more than the draft's size; `noSpace`, `offline` …
    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError)

    /// Gives the file its name, once it is kept safe. Nothing can be done with the transaction then.
    /// - Parameters:
    ///   - condition: whether another file may be replaced.
    ///   - content: checksums of all that was appended, of the kinds that ``WritingAbilities/checksums`` names, as far as
    ///     they are known; what the storage says of its bytes is compared with them.
    /// - Returns: what the storage says of it.
    /// - Throws: `exists` when something else has the name and may not be replaced, `changed` when what is there is not
    ///   what was appended, `invalidArgument` when bytes are missing. Nothing has changed under the name then.
    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile

    /// Leaves it half-way, to be gone on with. Where the source does not resume, the same as ``abandon()``.
    func suspend() async

    /// Takes away all that was written.
    func abandon() async
}

extension WriteTransaction {
    /// Takes away all that was written.
    public func suspend() async { await abandon() }
}
