import CCurl
import VitrineKit

/// The transfers that libcurl works on and those that wait for their host. Lives on the thread of ``TransferLoop``.
struct ActiveTransfers {
    private struct Active {
        let transfer: Transfer
        let lines: UnsafeMutablePointer<curl_slist>?
    }
    private struct Host {
        var active = 0
        var waiting: [Transfer] = []
    }

    private let multi: UnsafeMutableRawPointer
    private var active: [UnsafeMutableRawPointer: Active] = [:]
    private var hosts: [String: Host] = [:]
    /// Handles of a source that are not used now; they know what Digest needs.
    private var idle: [ObjectIdentifier: [UnsafeMutableRawPointer]] = [:]

    /// Far more than an engine asks at once.
    private static let longestQueue = 10_000

    init(_ multi: UnsafeMutableRawPointer) {
        self.multi = multi
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
    }

    mutating func obey(_ command: TransferLoop.Command) {
        switch command {
        case .start(let transfer):
            let host = transfer.host
            guard !transfer.hasEnded else { return }
            guard transfer.request.upload == nil else {
                // What is sent may wait for what is read from the same host: it takes nobody's connection.
                _ = start(transfer)
                return
            }
            guard hosts[host, default: Host()].waiting.count < Self.longestQueue else {
                let error = PluginError(.throttled, "\(transfer.request.purpose): too many requests wait for that host")
                transfer.finish(.failure(TransferFailure(error)))
                return
            }
            hosts[host, default: Host()].waiting.append(transfer)
            startWaiting(host)
        case .resume(let transfer):
            if let handle = handle(of: transfer) { curl_easy_pause(handle, CURLPAUSE_CONT) }
        case .cancel(let transfer):
            if let handle = handle(of: transfer) {
                finish(handle)
            } else {
                hosts[transfer.host]?.waiting.removeAll { $0 === transfer }
                startWaiting(transfer.host)
            }
        case .forget(let meter):
            for handle in idle.removeValue(forKey: ObjectIdentifier(meter)) ?? [] { curl_easy_cleanup(handle) }
        }
    }

    /// Milliseconds after which libcurl is to look at its transfers again, though it noticed nothing.
    ///
    /// A transfer of FTP that is to open its connection for data next, on a connection that was used before, libcurl (7.88) only
    /// waits for on the connection for commands, where nothing comes: it would go on after `CURLOPT_CONNECTTIMEOUT_MS`.
    var longestPause: CInt {
        active.values.contains { $0.transfer.request.url.scheme.hasPrefix("ftp") } ? 20 : 60_000
    }

    /// Lets libcurl do what it can without waiting.
    mutating func work() {
        var running: CInt = 0
        curl_multi_perform(multi, &running)
        var left: CInt = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let status = ccurl_result(message)
            active[handle]?.transfer.ended(
                status, code: ccurl_get_long(handle, CURLINFO_RESPONSE_CODE),
                certificate: ccurl_get_long(handle, CURLINFO_SSL_VERIFYRESULT))
            finish(handle)
        }
    }

    private func handle(of transfer: Transfer) -> UnsafeMutableRawPointer? {
        active.first { $0.value.transfer === transfer }?.key
    }

    private mutating func startWaiting(_ host: String) {
        while var queue = hosts[host] {
            guard let first = queue.waiting.first else {
                if queue.active == 0 { hosts[host] = nil }
                return
            }
            guard queue.active < first.policy.connections else { return }
            queue.waiting.removeFirst()
            if !first.hasEnded, start(first) { queue.active += 1 }
            hosts[host] = queue
        }
    }

    private mutating func start(_ transfer: Transfer) -> Bool {
        guard let handle = idle[ObjectIdentifier(transfer.meter)]?.popLast() ?? curl_easy_init() else {
            transfer.finish(.failure(TransferFailure(PluginError(.io, "there is no memory for a request"))))
            return false
        }
        let lines = TransferHandle(handle).prepare(transfer)
        let added = curl_multi_add_handle(multi, handle)
        guard added == CURLM_OK else {
            ccurl_set_list(handle, CURLOPT_HTTPHEADER, nil)
            curl_slist_free_all(lines)
            curl_easy_cleanup(handle)
            let reason =
                "\(transfer.request.purpose): libcurl does not begin it: \(String(cString: curl_multi_strerror(added)))"
            transfer.finish(.failure(TransferFailure(PluginError(.io, reason))))
            return false
        }
        active[handle] = Active(transfer: transfer, lines: lines)
        transfer.began()
        return true
    }

    /// Takes a handle back, whether or not its transfer has ended.
    private mutating func finish(_ handle: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, handle)
        guard let ended = active.removeValue(forKey: handle) else { return }
        ccurl_set_list(handle, CURLOPT_HTTPHEADER, nil)
        curl_slist_free_all(ended.lines)
        // What a request configured for itself may not reach the next one.
        if ended.transfer.request.configure == nil, !ended.transfer.meter.isClosed {
            idle[ObjectIdentifier(ended.transfer.meter), default: []].append(handle)
        } else {
            curl_easy_cleanup(handle)
        }
        let host = ended.transfer.host
        if ended.transfer.request.upload == nil { hosts[host]?.active -= 1 }
        startWaiting(host)
    }
}
