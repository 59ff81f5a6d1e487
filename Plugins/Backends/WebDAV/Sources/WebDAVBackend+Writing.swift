import CCurl
import Transfer
public import VitrineKit

extension WebDAVBackend: WritableBackend {
    /// Files are sent as a whole. Times are kept by servers that know `X-OC-Mtime`, which cannot be relied on; nor can
    /// that one of two requests with `Overwrite: F` finds the name taken: Apache looks first, and renames then.
    public var writing: WritingAbilities {
        var abilities = WritingAbilities()
        abilities.decidesAbsence = false
        abilities.checksums = [.sha1, .md5]
        return abilities
    }

    /// Makes a folder, after a look: not every server says that something is there.
    public func makeFolder(_ path: ItemPath) async throws(PluginError) {
        guard !path.isRoot else { throw PluginError(.exists, "the root of a source is there already") }
        let doing = "cannot make the folder \(path.shown)"
        let exists = PluginError(.exists, "\(doing): something has that name already")
        if try await existing(path) != nil { throw exists }
        let request = TransferRequest(try root.url(of: path, isFolder: true), method: "MKCOL", purpose: doing)
        do throws(PluginError) { _ = try await client.collect(request) } catch {
            // Somebody else was quicker, which is said in several ways.
            let mayBeThere: [PluginError.Code] = [.invalidArgument, .io, .changed]
            if mayBeThere.contains(error.code), try await existing(path) != nil { throw exists }
            throw error
        }
    }

    /// Begins a file; nothing is sent yet.
    public func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        try DAVDraft(self, path, draft)
    }

    /// What has a name; `nil` when nothing has.
    func existing(_ path: ItemPath) async throws(PluginError) -> Entry? {
        do throws(PluginError) { return try await stat(path) } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }

    /// What the server says of a file, checksums included.
    func checked(_ path: ItemPath, _ doing: String) async throws(PluginError) -> DAVResponse {
        try await ask(
            propfind(path, depth: 0, purpose: doing, isFolder: false, properties: Self.withChecksums), about: path)
    }

    /// Gives a file another name. Servers that copy to do so send nothing until they are done: they have as long as any
    /// request may take.
    func move(
        _ path: ItemPath, to other: ItemPath, replaces: Bool, _ doing: String
    ) async throws(PluginError) {
        var request = TransferRequest(try root.url(of: path, isFolder: false), method: "MOVE", purpose: doing)
        request.set("Destination", try root.url(of: other, isFolder: false).text)
        request.set("Overwrite", replaces ? "T" : "F")
        let server = root.base.server
        let seconds = max(1, Int(client.policy.timeout.components.seconds))
        request.configure = { $0.set(CURLOPT_LOW_SPEED_TIME, seconds) }
        // 207 tells of names that were not moved (RFC 4918, section 9.9.4).
        request.accepted = { [200, 201, 204].contains($0) }
        request.explain = { head, _ in
            switch head.status {
            case 200..<300:
                PluginError(.forbidden, "\(doing): '\(server)' did not rename it (status \(head.status))")
            case 412: PluginError(.exists, "\(doing): something has that name already")
            case 405, 501:
                PluginError(
                    .unsupported,
                    "\(doing): '\(server)' cannot rename files, so that none could be whole from the start")
            default: nil
            }
        }
        _ = try await client.collect(request)
    }

    /// Removes a file; one that is not there is no failure.
    func delete(_ path: ItemPath) async throws(PluginError) {
        var request = TransferRequest(
            try root.url(of: path, isFolder: false), method: "DELETE", purpose: "cannot remove \(path.shown)")
        request.accepted = { 200..<300 ~= $0 || $0 == 404 }
        request.isIdempotent = true
        _ = try await client.collect(request)
    }

    private static let withChecksums = Array(
        """
        <?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/>\
        <checksums xmlns="http://owncloud.org/ns"/></prop></propfind>
        """.utf8)
}

extension WebDAVBackend: ChecksumBackend {
    /// What ownCloud, Nextcloud and others tell as `oc:checksums`.
    public func checksums(of path: ItemPath) async throws(PluginError) -> [Checksum] {
        try await checked(path, "cannot look at \(path.shown)").checksums
    }
}
