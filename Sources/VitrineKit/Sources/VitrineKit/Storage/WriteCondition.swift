/// Under which condition a file gets its name.
public enum WriteCondition: Sendable {
    /// Only if nothing has that name.
    case ifAbsent
    /// In place of a file that has that name, or if nothing has.
    case replacing
}
