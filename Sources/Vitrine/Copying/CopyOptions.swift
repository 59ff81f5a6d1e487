/// How files are copied.
public struct CopyOptions: Sendable {
    /// What happens when a name is taken by another content. What is the same already is never copied again.
    public enum Clash: String, Sendable {
        /// The copy gets a number: `file(1).doc`.
        case number
        /// The copy takes the place of the other file, in one step.
        case replace
        /// The file is left out.
        case skip
    }

    /// What happens when a name is taken. Default: the copy gets a number.
    public var clash = Clash.number
    /// How many files are copied at once, 1 to 32. Default: 4.
    public var jobs = 4
    /// Reads each copy back and compares it, and never takes size and time for a sign of the same content. Default: no.
    public var verifies = false
    /// Whether links of the sources are copied as what they point to. Default: they are left out.
    public var followsLinks = false
    /// Whether folders of the sources on other file systems are entered. Default: no.
    public var crossesFileSystems = false

    /// Creates the defaults.
    public init() {}
}
