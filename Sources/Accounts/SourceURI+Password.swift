public import VitrineKit

extension SourceURI {
    /// Refuses an address with a password in it: it would be kept, shown and logged wherever the address is.
    /// - Throws: `invalidArgument`, without the address.
    public func checkNoPassword() throws(PluginError) {
        // `feed:https://…` has its authority behind the second scheme.
        if authority == nil, let inner = try? SourceURI(String(text.dropFirst(scheme.utf8.count + 1))) {
            return try inner.checkNoPassword()
        }
        let user = authority.flatMap { text in text.lastIndex(of: "@").map { text[..<$0] } }
        guard user?.contains(":") != true else {
            throw PluginError(
                .invalidArgument,
                "an address holds no password: leave it out; 'vitrine account add' asks for it and keeps it")
        }
    }
}
