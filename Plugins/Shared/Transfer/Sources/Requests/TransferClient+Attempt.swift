import Synchronization
import VitrineKit

extension TransferClient {
    /// One try: follows redirects on the same host, and finds out how the server wants a password.
    /// - Returns: a transfer whose head has come and is accepted.
    func attempt(_ original: TransferRequest) async throws(TransferFailure) -> (Transfer, ResponseHead) {
        var request = original
        var redirects = 0
        while true {
            guard !Task.isCancelled else { throw .cancelled(request.purpose) }
            guard request.headers.allSatisfy({ Self.isSound($0.name) && Self.isSound($0.value) }) else {
                throw TransferFailure(
                    PluginError(.invalidArgument, "\(request.purpose): a field of the request holds a line break"))
            }
            let scheme = learned.withLock { $0 }
            let transfer = Transfer(request, policy, scheme: scheme, meter: meter, loop: loop)
            loop.send(.start(transfer))
            let head = try await transfer.head()
            if request.accepted(head.status) { return (transfer, head) }
            // A short answer is read to its end, so that the connection can be used again.
            let body = try await beginning(of: transfer)
            // What was sent is gone.
            if request.upload != nil { throw TransferFailure(head: head, request: request, body: body) }
            if [301, 302, 307, 308].contains(head.status), let location = head.value("location") {
                redirects += 1
                request.url = try follow(location, from: request, original.url, redirects)
            } else if head.status == 401, scheme == nil, let wanted = Self.scheme(head), hasPassword {
                learned.withLock { $0 = wanted }
            } else {
                throw TransferFailure(head: head, request: request, body: body)
            }
        }
    }

    private static func isSound(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

    private var hasPassword: Bool { if case .password = policy.credentials { true } else { false } }

    /// What the server asks for: Digest before Basic (RFC 7617, RFC 7616).
    private static func scheme(_ head: ResponseHead) -> Credentials.Scheme? {
        let offers = head.values("www-authenticate").map { $0.lowercased() }
        if offers.contains(where: { $0.hasPrefix("digest") || $0.contains(", digest ") }) { return .digest }
        return offers.contains(where: { $0.hasPrefix("basic") || $0.contains(", basic ") }) ? .basic : nil
    }

    private func follow(
        _ location: String, from request: TransferRequest, _ first: TransferURL, _ redirects: Int
    ) throws(TransferFailure) -> TransferURL {
        let server = request.url.server
        func refused(_ why: String) -> TransferFailure {
            TransferFailure(PluginError(.io, "\(request.purpose): '\(server)' \(why)"))
        }
        guard request.followsRedirects else { throw refused("points elsewhere, which a signed request cannot follow") }
        guard redirects <= policy.redirects else { throw refused("points elsewhere again and again") }
        let target: TransferURL
        do throws(PluginError) {
            target = try TransferURL(location, relativeTo: request.url)
        } catch {
            throw refused("points to an address that cannot be used: \(error.message)")
        }
        guard first.trusts(target), request.url.trusts(target), policy.schemes.contains(target.scheme) else {
            throw refused(
                "points to '\(DisplayText.of(target.scheme))://\(target.server)', another place, which is not followed")
        }
        return target
    }

    private func beginning(of transfer: Transfer) async throws(TransferFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(TransferFailure) {
            while bytes.count < 64 << 10, let part = try await transfer.next() { bytes += part }
        } catch {
            // The status has said what matters.
            if error.error.code == .cancelled { throw error }
        }
        transfer.cancel()
        return Array(bytes.prefix(4096))
    }
}
