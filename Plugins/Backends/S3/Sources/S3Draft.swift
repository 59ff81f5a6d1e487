import Transfer
import VitrineKit

/// An object that is being written: in one request when it is small, else in parts. Nobody sees it before its end.
///
/// Parts that are there from an earlier try are found again by their checksums, and not sent again.
actor S3Draft: WriteTransaction {
    /// What was sent before is compared part by part.
    nonisolated let kept: Int64 = 0

    private let backend: S3Backend
    private let path: ItemPath
    private let draft: FileDraft
    private let doing: String
    private let partSize: Int
    private var buffer: [UInt8] = []
    private var length: Int64 = 0
    private var upload: S3Upload?
    private var known: [Int: S3Upload.Part] = [:]
    private var etags: [String] = []
    private var reused: Int64 = 0
    private var isEnded = false
    /// Whether the upload was begun here. Another one, which was found, may be somebody else's at this moment.
    private var isOwn = false
    /// The call under way.
    private var running: Task<Result<WrittenFile, PluginError>, Never>?

    /// Smaller ones than 5 MiB are refused, but for the last.
    private static let smallestPart: Int64 = 8 << 20
    private static let mostParts: Int64 = 10_000

    init(_ backend: S3Backend, _ path: ItemPath, _ draft: FileDraft) {
        (self.backend, self.path, self.draft) = (backend, path, draft)
        doing = "cannot write \(path.shown)"
        // The same for the same size, so that parts of an earlier try fit; without one, for 160 GB.
        let needed = draft.size.map { ((($0 / (Self.mostParts - 1)) >> 20) + 1) << 20 } ?? (16 << 20)
        partSize = Int(max(Self.smallestPart, needed))
    }

    func append(_ bytes: [UInt8], at offset: Int64) async throws(PluginError) {
        guard !isEnded, !bytes.isEmpty, offset == length, Int64(bytes.count) <= (draft.size ?? .max) - length else {
            throw PluginError(.invalidArgument, "\(doing): \(bytes.count) bytes at \(offset) are not what comes next")
        }
        length += Int64(bytes.count)
        buffer += bytes
        guard buffer.count > partSize else { return }
        _ = try await work { () throws(PluginError) in try await self.sendParts() }
    }

    func commit(_ condition: WriteCondition, content: [Checksum]) async throws(PluginError) -> WrittenFile {
        guard !isEnded, draft.size == nil || draft.size == length else {
            throw PluginError(.invalidArgument, "\(doing): \(length) bytes are not all of it")
        }
        let written = try await work { () throws(PluginError) in try await self.finish(condition, content) }
        isEnded = true
        return written
    }

    private func sendParts() async throws(PluginError) -> WrittenFile {
        while buffer.count > partSize { try await sendPart(Array(buffer.prefix(partSize))) }
        return WrittenFile()
    }

    private func finish(_ condition: WriteCondition, _ content: [Checksum]) async throws(PluginError) -> WrittenFile {
        let isNew = condition == .ifAbsent
        // Not every server knows the condition.
        if isNew, try await backend.isThere(path) { throw S3Condition.exists(doing) }
        var written = WrittenFile()
        if upload == nil {
            written.checksum = try await sendWhole(isNew, content.first { $0.algorithm == .md5 })
        } else {
            if !buffer.isEmpty { try await sendPart(buffer) }
            try await upload?.complete(etags, ifAbsent: isNew)
            written.reused = reused
        }
        return written
    }

    /// Does something that ``abandon()`` can wait for.
    private func work(
        _ body: @escaping @Sendable () async throws(PluginError) -> WrittenFile
    ) async throws(PluginError) -> WrittenFile {
        let task = Task { () async -> Result<WrittenFile, PluginError> in
            do throws(PluginError) { return .success(try await body()) } catch { return .failure(error) }
        }
        running = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    func suspend() async {
        running?.cancel()
        _ = await running?.value
        isEnded = true
        buffer = []
    }

    func abandon() async {
        let wasEnded = isEnded
        await suspend()
        let upload = wasEnded || !isOwn ? nil : upload
        // Also for a task that is cancelled. What cannot be taken away now costs room and is not seen.
        await Task { try? await upload?.abort() }.value
    }

    private func sendPart(_ bytes: [UInt8]) async throws(PluginError) {
        let sum = Checksum.md5(of: bytes).map { String($0.description.dropFirst("md5:".count)) }
        let size = Int64(bytes.count)
        if upload == nil { try await begin(with: S3Upload.Part(size: size, etag: sum ?? "")) }
        guard let upload else { return }
        let number = etags.count + 1
        if let sum, known[number] == S3Upload.Part(size: size, etag: sum) {
            etags.append(sum)
            reused += size
        } else {
            etags.append(try await upload.send(bytes, number: number))
        }
        buffer.removeFirst(min(bytes.count, buffer.count))
    }

    /// Finds the upload that begins with the same part, or begins a new one.
    private func begin(with first: S3Upload.Part) async throws(PluginError) {
        let (bucket, client, key) = (backend.bucket, backend.client, backend.bucket.prefix + path.bytes)
        if draft.token != nil {
            for other in try await S3Upload.unfinished(key, bucket, client, doing) {
                let parts = (try? await other.parts()) ?? [:]
                guard parts[1] == first else { continue }
                (upload, known) = (other, parts)
                return
            }
        }
        isOwn = true
        upload = try await S3Upload.begin(key, draft.contentType, bucket, client, doing)
    }

    /// - Returns: the checksum, if it was compared.
    private func sendWhole(_ isNew: Bool, _ sum: Checksum?) async throws(PluginError) -> Checksum? {
        var request = try backend.bucket.request(
            "PUT", key: backend.bucket.prefix + path.bytes, body: buffer, contentType: draft.contentType, purpose: doing
        )
        if buffer.isEmpty { request.set("Content-Length", "0") }
        request.isIdempotent = true
        let head = try await S3Condition.collect(request, ifAbsent: isNew, backend.client).head
        // A mark that is none of MD5 is one of encryption with a key of the server's.
        guard let sum, !S3Encryption.isOfServer(head), let etag = head.etag,
            let theirs = Checksum(.md5, hexadecimal: etag)
        else { return nil }
        guard theirs == sum else {
            throw PluginError(.changed, "\(doing): the server stored \(theirs), and \(sum) was sent")
        }
        return sum
    }
}
