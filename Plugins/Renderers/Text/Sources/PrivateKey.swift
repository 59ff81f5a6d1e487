/// Keys that nobody but their owner may have, in the forms that are text: a picture of one, or its letters among what can be
/// found, would be a copy that nobody guards.
enum PrivateKey {
    /// Whether a text is one, or several of which one is. Those that speak of keys, as manuals and programs do, are not.
    static func isHeld(in text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true).lazy
            .map { $0.drop(while: \.isWhitespace) }
        guard let first = lines.first(where: { !$0.isEmpty }) else { return false }
        if first.hasPrefix("PuTTY-User-Key-File-") { return true }
        // What OpenSSL says of a key before it.
        guard first.hasPrefix(begin) || first.hasPrefix("Bag Attributes") else { return false }
        // RFC 7468 and RFC 9580: of any kind, also encrypted ones, which may be tried for ever.
        return lines.contains { $0.hasPrefix(begin) && $0.contains("PRIVATE KEY") }
    }

    private static let begin = "-----BEGIN "
}
