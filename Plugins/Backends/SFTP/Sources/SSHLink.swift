import CSSH
import Glibc
import Transfer
import VitrineKit

/// One connection to a server, proven and logged in, with a channel for files. One thread at a time; every call waits for
/// the server.
final class SSHLink {
    let settings: SFTPSettings
    let socket: ServerSocket
    let session: ssh_session
    /// Set once the user is logged in.
    private(set) var files: sftp_session?
    /// Open files by the number of their source, the one that was used last at the end.
    var openFiles: [OpenFile] = []
    /// Open folders by number.
    var openFolders: [UInt64: sftp_dir] = [:]

    /// When the server must have let the user in; `nil` before it is reached and once it has.
    private var letInBy: ContinuousClock.Instant?

    struct OpenFile {
        var number: UInt64
        var handle: sftp_file
    }

    private static let doing = "cannot connect"

    /// Connects within `connect-timeout`, checks who the server is, and logs in: that within ``SFTPSettings/logInTime``. Looking
    /// the name up takes from neither of them.
    init(_ settings: SFTPSettings) throws(TransferFailure) {
        self.settings = settings
        guard let session = ssh_new() else {
            throw TransferFailure(PluginError(.io, "there is no memory for a connection"))
        }
        self.session = session
        do throws(TransferFailure) {
            socket = try ServerSocket(
                host: settings.host, port: settings.port, timeout: settings.policy.connectTimeout, Self.doing,
                server: settings.server)
        } catch {
            ssh_free(session)
            throw error
        }
        letInBy = .now + settings.logInTime
        try configure()
        try waiting(Self.doing) { ssh_connect(session) == SSH_OK }
        try HostCheck(settings).check(session)
        try logIn()
        guard let files = (socket.within(limit) { sftp_new(session) }) else {
            throw failure("'\(settings.server)' offers no files", status: nil)
        }
        self.files = files
        guard socket.within(limit, { sftp_init(files) }) == SSH_OK else {
            throw failure("'\(settings.server)' offers no files", status: files)
        }
        letInBy = nil
    }

    deinit {
        // Nobody waits any more: what the server would answer does not matter, and it may never do.
        socket.within(.seconds(2)) {
            for file in openFiles { sftp_close(file.handle) }
            for folder in openFolders.values { sftp_closedir(folder) }
            if let files { sftp_free(files) }
            ssh_disconnect(session)
            ssh_free(session)
        }
    }

    /// How long one answer may take: before the user is let in, what is left of the time for that.
    var limit: Duration { letInBy.map { max(.zero, $0 - .now) } ?? settings.policy.stallTimeout }

    private func configure() throws(TransferFailure) {
        let folder = settings.folder
        var isSet = cssh_set_string(session, SSH_OPTIONS_HOST, settings.host) == 0
        isSet = cssh_set_port(session, UInt32(settings.port)) == 0 && isSet
        isSet = cssh_set_string(session, SSH_OPTIONS_USER, settings.user) == 0 && isSet
        // The user's own configuration could name programs to run.
        isSet = cssh_set_int(session, SSH_OPTIONS_PROCESS_CONFIG, 0) == 0 && isSet
        isSet = cssh_set_string(session, SSH_OPTIONS_SSH_DIR, folder) == 0 && isSet
        isSet = cssh_set_string(session, SSH_OPTIONS_KNOWNHOSTS, settings.knownHosts) == 0 && isSet
        if !settings.usesSystemHosts {
            isSet = cssh_set_string(session, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null") == 0 && isSet
        }
        if !settings.agent.isEmpty {
            isSet = cssh_set_string(session, SSH_OPTIONS_IDENTITY_AGENT, settings.agent) == 0 && isSet
        }
        // Later than the socket is torn down: that alone says that time was up.
        let longest = Int(clamping: settings.logInTime.components.seconds) + 2
        isSet = cssh_set_long(session, SSH_OPTIONS_TIMEOUT, longest) == 0 && isSet
        isSet = cssh_set_socket(session, socket.descriptor) == 0 && isSet
        guard isSet else {
            close(socket.descriptor)
            throw TransferFailure(
                PluginError(
                    .invalidArgument, "\(Self.doing): a setting cannot be used: " + TransferFailure.text(session)))
        }
    }

    /// Runs something that answers whether it went well.
    private func waiting(_ doing: String, _ body: () -> Bool) throws(TransferFailure) {
        guard socket.within(limit, body) else { throw failure(doing, status: nil) }
    }

    /// Why a call failed.
    /// - Parameter status: the channel that was asked; `nil` when it is about the connection as a whole.
    func failure(_ doing: String, status: sftp_session?) -> TransferFailure {
        // What the channel says last may be about an earlier call, when no answer came to this one.
        let isAlive = { (files: sftp_session) in
            !self.socket.timedOut && ssh_is_connected(self.session) != 0
                && ssh_channel_is_closed(files.pointee.channel) == 0 && ssh_channel_is_eof(files.pointee.channel) == 0
        }
        let answer = status.flatMap { isAlive($0) ? sftp_get_error($0) : nil } ?? SSH_FX_OK
        let slowness: TransferFailure.Slowness? =
            switch (socket.isOutOfTime, letInBy) {
            case (false, _): nil
            case (true, nil): .answer
            case (true, _): .logIn(settings.logInTime)
            }
        return TransferFailure(status: answer, session: session, slowness, doing, server: settings.server)
    }
}
