import Synchronization
import Transfer
public import VitrineKit

extension S3Backend: WritableBackend {
    /// Objects come into being in one step, and large ones are resumed. That nothing is replaced is decided by servers
    /// that know `If-None-Match`; before others the backend looks.
    public var writing: WritingAbilities {
        var abilities = WritingAbilities()
        abilities.resumes = true
        abilities.decidesAbsence = false
        abilities.checksums = [.md5]
        abilities.maximumFileSize = 5 << 40
        return abilities
    }

    /// Makes the mark of an empty folder, an object of no bytes with a slash at its end.
    public func makeFolder(_ path: ItemPath) async throws(PluginError) {
        try await checkFolder(above: path)
        let doing = "cannot make the folder \(path.shown)"
        if try await isThere(path) { throw S3Condition.exists(doing) }
        var request = try bucket.request("PUT", key: prefix(of: path), purpose: doing)
        request.set("Content-Length", "0")
        request.isIdempotent = true
        _ = try await client.collect(request)
        folders.withLock { _ = $0.insert(path) }
    }

    /// Begins an object; nothing is sent yet.
    public func write(_ path: ItemPath, _ draft: FileDraft) async throws(PluginError) -> any WriteTransaction {
        try await checkFolder(above: path)
        return S3Draft(self, path, draft)
    }

    /// Whether something has a name.
    func isThere(_ path: ItemPath) async throws(PluginError) -> Bool {
        do throws(PluginError) {
            _ = try await stat(path)
            return true
        } catch {
            if error.code == .notFound { return false }
            throw error
        }
    }

    /// A folder is asked about once.
    private func checkFolder(above path: ItemPath) async throws(PluginError) {
        guard let folder = path.parent else { throw PluginError(.exists, "the root of a source is there already") }
        guard !folder.isRoot, !folders.withLock({ $0.contains(folder) }) else { return }
        guard try await stat(folder).kind == .folder else {
            throw PluginError(.notAFile, "\(folder.shown) is a file, not a folder")
        }
        folders.withLock { folders in
            if folders.count >= 10_000 { folders = [] }
            folders.insert(folder)
        }
    }
}

/// "Using server-side encryption" of the Amazon S3 User Guide.
enum S3Encryption {
    /// Whether the server encrypts with keys of its own, `aws:kms` or `aws:kms:dsse`: marks are no checksums then.
    static func isOfServer(_ head: ResponseHead) -> Bool {
        head.value("x-amz-server-side-encryption")?.hasPrefix("aws:kms") ?? false
    }
}

extension S3Backend: ChecksumBackend {
    /// The mark of an object that was written in one request is its MD5, unless the server encrypts with keys of its own.
    public func checksums(of path: ItemPath) async throws(PluginError) -> [Checksum] {
        var request = try bucket.request(
            "HEAD", key: bucket.prefix + path.bytes, purpose: "cannot look at \(path.shown)")
        request.accepted = { $0 == 200 }
        let head = try await client.collect(request).head
        guard !S3Encryption.isOfServer(head), let etag = head.etag,
            let sum = Checksum(.md5, hexadecimal: etag)
        else { return [] }
        return [sum]
    }
}
