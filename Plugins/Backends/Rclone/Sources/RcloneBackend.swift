import CCurl
import Glibc
import JSON
import Transfer
public import VitrineKit

/// Whatever rclone reaches: scheme `rclone`, as `rclone:remote:path`.
///
/// Remotes are those of rclone's own configuration (`rclone config`), where the user has logged in to Dropbox, Google Drive,
/// OneDrive, Box and seventy more. One rclone serves all sources of a process; it listens on a socket that only
/// this user can reach, and ends with the last source or with the process.
///
/// | setting | meaning | default |
/// |---|---|---|
/// | `program` | the program | `rclone`, looked for in `PATH` |
/// | `config` | rclone's configuration file | rclone's own default |
/// | `connections`, `stall-timeout`, `timeout` | as in ``TransferPolicy`` | 6, 20 s, 300 s |
///
/// What rclone asks its user, such as the password of an encrypted configuration, must stand in the environment.
public final class RcloneBackend: MeteredBackend {
    let place: RclonePlace
    let client: TransferClient
    let daemon: RcloneDaemon

    /// Starts rclone unless it runs, and looks at the root of the source.
    public init(source: SourceURI, settings: BackendSettings) async throws(PluginError) {
        place = try RclonePlace(source)
        var policy = try TransferPolicy(settings: settings, schemes: ["http"])
        policy.credentials = .none
        client = TransferClient(policy, name: place.name)
        daemon = try RcloneDaemon.shared(
            RcloneDaemon.Key(program: try Self.program(settings.values["program"]), config: settings.values["config"]))
        try await waitUntilItListens()
        guard try await stat(.root).kind == .folder else {
            throw PluginError(.notAFile, "'\(DisplayText.of(source.text))' is a file, not a folder")
        }
    }

    /// What was asked of rclone since the beginning; how often it asked its storage, it does not tell.
    public var traffic: Traffic { client.traffic }

    /// Lists a folder with one request, in pages of up to 1000 entries.
    public func list(_ folder: ItemPath) -> any AsyncSequence<[Entry], PluginError> & Sendable {
        RcloneListing(backend: self, folder: folder)
    }

    /// What a path is, with one request.
    public func stat(_ path: ItemPath) async throws(PluginError) -> Entry {
        let purpose = "cannot look at \(path.shown)"
        var asked = try request("operations/stat", path, purpose: purpose)
        asked.maximumBytes = Int64(JSONElements.longest)
        let (_, body) = try await client.collect(asked)
        guard let item = JSONValue(body)?["item"] else {
            throw PluginError(.io, "\(purpose): rclone's answer makes no sense")
        }
        if item == .null {
            // Storages without folders know nothing of an empty root, and it is there all the same.
            guard path.isRoot else { throw PluginError(.notFound, "\(purpose): '\(place.name)' has nothing there") }
            return Entry(name: [], kind: .folder)
        }
        guard var entry = Entry(rclone: item) else {
            throw PluginError(.io, "\(purpose): rclone's answer makes no sense")
        }
        entry.name = path.name
        return entry
    }

    /// Looks at a file.
    public func open(_ path: ItemPath) async throws(PluginError) -> any ByteSource {
        try await open(path, listedAs: try await stat(path))
    }

    /// Asks nothing.
    public func open(_ path: ItemPath, listedAs entry: Entry) async throws(PluginError) -> any ByteSource {
        guard entry.kind == .file else { throw PluginError(.notAFile, "\(path.shown) is a folder, not a file") }
        let url = try place.url(of: path)
        let socket = daemon.socket
        return HTTPFile(
            entry: entry, strongTag: nil, client: client,
            request: { headers in
                var request = TransferRequest(url, purpose: "cannot read \(path.shown)")
                request.headers = headers
                request.followsRedirects = false
                request.configure = { Self.configure($0, socket) }
                return request
            },
            now: { () throws(PluginError) in try await self.stat(path) })
    }

    /// A call of rclone's remote control about a path.
    func request(_ call: String, _ path: ItemPath, purpose: String) throws(PluginError) -> TransferRequest {
        let (fs, remote) = try place.names(of: path)
        var request = TransferRequest(try TransferURL("http://rclone/\(call)"), method: "POST", purpose: purpose)
        request.set("Content-Type", "application/json")
        request.body = Array(
            """
            {"fs":\(JSONValue.quoted(fs)),"remote":\(JSONValue.quoted(remote)),"opt":{"noMimeType":true}}
            """.utf8)
        request.isIdempotent = true
        request.followsRedirects = false
        let (socket, name) = (daemon.socket, place.name)
        request.configure = { Self.configure($0, socket) }
        request.explain = { head, body in
            guard let reason = JSONValue(body)?["error"]?.text else { return nil }
            // What rclone says of a root that is a file has no status of its own.
            let isFile = reason.hasSuffix("is a file not a directory")
            let code: PluginError.Code =
                isFile ? .notAFile : head.status == 404 ? .notFound : head.status == 400 ? .invalidArgument : .io
            return PluginError(
                code, "\(purpose): rclone says of '\(name)': \(DisplayText.of(String(reason.prefix(500))))")
        }
        return request
    }

    private static func configure(_ handle: borrowing TransferHandle, _ socket: String) {
        handle.set(CURLOPT_UNIX_SOCKET_PATH, socket)
        handle.set(CURLOPT_NOPROXY, "*")
    }

    private func waitUntilItListens() async throws(PluginError) {
        let deadline = ContinuousClock.now + .seconds(20)
        // Nobody tells when it listens; it is looked for again.
        while !daemon.isListening {
            guard daemon.isRunning, ContinuousClock.now < deadline else {
                throw PluginError(
                    .pluginUnavailable,
                    "rclone does not start: it said '\(daemon.log)'. Version 1.61 or newer is needed; the setting 'program' "
                        + "names another one")
            }
            do { try await Task.sleep(for: .milliseconds(10)) } catch {
                throw PluginError(.cancelled, "starting rclone was stopped")
            }
        }
    }

    /// Finds the program.
    private static func program(_ setting: String?) throws(PluginError) -> String {
        if let setting {
            guard setting.hasPrefix("/"), access(setting, X_OK) == 0 else {
                throw PluginError(
                    .pluginUnavailable,
                    "the setting 'program' names '\(DisplayText.of(setting))', which is no absolute path of a program")
            }
            return setting
        }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
            if access(folder + "/rclone", X_OK) == 0 { return folder + "/rclone" }
        }
        throw PluginError(
            .pluginUnavailable, "rclone is not installed: install it, or name it in the setting 'program'")
    }
}

extension Entry {
    /// What rclone tells of a file or folder.
    init?(rclone item: JSONValue) {
        guard let name = item["Name"]?.text, let isFolder = item["IsDir"]?.boolean else { return nil }
        self.init(name: Array(name.utf8), kind: isFolder ? .folder : .file)
        guard !isFolder else { return }
        // Documents of some drives have no size before they are converted.
        size = item["Size"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
        modified = item["ModTime"]?.text.flatMap { HTTPDate.parse($0) }
    }
}
