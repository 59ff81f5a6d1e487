import Vitrine

/// What a run says of messages that it put into collections.
enum FilingLines {
    /// Prints what was done, and names what failed.
    static func show(_ summary: RunSummary, quietly: Bool = false) {
        for filing in summary.filing {
            for failure in filing.failures {
                Console.error(ItemName.reason(failure.uri, failure.error))
            }
            if quietly { continue }
            for sentence in filing.sentences { Console.print(sentence) }
        }
    }
}
