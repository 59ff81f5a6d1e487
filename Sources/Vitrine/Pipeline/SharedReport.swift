import Synchronization

/// What came of an item that several may have asked for at the same time.
final class SharedReport: Sendable {
    let report: ItemReport
    private let isTold = Mutex(false)

    init(_ report: ItemReport) { self.report = report }

    /// Tells those who listen, unless they know. Once it returns, they do.
    func tell(_ hub: ProgressHub) {
        isTold.withLock { isTold in
            if isTold { return }
            isTold = true
            hub.send(.item(report))
        }
    }
}
