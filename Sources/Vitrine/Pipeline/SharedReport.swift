import Synchronization
import VitrineKit

/// What came of an item that several may have asked for at the same time.
final class SharedReport: Sendable {
    let report: ItemReport
    private let isTold: Mutex<Bool>

    /// - Parameter isTold: whether nobody who listens is to be told. Default: they are.
    init(_ report: ItemReport, isTold: Bool = false) {
        self.report = report
        self.isTold = Mutex(isTold)
    }

    /// What one gets who leaves while others wait on. Of the item they are told what comes of it.
    convenience init(left item: Item) {
        let error = PluginError(.cancelled, "stopped while others wait for it")
        self.init(ItemReport(item, .failed(error, remembered: false)), isTold: true)
    }

    /// Tells those who listen, unless they know. Once it returns, they do.
    func tell(_ hub: ProgressHub) {
        isTold.withLock { isTold in
            if isTold { return }
            isTold = true
            hub.send(.item(report))
        }
    }
}
