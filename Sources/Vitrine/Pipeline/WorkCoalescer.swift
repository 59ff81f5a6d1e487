import Workers

/// Lets those who ask for the same work at the same time share it.
///
/// The work is cancelled when all who wait for it are.
actor WorkCoalescer<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry {
        var task: Task<Value, Never>
        var waiting: Int
        var number: Int
        var urgency: Urgency
    }
    private var entries: [Key: Entry] = [:]
    private var nextNumber = 0

    /// The value of the work named `key`: of the work under way, which becomes as urgent as who asks now, or of `work`,
    /// which then begins.
    /// - Parameter thread: where it begins. Default: on Swift's own threads.
    func value(
        for key: Key, _ priority: WorkPriority = .batch, on thread: BlockingThread? = nil,
        _ work: @escaping @Sendable (Urgency) async -> Value
    ) async -> Value {
        let task: Task<Value, Never>
        let number: Int
        if let entry = entries[key] {
            (task, number) = (entry.task, entry.number)
            entry.urgency.raise(to: priority)
            entries[key]?.waiting += 1
        } else {
            nextNumber += 1
            number = nextNumber
            let urgency = Urgency(priority)
            task = Task(executorPreference: thread) { await work(urgency) }
            entries[key] = Entry(task: task, waiting: 1, number: number, urgency: urgency)
        }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task { await self.leave(key, number, cancelled: true) }
        }
        leave(key, number, cancelled: false)
        return value
    }

    /// How many wait for a work that is under way.
    func waiting(for key: Key) -> Int { entries[key]?.waiting ?? 0 }

    private func leave(_ key: Key, _ number: Int, cancelled: Bool) {
        guard var entry = entries[key], entry.number == number else { return }
        if !cancelled {
            // The work is done: whoever asks next wants it done anew.
            entries[key] = nil
            return
        }
        entry.waiting -= 1
        entries[key] = entry
        if entry.waiting < 1 {
            entries[key] = nil
            entry.task.cancel()
        }
    }
}
