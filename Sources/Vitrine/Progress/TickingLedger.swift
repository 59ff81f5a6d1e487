/// Counts what happens, and tells how far it is not more often than eyes can follow. Nothing ticks while nothing happens: a
/// run may wait for days.
protocol TickingLedger: Actor {
    var ticking: Ticking { get set }

    /// Brings the progress up to date and sends it; called by the ticks, after something happened.
    func tell()
}

/// Where a ``TickingLedger`` is between two ticks.
struct Ticking {
    fileprivate var hasNews = false
    fileprivate var isFinished = false
    fileprivate var ticker: Task<Void, Never>?

    /// Between two events of progress.
    static let pause = Duration.milliseconds(100)
}

extension TickingLedger {
    /// Something happened that is to be told.
    func news() {
        ticking.hasNews = true
        guard ticking.ticker == nil, !ticking.isFinished else { return }
        ticking.ticker = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Ticking.pause)
                guard let self, await self.tick() else { return }
            }
        }
    }

    /// From now on nothing is told by itself any more.
    func stopTicking() {
        ticking.isFinished = true
        ticking.ticker?.cancel()
    }

    /// - Returns: whether to go on.
    private func tick() -> Bool {
        guard !Task.isCancelled else { return false }
        guard ticking.hasNews else {
            ticking.ticker = nil
            return false
        }
        ticking.hasNews = false
        tell()
        return true
    }
}
