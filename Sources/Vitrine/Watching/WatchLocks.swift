import VitrineKit

/// The locks of the sources that a watch looks at or works on, so that other runs wait for it meanwhile, and it for them.
///
/// Sources that lie in one another have one lock in common, which is given back when none of them needs it any more.
actor WatchLocks {
    private let catalog: String
    private let ledger: RunLedger
    private let hub: ProgressHub
    private var held: [String: RunLock] = [:]
    private var users: [String: Int] = [:]

    /// Between two looks at a lock that another run has.
    private static let pause = Duration.milliseconds(250)

    /// - Parameter catalog: the path of the catalog, which the locks lie beside.
    init(catalog: String, ledger: RunLedger, hub: ProgressHub) {
        self.catalog = catalog
        self.ledger = ledger
        self.hub = hub
    }

    /// Takes locks, and waits for those that other runs have.
    /// - Parameters:
    ///   - names: URIs of the catalog's sources; taken in the order of their names, so that two never wait for each other.
    ///   - waiting: called once when there is something to be waited for, with the process that has it.
    /// - Throws: `cancelled`, and why a lock cannot be had; then none of them is held.
    func take(_ names: Set<String>, waiting: @Sendable (Int32?) async -> Void) async throws(PluginError) {
        var taken: Set<String> = []
        do throws(PluginError) {
            for name in names.sorted() {
                try await take(name, waiting)
                taken.insert(name)
            }
        } catch {
            await leave(taken)
            throw error
        }
        await ledger.hold(Array(held.values))
    }

    private func take(_ name: String, _ waiting: @Sendable (Int32?) async -> Void) async throws(PluginError) {
        var isTold = false
        while true {
            if held[name] != nil {
                users[name, default: 0] += 1
                return
            }
            switch try RunLock.take(beside: catalog, source: name) {
            case .taken(let lock):
                held[name] = lock
                users[name] = 1
                return
            case .busy(let holder):
                if !isTold {
                    hub.send(.waiting(source: name, process: holder?.process ?? 0))
                    await waiting(holder?.process)
                }
                isTold = true
                do { try await Task.sleep(for: Self.pause) } catch {
                    throw PluginError(.cancelled, "stopped while another run was waited for")
                }
            }
        }
    }

    /// Gives locks back that were taken.
    func leave(_ names: Set<String>) async {
        for name in names {
            let left = (users[name] ?? 1) - 1
            users[name] = left > 0 ? left : nil
            if left <= 0 { held[name] = nil }
        }
        await ledger.hold(Array(held.values))
    }
}
