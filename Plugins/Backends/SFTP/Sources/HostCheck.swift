import CSSH
import Glibc
import Transfer
import VitrineKit

/// Whether a server is the one that the user knows. Nothing is ever added to what is known.
struct HostCheck {
    private let settings: SFTPSettings

    init(_ settings: SFTPSettings) { self.settings = settings }

    /// Compares the key of a connected server with the known ones; also those of the system, unless the setting
    /// `known-hosts` names a file.
    func check(_ session: ssh_session) throws(TransferFailure) {
        var key: ssh_key?
        guard ssh_get_server_publickey(session, &key) == SSH_OK, let key else {
            throw refusal("'\(settings.server)' does not say who it is")
        }
        defer { ssh_key_free(key) }
        let print = fingerprint(key)
        let file = DisplayText.of(settings.knownHosts)
        if isRevoked(key) {
            throw refusal("'\(file)' says that the key of '\(settings.server)' (\(print)) is revoked: do not trust it")
        }
        switch ssh_session_is_known_server(session) {
        case SSH_KNOWN_HOSTS_OK: return
        case SSH_KNOWN_HOSTS_CHANGED, SSH_KNOWN_HOSTS_OTHER:
            throw refusal(
                "'\(settings.server)' has another key (\(print)) than '\(file)' says: somebody may listen in. If its owner "
                    + "confirms the new key, replace the line in that file")
        case SSH_KNOWN_HOSTS_UNKNOWN, SSH_KNOWN_HOSTS_NOT_FOUND:
            throw refusal(
                "'\(settings.server)' is not known: its key (\(print)) is not in '\(file)'. Connect with ssh once, or add the "
                    + "line that its owner gives you")
        default: throw refusal("'\(file)' cannot be read: " + TransferFailure.text(session))
        }
    }

    private func refusal(_ message: String) -> TransferFailure { TransferFailure(PluginError(.forbidden, message)) }

    private func fingerprint(_ key: ssh_key) -> String {
        var digest: UnsafeMutablePointer<UInt8>?
        var length = 0
        guard ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &digest, &length) == 0 else {
            return "no fingerprint"
        }
        defer { ssh_clean_pubkey_hash(&digest) }
        guard let text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, digest, length) else {
            return "no fingerprint"
        }
        defer { ssh_string_free_char(text) }
        return String(cString: text)
    }

    /// Whether a line `@revoked … key` of the file holds the key, for whichever host: the library passes such lines over.
    private func isRevoked(_ key: ssh_key) -> Bool {
        var text: UnsafeMutablePointer<CChar>?
        guard ssh_pki_export_pubkey_base64(key, &text) == SSH_OK, let text else { return true }
        defer { ssh_string_free_char(text) }
        let wanted = String(cString: text)
        guard let file = fopen(settings.knownHosts, "re") else { return false }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var room = 0
        defer { free(line) }
        while getline(&line, &room, file) >= 0, let line {
            let words = String(cString: line).split(whereSeparator: { $0.isWhitespace })
            if words.first == "@revoked", words.dropFirst(3).first.map({ $0 == wanted }) ?? false { return true }
        }
        return false
    }
}
