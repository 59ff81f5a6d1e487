/// Takes the contents of members, each into bounded memory. Made by the worker.
public protocol MemberOutput: AnyObject {
    /// Takes the content of one member.
    ///
    /// What is wrong with this member alone (`corrupt`, `locked`, `unsupported`, `limitExceeded`) is written down
    /// and not thrown again, so that the pass goes on.
    /// - Parameters:
    ///   - place: the member's.
    ///   - content: called at most once, and not for a place that was not asked for. It hands all bytes to the writer,
    ///     piece by piece, and passes on what that throws.
    /// - Returns: whether further members are wanted.
    /// - Throws: what else `content` throws.
    func take(
        _ place: UInt64, _ content: (any MemberWriter) throws(PluginError) -> Void
    ) throws(PluginError) -> Bool
}
