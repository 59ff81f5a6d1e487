import CSSH
import Transfer
import VitrineKit

extension TransferFailure {
    /// What libssh says of a call that failed: the one place where that is decided.
    /// - Parameters:
    ///   - status: of the file transfer protocol, as the server answered; 0 or 1 when no such answer came.
    ///   - session: where else to look.
    ///   - timedOut: whether this side ended the connection since nothing came.
    ///   - doing: the beginning of a sentence.
    ///   - server: for sentences.
    init(status: CInt, session: ssh_session, timedOut: Bool, _ doing: String, server: String) {
        let (code, reason, isPassing): (PluginError.Code, String, Bool) =
            switch status {
            case SSH_FX_NO_SUCH_FILE, SSH_FX_NO_SUCH_PATH: (.notFound, "'\(server)' has nothing there", false)
            case SSH_FX_PERMISSION_DENIED, SSH_FX_WRITE_PROTECT:
                (.forbidden, "'\(server)' does not allow it to this user", false)
            case SSH_FX_FILE_ALREADY_EXISTS: (.exists, "something has that name already", false)
            case SSH_FX_OP_UNSUPPORTED: (.io, "'\(server)' does not know this kind of request", false)
            case SSH_FX_OK, SSH_FX_EOF, SSH_FX_NO_CONNECTION, SSH_FX_CONNECTION_LOST, SSH_FX_BAD_MESSAGE:
                timedOut
                    ? (.offline, "'\(server)' did not answer in time", true)
                    : (.io, "'\(server)' ended the connection: " + Self.text(session), true)
            default: (.io, "'\(server)' failed (status \(status))", false)
            }
        self.init(PluginError(code, "\(doing): \(reason)"), isPassing: isPassing, isOfSource: isPassing)
    }

    /// What the library says in words; may quote the server.
    static func text(_ session: ssh_session) -> String {
        cssh_error(session).map { DisplayText.of(String(cString: $0).trimmed) } ?? "nothing more is known"
    }
}
