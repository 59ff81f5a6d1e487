public import IgnoreRules

/// What the user set about walks: the content of `[index]`, or of one `[source NAME-OR-URI]`. What is not set is `nil`.
public struct IndexSettings: Hashable, Sendable {
    /// A key of these groups.
    public enum Key: String, CaseIterable, Sendable {
        /// Patterns of what is left out, in the syntax of gitignore(5), relative to the source.
        case exclude
        /// Patterns of the files that are taken; without any, all are.
        case include
        /// Whether names that begin with a dot are entered.
        case hidden
        /// Whether the `.vitrineignore` files of folders count.
        case vitrineignore
        /// Whether a folder with a file `.nomedia` is passed over.
        case nomedia
    }

    /// What is left out.
    public var exclude: [IgnorePattern]?
    /// What is taken; an empty list is everything.
    public var include: [IgnorePattern]?
    private var flags: [Key: Bool] = [:]

    /// Nothing is set.
    public init() {}

    /// Whether something is switched on; `nil` when that is not set, or for a list.
    public subscript(flag: Key) -> Bool? {
        get { flags[flag] }
        set { flags[flag] = newValue }
    }

    /// The value that counts for a switch when nothing is set.
    public static func isOnByDefault(_ flag: Key) -> Bool { flag != .hidden }

    /// A key's value as it is written in the file; `nil` when it is not set.
    public func text(_ key: Key) -> String? {
        switch key {
        case .exclude: exclude.map(Self.text)
        case .include: include.map(Self.text)
        case .hidden, .vitrineignore, .nomedia: self[key].map { $0 ? "true" : "false" }
        }
    }

    /// A list as GLib's key files have it.
    private static func text(_ patterns: [IgnorePattern]) -> String {
        patterns.map { pattern in
            var text = ""
            for scalar in pattern.description.unicodeScalars {
                if scalar == "\\" || scalar == ";" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
            return text
        }.joined(separator: "; ")
    }
}
