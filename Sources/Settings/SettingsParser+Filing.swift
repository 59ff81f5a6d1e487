import CGIO
import VitrineKit

// What `[source NAME-OR-URI]` says of messages.
extension SettingsParser {
    private static let mostSenders = 1000

    /// Takes a key of these.
    /// - Returns: whether it is one.
    mutating func take(filing keys: OpaquePointer?, _ group: String, _ key: String) throws(PluginError) -> Bool {
        guard let known = FilingSettings.Key(rawValue: key), group.hasPrefix(Self.sourcePrefix),
            let source = SourceKey(String(group.dropFirst(Self.sourcePrefix.count)))
        else { return false }
        var filing = settings.filing[source] ?? FilingSettings()
        let values = try list(keys, group, key).map { String(decoding: $0, as: UTF8.self) }
        switch known {
        case .knownSenders:
            guard values.count <= Self.mostSenders else {
                throw refused(group, key, "it has more than \(Self.mostSenders) addresses")
            }
            filing.knownSenders = try values.map { (value) throws(PluginError) in try address(value, group, key) }
        case .authenticatedBy:
            guard values.count == 1, let name = values.first, Self.isWord(name) else {
                throw refused(
                    group, key, "it is the one name that your mail server signs with, such as mx.example.org")
            }
            filing.authenticatedBy = name.lowercased()
        }
        settings.filing[source] = filing
        return true
    }

    private func address(_ text: String, _ group: String, _ key: String) throws(PluginError) -> String {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isWord(String(parts[0])), Self.isWord(String(parts[1])), text.utf8.count <= 320
        else {
            throw refused(
                group, key, "'\(DisplayText.of(text))' is no address; write alice@example.org, without a name")
        }
        return parts[0] + "@" + parts[1].lowercased()
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"<>(),;:\\\"".utf8.contains($0) }
    }
}
