import VitrineKit

/// What became of the messages of a source that a run looked at for filing.
public struct FilingSummary: Sendable {
    /// A message that was put into a collection by this run.
    public struct Filed: Sendable, Hashable {
        /// The collection's name.
        public var collection: String
        /// The title of the note that its text became.
        public var title: String
        /// Files that came with it.
        public var files: Int
    }

    /// The source.
    public var source: String
    /// What was put into collections, in this order.
    public var filed: [Filed] = []
    /// Messages with a `[` in their subjects from senders that are not known.
    public var strangers = 0
    /// Messages that say to be from known senders, which the user's mail server did not confirm.
    public var unproven = 0
    /// What could not be filed, or only in part; at most ``RunSummary/failureLimit``.
    public var failures: [RunSummary.Failure] = []

    init(source: String) { self.source = source }

    /// One sentence for each thing that was done or left, for people.
    public var sentences: [String] {
        var lines = filed.map { one in
            let files = one.files == 1 ? "1 file" : "\(one.files) files"
            return "filed under '\(DisplayText.of(one.collection))': \(DisplayText.of(one.title)) (\(files))"
        }
        if strangers > 0 {
            lines.append(
                strangers == 1
                    ? "1 message with a '[' in its subject is from no known sender and was left alone"
                    : "\(strangers) messages with a '[' in their subjects are from no known sender and were left alone")
        }
        if unproven > 0 {
            lines.append(
                (unproven == 1 ? "1 message says" : "\(unproven) messages say")
                    + " to be from a known sender, which the mail server did not confirm; left alone")
        }
        return lines
    }

    mutating func fail(_ uri: String, _ error: PluginError) {
        guard failures.count < RunSummary.failureLimit else { return }
        failures.append(RunSummary.Failure(uri: uri, error: error, remembered: false))
    }
}
