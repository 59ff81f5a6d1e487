/// How the work on an item ended.
public enum ItemState: Int64, Sendable {
    /// It has not been worked on since it appeared or changed.
    case pending = 0
    /// It has previews.
    case made = 1
    /// It has none, for a reason that stays.
    case failed = 2
    /// No previews are made of such a file.
    case skipped = 3
}
