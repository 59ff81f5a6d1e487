import CCurl
import Glibc
import Synchronization
import VitrineKit

/// The one thread on which libcurl works for all sources of a plugin, so that connections are used again and a host sees
/// no more of them than it should.
final class TransferLoop: Sendable {
    enum Command: Sendable {
        case start(Transfer)
        case resume(Transfer)
        case cancel(Transfer)
        /// A source is gone: what was kept for it goes, too.
        case forget(Meter)
    }

    /// Begins when it is first needed, and stays.
    static let shared = TransferLoop()

    private struct Inbox {
        var commands: [Command] = []
        /// The multi handle, for waking it up: the one call that libcurl allows from other threads.
        var multi: UInt?
    }

    private let inbox = Mutex(Inbox())

    private init() {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else { return }
        inbox.withLock { $0.multi = UInt(bitPattern: multi) }
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { loop in
                if let loop { Unmanaged<TransferLoop>.fromOpaque(loop).takeUnretainedValue().run() }
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if status == 0 { pthread_detach(thread) } else { inbox.withLock { $0.multi = nil } }
    }

    /// Hands something to the thread; never waits.
    func send(_ command: Command) {
        let isAlive = inbox.withLock { inbox in
            guard let address = inbox.multi, let multi = UnsafeMutableRawPointer(bitPattern: address) else {
                return false
            }
            inbox.commands.append(command)
            curl_multi_wakeup(multi)
            return true
        }
        if !isAlive, case .start(let transfer) = command {
            transfer.finish(
                .failure(TransferFailure(PluginError(.pluginUnavailable, "libcurl cannot start: memory is short"))))
        }
    }

    private func run() {
        // Signals are the host's business; and a connection that breaks while TLS writes to it raises SIGPIPE.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        guard let address = inbox.withLock({ $0.multi }), let multi = UnsafeMutableRawPointer(bitPattern: address)
        else {
            return
        }
        var transfers = ActiveTransfers(multi)
        while true {
            let commands = inbox.withLock { inbox in
                let taken = inbox.commands
                inbox.commands = []
                return taken
            }
            for command in commands { transfers.obey(command) }
            transfers.work()
            curl_multi_poll(multi, nil, 0, transfers.longestPause, nil)
        }
    }
}
