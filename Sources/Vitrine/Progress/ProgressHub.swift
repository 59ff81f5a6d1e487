/// Carries what a pipeline does to those who listen.
typealias ProgressHub = EventHub<ProgressEvent>

extension EventHub<ProgressEvent> {
    /// What happens to a topic from now on; see ``events(buffer:where:)``.
    func events(of topic: Topic, buffer: Int) -> AsyncStream<ProgressEvent> {
        events(buffer: buffer) { topic.covers($0) }
    }
}
