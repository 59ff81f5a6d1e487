import CSSH
import Transfer
import VitrineKit

extension SSHLink {
    /// Proves who the user is: by the key file, the agent, the keys in the user's folder, and by the password, of what there
    /// is and what the server takes.
    func logIn() throws(TransferFailure) {
        let server = settings.server
        let nobody = try answer { ssh_userauth_none(session, nil) }
        if nobody == SSH_AUTH_SUCCESS.rawValue { return }
        if nobody == SSH_AUTH_ERROR.rawValue { throw failure("cannot log in", status: nil) }
        let methods = UInt32(bitPattern: ssh_userauth_list(session, nil))
        var tried: [String] = []
        for method in [keyFile, agent, ownKeys, interactive, plainPassword] {
            guard let (name, status) = try method(methods) else { continue }
            if status == SSH_AUTH_SUCCESS.rawValue { return }
            guard isLeft || wasDismissed else { throw failure("cannot log in", status: nil) }
            tried.append(name)
            if !isLeft { break }
        }
        let ways = tried.isEmpty ? "no key, agent or password that it takes" : tried.joined(separator: ", ")
        throw TransferFailure(
            PluginError(
                .unauthorized,
                "'\(server)' does not let the user '\(DisplayText.of(settings.user))' in; tried: \(ways). Check the settings "
                    + "'user', 'key-file' and 'password', or the agent"))
    }

    /// One step of a log-in: asks until the server answers, leaves, or the time is up.
    ///
    /// The library does not wait by itself: once a server has ended the connection in words it would go on waiting for as
    /// long as it may.
    /// - Throws: when the time is up: who does not answer refused nobody.
    private func answer(_ step: () -> CInt) throws(TransferFailure) -> CInt {
        let status = socket.within(limit) {
            ssh_set_blocking(session, 0)
            defer { ssh_set_blocking(session, 1) }
            while true {
                let status = step()
                guard status == SSH_AUTH_AGAIN.rawValue, ssh_is_connected(session) != 0, socket.awaitBytes() else {
                    return status
                }
            }
        }
        if status != SSH_AUTH_SUCCESS.rawValue, socket.isOutOfTime || status == SSH_AUTH_AGAIN.rawValue, !wasDismissed {
            throw failure("cannot log in", status: nil)
        }
        return status
    }

    /// Whether the connection is there: who is not let in since it broke was not refused.
    private var isLeft: Bool { !socket.isOutOfTime && ssh_is_connected(session) != 0 }

    /// Whether the server ended it in words, as it does after too many tries; libssh tells it in its sentence only.
    private var wasDismissed: Bool { TransferFailure.text(session).contains("SSH_MSG_DISCONNECT") }

    private typealias Attempt = (name: String, status: CInt)

    private func keyFile(_ methods: UInt32) throws(TransferFailure) -> Attempt? {
        guard let file = settings.keyFile, methods & SSH_AUTH_METHOD_PUBLICKEY != 0 else { return nil }
        var key: ssh_key?
        // Without a passphrase the library must not ask the terminal for one.
        let status = ssh_pki_import_privkey_file(file, settings.passphrase ?? "", { _, _, _, _, _, _ in -1 }, nil, &key)
        guard status == SSH_OK, let key else {
            throw TransferFailure(
                PluginError(
                    .unauthorized,
                    "the key file '\(DisplayText.of(file))' cannot be used: check that it is there and readable, and the "
                        + "setting 'passphrase' if it has one"))
        }
        defer { ssh_key_free(key) }
        return ("the key file", try answer { ssh_userauth_publickey(session, nil, key) })
    }

    private func agent(_ methods: UInt32) throws(TransferFailure) -> Attempt? {
        guard !settings.agent.isEmpty, methods & SSH_AUTH_METHOD_PUBLICKEY != 0 else { return nil }
        return ("the agent", try answer { ssh_userauth_agent(session, nil) })
    }

    /// The keys that ssh tries by itself; one with a passphrase is passed over.
    private func ownKeys(_ methods: UInt32) throws(TransferFailure) -> Attempt? {
        guard settings.keyFile == nil, methods & SSH_AUTH_METHOD_PUBLICKEY != 0 else { return nil }
        let names = ["id_ed25519", "id_ecdsa", "id_rsa"]
        var status: CInt?
        for name in names {
            var key: ssh_key?
            let file = "\(settings.folder)/\(name)"
            guard
                ssh_pki_import_privkey_file(file, settings.passphrase ?? "", { _, _, _, _, _, _ in -1 }, nil, &key)
                    == SSH_OK, let key
            else { continue }
            defer { ssh_key_free(key) }
            status = try answer { ssh_userauth_publickey(session, nil, key) }
            if status == SSH_AUTH_SUCCESS.rawValue || !isLeft { break }
        }
        return status.map { ("the keys in '\(DisplayText.of(settings.folder))'", $0) }
    }

    private func plainPassword(_ methods: UInt32) throws(TransferFailure) -> Attempt? {
        guard let password = settings.password, methods & SSH_AUTH_METHOD_PASSWORD != 0 else { return nil }
        return ("the password", try answer { ssh_userauth_password(session, nil, password) })
    }

    /// Answers each question whose answer may not be seen with the password, and all others with nothing.
    private func interactive(_ methods: UInt32) throws(TransferFailure) -> Attempt? {
        guard let password = settings.password, methods & SSH_AUTH_METHOD_INTERACTIVE != 0 else { return nil }
        var status = try answer { ssh_userauth_kbdint(session, nil, nil) }
        var rounds = 0
        while status == SSH_AUTH_INFO.rawValue, rounds < 8 {
            rounds += 1
            for number in 0..<UInt32(clamping: ssh_userauth_kbdint_getnprompts(session)) {
                var isShown: CChar = 0
                _ = ssh_userauth_kbdint_getprompt(session, number, &isShown)
                ssh_userauth_kbdint_setanswer(session, number, isShown == 0 ? password : "")
            }
            status = try answer { ssh_userauth_kbdint(session, nil, nil) }
        }
        return ("the password when asked", status)
    }
}
