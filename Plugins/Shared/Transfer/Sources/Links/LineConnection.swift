import CCurl
import Glibc
import VitrineKit

/// A connection on which libcurl has made TLS and logged in, after which a protocol of lines goes on: IMAP and POP3. One
/// thread at a time; every call waits for the server, no longer than the policy says.
public final class LineConnection {
    private let handle: UnsafeMutableRawPointer
    private let policy: TransferPolicy
    private let request: TransferRequest
    private var buffer: [UInt8] = []
    private var next = 0
    private var isBroken = false
    /// Bytes that came so far.
    public private(set) var received: Int64 = 0

    /// How much of what is sent is kept from others, on servers that begin without TLS; the numbers are libcurl's.
    public enum Security: Int, Sendable {
        /// TLS only if the scheme begins with it.
        case never = 0
        /// The command that begins TLS must succeed before anything else is said.
        case always = 3
    }

    /// What the server said while it let the user in: libcurl tells only whether.
    private final class Talk {
        var bytes: [UInt8] = []
    }

    /// Connects, checks who the server is, and logs in.
    /// - Parameters:
    ///   - url: the server, with one of the policy's schemes.
    ///   - user: who a token belongs to.
    ///   - explain: says what the server's last words mean, if they say more than that the login failed.
    public init(
        _ url: TransferURL, _ policy: TransferPolicy, security: Security, user: String?,
        explain: (_ talk: String) -> TransferFailure?
    ) throws(TransferFailure) {
        request = TransferRequest(url, purpose: "cannot connect")
        self.policy = policy
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let handle = curl_easy_init() else {
            throw TransferFailure(PluginError(.io, "there is no memory for a connection"))
        }
        self.handle = handle
        let talk = Talk()
        let setup = TransferHandle(handle)
        setup.connect(to: url, policy)
        setup.credentials(policy.credentials, .basic, isHTTP: false)
        if let user { setup.set(CURLOPT_USERNAME, user) }
        setup.set(CURLOPT_USE_SSL, security.rawValue)
        setup.set(CURLOPT_CONNECT_ONLY, 1)
        setup.set(CURLOPT_TIMEOUT_MS, (policy.connectTimeout + policy.stallTimeout).milliseconds)
        // Taking leave waits for an answer, too.
        setup.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, 10)
        let pointer = Unmanaged.passUnretained(talk).toOpaque()
        ccurl_set_header_sink(handle, Self.listen, pointer)
        ccurl_set_body_sink(handle, Self.listen, pointer)
        let status = curl_easy_perform(handle)
        ccurl_set_header_sink(handle, Self.ignore, nil)
        ccurl_set_body_sink(handle, Self.ignore, nil)
        guard status == CURLE_OK else {
            isBroken = true
            let words = String(decoding: talk.bytes, as: UTF8.self)
            throw explain(words)
                ?? TransferFailure(
                    status, certificate: ccurl_get_long(handle, CURLINFO_SSL_VERIFYRESULT), request: request)
        }
    }

    deinit {
        // Nobody takes leave of a server that is gone.
        let socket = ccurl_get_socket(handle)
        if isBroken, socket >= 0 { shutdown(socket, CInt(SHUT_RDWR)) }
        curl_easy_cleanup(handle)
    }

    private static let listen: ccurl_sink = { bytes, size, count, user in
        guard let bytes, let user else { return 0 }
        let talk = Unmanaged<Talk>.fromOpaque(user).takeUnretainedValue()
        let words = UnsafeRawBufferPointer(start: bytes, count: size * count)
        // The last words count.
        talk.bytes = (talk.bytes + words).suffix(2048)
        return size * count
    }
    private static let ignore: ccurl_sink = { _, size, count, _ in size * count }

    /// The server as people may see it.
    public var server: String { request.url.server }

    /// Sends bytes.
    public func send(_ bytes: [UInt8], _ doing: String) throws(TransferFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var sent = 0
            let status = rest.withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &sent) }
            rest = rest.dropFirst(sent)
            if status == CURLE_AGAIN {
                try wait(for: POLLOUT, doing)
            } else if status != CURLE_OK {
                throw broken(status, doing)
            }
        }
    }

    /// A line without its end.
    /// - Parameter longest: the most bytes of it; `io` beyond.
    public func line(longest: Int, _ doing: String) throws(TransferFailure) -> [UInt8] {
        var looked = next
        while true {
            if let end = buffer[looked...].firstIndex(of: 0x0A) {
                var line = buffer[next..<end]
                next = end + 1
                if line.last == 0x0D { line.removeLast() }
                return Array(line)
            }
            guard buffer.count - next <= longest else {
                isBroken = true
                throw TransferFailure(
                    PluginError(.io, "\(doing): '\(server)' sends a line of more than \(longest) bytes"),
                    isOfSource: true)
            }
            looked = buffer.count - next
            try receive(doing)
            looked += next
        }
    }

    /// So many bytes.
    public func bytes(_ count: Int, _ doing: String) throws(TransferFailure) -> [UInt8] {
        while buffer.count - next < count { try receive(doing) }
        defer { next += count }
        return Array(buffer[next..<(next + count)])
    }

    /// Takes what has come, and waits for something if nothing has.
    private func receive(_ doing: String) throws(TransferFailure) {
        if next > 0 {
            buffer.removeFirst(next)
            next = 0
        }
        let size = 64 << 10
        while true {
            var status = CURLE_OK
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: size) { room, filled in
                status = curl_easy_recv(handle, room.baseAddress, room.count, &count)
                filled = status == CURLE_OK ? count : 0
            }
            if status == CURLE_AGAIN {
                try wait(for: POLLIN, doing)
                continue
            }
            guard status == CURLE_OK, count > 0 else {
                throw broken(status == CURLE_OK ? CURLE_GOT_NOTHING : status, doing)
            }
            buffer += part
            received += Int64(part.count)
            return
        }
    }

    private func wait(for event: CInt, _ doing: String) throws(TransferFailure) {
        var place = pollfd(fd: ccurl_get_socket(handle), events: Int16(event), revents: 0)
        let deadline = ContinuousClock.now + policy.stallTimeout
        while true {
            let left = (deadline - .now).milliseconds
            let count = left > 0 ? poll(&place, 1, CInt(clamping: left)) : 0
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw broken(CURLE_OPERATION_TIMEDOUT, doing) }
            return
        }
    }

    private func broken(_ status: CURLcode, _ doing: String) -> TransferFailure {
        isBroken = true
        var asked = request
        asked.purpose = doing
        return TransferFailure(status, certificate: 0, request: asked)
    }
}
