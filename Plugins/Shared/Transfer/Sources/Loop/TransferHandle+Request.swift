import CCurl
import Glibc

extension TransferHandle {
    /// Sets all that a request needs. Handles are used again, so that Digest need not be negotiated each time: each option
    /// is set for every request.
    /// - Returns: the list of header lines, which the handle uses until the request has ended.
    func prepare(_ transfer: Transfer) -> UnsafeMutablePointer<curl_slist>? {
        let (request, policy) = (transfer.request, transfer.policy)
        connect(to: request.url, policy, sends: request.upload != nil)
        method(request)
        credentials(policy.credentials, transfer.scheme, isHTTP: request.url.scheme.hasPrefix("http"))
        let user = Unmanaged.passUnretained(transfer).toOpaque()
        ccurl_set_body_sink(pointer, receiveBody, user)
        ccurl_set_header_sink(pointer, receiveHeader, user)
        let lines = lines(request)
        ccurl_set_list(pointer, CURLOPT_HTTPHEADER, lines)
        request.configure?(self)
        return lines
    }

    /// Sets how a server is connected to, and that it is checked who it is.
    /// - Parameter sends: whether a file is sent, which is as long as it is. Default: no.
    func connect(to url: TransferURL, _ policy: TransferPolicy, sends: Bool = false) {
        set(CURLOPT_URL, url.text)
        set(CURLOPT_PROTOCOLS_STR, policy.schemes.joined(separator: ","))
        set(CURLOPT_REDIR_PROTOCOLS_STR, policy.schemes.joined(separator: ","))
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROGRESS, 1)
        // One request on each connection, so that one reader who takes his time holds up nobody else.
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_NETRC, 0)
        // What is sent without TLS, since nobody between can listen, must not go to a proxy of the environment.
        set(CURLOPT_NOPROXY, url.scheme == "http" && url.isThisMachine ? "*" : nil)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let file = policy.caFile { set(CURLOPT_CAINFO, file) }
        set(CURLOPT_CAPATH, Self.systemCertificates)
        set(CURLOPT_USERAGENT, policy.userAgent)
        set(CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.milliseconds)
        let stall = max(1, (policy.stallTimeout.milliseconds + 999) / 1000)
        // What is sent may wait for whoever makes it.
        set(CURLOPT_TIMEOUT_MS, sends ? 0 : policy.timeout.milliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, sends ? max(stall, Self.longestPause) : stall)
        set(CURLOPT_BUFFERSIZE, 128 << 10)
        ccurl_close_sockets_on_exec(pointer)
    }

    /// Seconds in which nothing need be sent.
    private static let longestPause = 120
    private static let systemCertificates = "/etc/ssl/certs"

    private func method(_ request: TransferRequest) {
        set(CURLOPT_NOBODY, 0)
        set(CURLOPT_CUSTOMREQUEST, nil)
        set(CURLOPT_UPLOAD, 0)
        set(CURLOPT_HTTPGET, 1)
        if let upload = request.upload {
            ccurl_set_body_source(pointer, sendBody, rewindBody, Unmanaged.passUnretained(upload).toOpaque())
            set(CURLOPT_INFILESIZE_LARGE, large: upload.size ?? -1)
        }
        if request.url.scheme.hasPrefix("http"), !request.body.isEmpty {
            _ = request.body.withUnsafeBytes {
                ccurl_set_body(pointer, $0.baseAddress, curl_off_t($0.count))
            }
        }
        switch request.method {
        case nil, "GET"?: break
        case "HEAD"?: set(CURLOPT_NOBODY, 1)
        case let method?: set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    func credentials(_ credentials: Credentials, _ scheme: Credentials.Scheme?, isHTTP: Bool) {
        set(CURLOPT_USERNAME, nil)
        set(CURLOPT_PASSWORD, nil)
        set(CURLOPT_XOAUTH2_BEARER, nil)
        set(CURLOPT_HTTPAUTH, 0)
        switch (credentials, scheme) {
        case (.none, _): break
        case (.password, nil) where isHTTP: break
        case (.password(let user, let password, _), let scheme):
            set(CURLOPT_HTTPAUTH, scheme == .digest ? 1 << 1 : 1 << 0)
            set(CURLOPT_USERNAME, user)
            set(CURLOPT_PASSWORD, password)
        case (.bearer(let token), _):
            set(CURLOPT_HTTPAUTH, 1 << 6)
            set(CURLOPT_XOAUTH2_BEARER, token)
        }
    }

    private func lines(_ request: TransferRequest) -> UnsafeMutablePointer<curl_slist>? {
        // Asking for leave to send a small body costs a round trip, or a second where nobody answers.
        var texts = ["Expect:"]
        if !request.body.isEmpty, !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            texts.append("Content-Type:")
        }
        texts += request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts where text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            // Without memory the list stays as it was, and the server will say what it lacks.
            list = curl_slist_append(list, text) ?? list
        }
        return list
    }
}

/// Called by libcurl with a part of the body.
private let receiveBody: ccurl_sink = { bytes, size, count, user in
    guard let user, let bytes else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    return bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        transfer.receive(body: UnsafeBufferPointer(start: $0, count: size * count))
    }
}

/// Called by libcurl with a line of the head.
private let receiveHeader: ccurl_sink = { bytes, size, count, user in
    guard let user, let bytes else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    return bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
        transfer.receive(header: UnsafeBufferPointer(start: $0, count: size * count))
    }
}

/// Called by libcurl for more of what is sent.
private let sendBody: ccurl_sink = { room, size, count, user in
    guard let user, let room else { return 0 }
    let body = Unmanaged<UploadBody>.fromOpaque(user).takeUnretainedValue()
    return body.take(into: UnsafeMutableRawBufferPointer(start: room, count: size * count))
}

/// Called by libcurl when a connection that it used again turns out to be dead, or a server asks for another answer first.
private let rewindBody: ccurl_seek = { user, offset, origin in
    guard let user, offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
    let body = Unmanaged<UploadBody>.fromOpaque(user).takeUnretainedValue()
    return body.rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}
