public import VitrineKit

/// A request whose body is sent piece by piece while it is made, such as a file of any size that is put on a server. It is
/// sent once, and follows no redirects. It ends with the last reference.
public final class TransferUpload: Sendable {
    private let body: UploadBody
    private let purpose: String
    private let answer: Task<Result<ResponseHead, PluginError>, Never>

    /// Begins to send.
    /// - Parameters:
    ///   - request: without a body.
    ///   - size: bytes of all of it; `nil`: it is sent in chunks, which not every server takes.
    ///   - client: the source's.
    public init(_ request: TransferRequest, size: Int64?, by client: TransferClient) {
        let body = UploadBody(size: size)
        self.body = body
        purpose = request.purpose
        var request = request
        request.upload = body
        request.followsRedirects = false
        request.isIdempotent = false
        let sent = request
        answer = Task {
            let result: Result<ResponseHead, PluginError>
            do throws(PluginError) {
                result = .success(try await client.collect(sent).head)
            } catch { result = .failure(error) }
            // Also when it never came so far as to be sent.
            body.close()
            return result
        }
    }

    deinit { cancel() }

    /// Sends bytes, once the server has taken most of those before.
    /// - Throws: `cancelled`, or why the server takes no more.
    public func append(_ bytes: [UInt8]) async throws(PluginError) {
        if await body.append(bytes) { return }
        guard !Task.isCancelled else { throw TransferFailure.cancelled(purpose).error }
        _ = try await answer.value.get()
        throw PluginError(.io, "\(purpose): the server answered before all was sent")
    }

    /// Sends the end, and waits for the answer.
    public func finish() async throws(PluginError) -> ResponseHead {
        body.finish()
        return try await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            cancel()
        }.get()
    }

    /// Ends it. May be called at any time.
    public func cancel() { answer.cancel() }
}
