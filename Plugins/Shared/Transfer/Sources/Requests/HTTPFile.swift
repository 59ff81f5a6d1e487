public import VitrineKit

/// A file of a server that answers ranges of HTTP (RFC 9110, section 14): the ``ByteSource`` of all such backends.
///
/// Each range is a request. It names the version that was there at the beginning; another one is `changed`. A server
/// that sends the whole file instead of a range is read up to ``maximumWhole`` and no further.
public struct HTTPFile: ByteSource {
    /// What the file was when it was opened; with its size.
    public let entry: Entry
    /// The most that is read to skip to a range, of a server that knows no ranges.
    public static let maximumWhole: Int64 = 64 << 20

    private let client: TransferClient
    private let strongTag: String?
    private let request: @Sendable (_ headers: [(name: String, value: String)]) throws(PluginError) -> TransferRequest
    private let now: @Sendable () async throws(PluginError) -> Entry
    private let examine: @Sendable (ResponseHead) throws(PluginError) -> Void

    /// Describes a file.
    /// - Parameters:
    ///   - entry: what it is.
    ///   - strongTag: its mark as the server gave it, unless that is weak and so may not be asked for (RFC 9110, section
    ///     13.1.1); the mark of each answer is compared in any case.
    ///   - client: the source's.
    ///   - request: makes a request with these fields of the head, for one range; it may sign it.
    ///   - now: what the file is by then.
    ///   - examine: looks at the head of each answer before anything of it is taken. Default: not at all.
    public init(
        entry: Entry, strongTag: String?, client: TransferClient,
        request: @escaping @Sendable ([(name: String, value: String)]) throws(PluginError) -> TransferRequest,
        now: @escaping @Sendable () async throws(PluginError) -> Entry,
        examine: @escaping @Sendable (ResponseHead) throws(PluginError) -> Void = { _ in }
    ) {
        self.entry = entry
        self.strongTag = strongTag.flatMap { $0.hasPrefix("W/") ? nil : $0 }
        self.client = client
        self.request = request
        self.now = now
        self.examine = examine
    }

    /// Each answer tells of which version it is, where the server marks versions at all.
    public var isPinned: Bool { entry.etag != nil || entry.modified != nil }

    /// What the file is now.
    public func current() async throws(PluginError) -> Entry { try await now() }

    /// Reads a range with one request; none past the end, where that is known.
    public func read(at offset: Int64, count: Int) async throws(PluginError) -> [UInt8] {
        try checkRange(at: offset, count: count)
        var count = Int64(count)
        if let size = entry.size {
            guard offset < size else { return [] }
            count = min(count, size - offset)
        }
        let (end, overflow) = offset.addingReportingOverflow(count)
        guard !overflow else { throw PluginError(.invalidArgument, "there is no range of \(count) bytes at \(offset)") }
        var headers = [(name: "Range", value: "bytes=\(offset)-\(end - 1)")]
        if let strongTag { headers.append(("If-Match", strongTag)) }
        var ranged = try request(headers)
        ranged.accepted = { $0 == 206 || $0 == 200 || $0 == 416 }
        // What is read ahead of it is little; the rest is left where it is.
        ranged.maximumBytes = .max
        let asked = ranged
        return try await client.retrying(asked) { () throws(TransferFailure) in
            let (transfer, head) = try await client.attempt(asked)
            defer { transfer.cancel() }
            try check(head, asked)
            var skip: Int64 = 0
            // Some servers tell the range and call it the whole.
            let isRange = head.status == 206 || head.contentRange != nil
            if head.status == 416 {
                guard entry.size == nil else { throw TransferFailure(changed(asked)) }
                return []
            } else if isRange {
                try check(head.contentRange, offset, asked)
            } else {
                skip = try skipped(offset, end, asked)
            }
            let bytes = try await take(count, skipping: skip, from: transfer, asked)
            // Only a connection whose answer was read to its end is used again.
            if isRange { _ = try await transfer.next() }
            return bytes
        }
    }

    private func take(
        _ count: Int64, skipping: Int64, from transfer: Transfer, _ asked: TransferRequest
    ) async throws(TransferFailure) -> [UInt8] {
        var skip = skipping
        var bytes: [UInt8] = []
        while bytes.count < count, let part = try await transfer.next() {
            let skipped = min(skip, Int64(part.count))
            skip -= skipped
            bytes += part.dropFirst(Int(skipped))
        }
        if bytes.count > count {
            bytes.removeLast(bytes.count - Int(count))
        } else if bytes.count < count, entry.size != nil {
            throw TransferFailure(
                PluginError(.io, "\(asked.purpose): only \(bytes.count) of \(count) bytes came"), isPassing: true)
        }
        return bytes
    }

    private func check(_ head: ResponseHead, _ asked: TransferRequest) throws(TransferFailure) {
        do throws(PluginError) { try examine(head) } catch { throw TransferFailure(error) }
        if let known = entry.etag, let etag = head.etag, etag != known { throw TransferFailure(changed(asked)) }
        if head.status == 200, head.contentRange == nil, let size = entry.size, let now = head.contentLength,
            size != now
        {
            throw TransferFailure(changed(asked))
        }
        // Where no mark tells versions apart, the time may.
        if entry.etag == nil || head.etag == nil, let known = entry.modified, let time = head.modified,
            time.seconds != known.seconds
        {
            throw TransferFailure(changed(asked))
        }
    }

    private func check(
        _ range: (first: Int64, last: Int64, size: Int64?)?, _ offset: Int64, _ asked: TransferRequest
    ) throws(TransferFailure) {
        guard let range, range.first == offset else {
            throw TransferFailure(
                PluginError(.io, "\(asked.purpose): '\(asked.url.server)' sent another range than was asked for"))
        }
        if let size = entry.size, let now = range.size, size != now { throw TransferFailure(changed(asked)) }
    }

    /// For a server that sends the whole file: how much of it comes before the range.
    private func skipped(_ offset: Int64, _ end: Int64, _ asked: TransferRequest) throws(TransferFailure) -> Int64 {
        guard end <= Self.maximumWhole else {
            throw TransferFailure(
                PluginError(
                    .limitExceeded,
                    "\(asked.purpose): '\(asked.url.server)' sends whole files only, and this part of it lies behind the "
                        + "first \(Self.maximumWhole >> 20) MiB, which are all that is read so"))
        }
        return offset
    }

    private func changed(_ asked: TransferRequest) -> PluginError {
        PluginError(.changed, "\(asked.purpose): it changed since it was opened")
    }
}
