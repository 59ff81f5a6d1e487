public import VitrineKit

extension SourceURI {
    /// Checks that nothing follows a `?`, which most often is a letter of a name that was written as it is.
    /// - Throws: `invalidArgument` with what to write instead, but not with what stands there, which may be a secret.
    public func checkNoQuery() throws(PluginError) {
        guard query != nil else { return }
        throw PluginError(
            .invalidArgument,
            "a URI of '\(DisplayText.of(scheme)):' has nothing behind a '?': write %3F for one in a name; what else a server "
                + "wants to know are settings of an account")
    }
}
