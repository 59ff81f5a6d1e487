/// Whether something is taken, and if not, why.
public enum IgnoreDecision: Hashable, Sendable {
    /// It is taken.
    case included
    /// A pattern takes it out.
    case excluded(by: IgnorePattern, origin: String)
    /// There are include patterns, and it matches none of them.
    case notIncluded(origin: String)
    /// Finding out would take longer than one file is worth.
    case tooCostly(origin: String)

    /// Whether it is taken.
    public var isIncluded: Bool { self == .included }

    /// Why it is not taken, as a sentence that names the pattern and where it stands; `nil` when it is.
    public var reason: String? {
        switch self {
        case .included: return nil
        case .excluded(let pattern, let origin):
            let line = pattern.line.map { ", line \($0)" } ?? ""
            return "it is excluded by the pattern '\(pattern)' in \(origin)\(line)"
        case .notIncluded(let origin): return "it matches no pattern to include in \(origin)"
        case .tooCostly(let origin):
            return "whether it is excluded takes too long to find out; use fewer or simpler patterns in \(origin)"
        }
    }
}
