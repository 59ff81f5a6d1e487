import Glibc
import Synchronization

/// Names of unfinished files: program, process and a random number, as the thumbnail standard advises.
enum TemporaryName {
    private static let prefix = "vitrine-"
    private static let ours = prefix + String(getpid()) + "-"
    private static let suffix = ".tmp"

    /// Begins anywhere, and goes on from there.
    private static let number = Atomic(UInt64.random(in: 0 ... .max))

    /// A name that nobody else uses.
    static func new() -> String {
        let number = number.wrappingAdd(1, ordering: .relaxed).oldValue
        return ours + String(number) + suffix
    }

    /// The process that made a file; `nil` when the name is none of ours.
    static func process(of name: String) -> pid_t? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let parts = name.dropFirst(prefix.count).dropLast(suffix.count).split(separator: "-")
        guard parts.count == 2, let process = pid_t(parts[0]), process > 0 else { return nil }
        return process
    }
}
