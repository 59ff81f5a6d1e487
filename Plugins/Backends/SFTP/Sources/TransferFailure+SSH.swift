import CSSH
import Transfer
import VitrineKit

extension TransferFailure {
    /// What took so long that this side ended the connection.
    enum Slowness {
        /// Nothing came for `stall-timeout`.
        case answer
        /// The server may have answered all the time, but did not let the user in for this long.
        case logIn(Duration)

        func reason(_ server: String) -> String {
            switch self {
            case .answer: return "'\(server)' did not answer in time"
            case .logIn(let limit):
                let tenths = limit.milliseconds / 100
                let seconds = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
                return "'\(server)' did not let the user in within \(seconds) s (connect-timeout and stall-timeout)"
            }
        }
    }

    /// What libssh says of a call that failed: the one place where that is decided.
    /// - Parameters:
    ///   - status: of the file transfer protocol, as the server answered; 0 or 1 when no such answer came.
    ///   - session: where else to look.
    ///   - slowness: what this side ended the connection for; `nil` when it did not.
    ///   - doing: the beginning of a sentence.
    ///   - server: for sentences.
    init(status: CInt, session: ssh_session, _ slowness: Slowness?, _ doing: String, server: String) {
        let (code, reason, isPassing): (PluginError.Code, String, Bool) =
            switch status {
            case SSH_FX_NO_SUCH_FILE, SSH_FX_NO_SUCH_PATH: (.notFound, "'\(server)' has nothing there", false)
            case SSH_FX_PERMISSION_DENIED, SSH_FX_WRITE_PROTECT:
                (.forbidden, "'\(server)' does not allow it to this user", false)
            case SSH_FX_FILE_ALREADY_EXISTS: (.exists, "something has that name already", false)
            case SSH_FX_OP_UNSUPPORTED: (.io, "'\(server)' does not know this kind of request", false)
            case SSH_FX_OK, SSH_FX_EOF, SSH_FX_NO_CONNECTION, SSH_FX_CONNECTION_LOST, SSH_FX_BAD_MESSAGE:
                slowness.map { (.offline, $0.reason(server), true) }
                    ?? (.io, "'\(server)' ended the connection: " + Self.text(session), true)
            default: (.io, "'\(server)' failed (status \(status))", false)
            }
        self.init(PluginError(code, "\(doing): \(reason)"), isPassing: isPassing, isOfSource: isPassing)
    }

    /// What the library says in words; may quote the server.
    static func text(_ session: ssh_session) -> String {
        cssh_error(session).map { DisplayText.of(String(cString: $0).trimmed) } ?? "nothing more is known"
    }
}
