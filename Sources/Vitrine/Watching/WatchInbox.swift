import VitrineKit

/// What a source has to look at, and when. Waiting costs nothing.
actor WatchInbox {
    typealias Instant = ContinuousClock.Instant

    /// What is to be done next.
    enum Turn: Sendable {
        /// Look at these folders.
        case folders(Set<ItemPath>)
        /// Look at everything.
        case everything
        /// Look at what is not watched.
        case poll
        /// Nothing is watched any more.
        case ended(PluginError)
    }

    private let clock = ContinuousClock()
    private var due: [ItemPath: Instant] = [:]
    private var everythingDue: Instant?
    private var pollDue: Instant?
    private var end: PluginError?
    private var pace = BackOff<ItemPath>(shortest: .milliseconds(100), longest: .seconds(5))
    private var waiter: CheckedContinuation<Void, Never>?
    private var timer: Task<Void, Never>?

    /// After the first change of a folder, the others that come with it are waited for.
    private static let gathering = Duration.milliseconds(200)
    /// How many folders are kept; with more, everything is looked at.
    private static let capacity = 1 << 16

    /// Something changed in these folders.
    func changed(_ folders: Set<ItemPath>) {
        let soon = clock.now + Self.gathering
        for folder in folders { note(folder, max(soon, pace.earliest(folder) ?? soon)) }
        wake()
    }

    /// A folder is to be looked at, not before a moment.
    func look(_ folder: ItemPath, at moment: Instant) {
        note(folder, moment)
        wake()
    }

    /// Everything is to be looked at.
    func lookAtEverything() {
        everythingDue = everythingDue ?? clock.now + Self.gathering
        wake()
    }

    /// What is not watched is to be looked at.
    /// - Parameter moment: when; `nil` for never.
    func poll(at moment: Instant?) {
        pollDue = moment
        wake()
    }

    /// Nothing comes any more.
    func finish(_ error: PluginError) {
        end = end ?? error
        wake()
    }

    /// Waits until something is due.
    func next() async -> Turn {
        while true {
            if Task.isCancelled { return .ended(PluginError(.cancelled, "stopped while nothing changed")) }
            if let end { return .ended(end) }
            let now = clock.now
            if let moment = everythingDue, moment <= now {
                everythingDue = nil
                due = [:]
                return .everything
            }
            let folders = due.filter { $0.value <= now }.keys
            if !folders.isEmpty {
                for folder in folders {
                    due[folder] = nil
                    pace.done(folder, at: now)
                }
                return .folders(Set(folders))
            }
            if let moment = pollDue, moment <= now {
                pollDue = nil
                return .poll
            }
            await wait(until: [everythingDue, pollDue, due.values.min()].compactMap { $0 }.min())
        }
    }

    private func note(_ folder: ItemPath, _ moment: Instant) {
        guard due.count < Self.capacity || due[folder] != nil else {
            everythingDue = everythingDue ?? moment
            return
        }
        due[folder] = min(due[folder] ?? moment, moment)
    }

    private func wait(until moment: Instant?) async {
        if let moment {
            timer = Task { [weak self, clock] in
                try? await clock.sleep(until: moment)
                guard !Task.isCancelled else { return }
                await self?.wake()
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { continuation.resume() } else { waiter = continuation }
            }
        } onCancel: {
            Task { await self.wake() }
        }
        timer?.cancel()
        timer = nil
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }
}
