public import VitrineKit

/// The rules for names of sources and collections, and for titles of notes.
public enum LibraryName {
    /// The most characters of a name.
    public static let maximumLength = 64

    /// The most bytes of a name: it is also the name of a folder, and letters may carry any number of accents.
    static let maximumBytes = 200

    /// Checks a name.
    /// - Parameters:
    ///   - name: from a user.
    ///   - what: what it names, such as `"collection"`.
    /// - Throws: `invalidArgument` when it is empty or too long, is `.` or `..`, begins or ends with a blank, or holds
    ///   `/`, `\`, a control character (those that turn text around among them), or one that nobody sees or that looks
    ///   like a blank, unless emoji or a script need it.
    public static func check(_ name: String, of what: String) throws(PluginError) {
        func refuse(_ why: String) -> PluginError {
            PluginError(.invalidArgument, "'\(DisplayText.of(name))' is no name for a \(what): it \(why)")
        }
        guard !name.isEmpty else { throw refuse("is empty") }
        guard name.count <= maximumLength, name.utf8.count <= maximumBytes else {
            throw refuse("is longer than \(maximumLength) characters or \(maximumBytes) bytes")
        }
        guard name != ".", name != ".." else { throw refuse("means a folder") }
        guard !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(UInt8(ascii: "\\")) else {
            throw refuse("holds a '/' or '\\'")
        }
        guard DisplayText.of(name) == name else { throw refuse("holds a control character") }
        guard name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            throw refuse("begins or ends with a blank")
        }
        if let fault = faultOfUnseen(in: name) { throw refuse(fault) }
    }

    /// Checks the name of a source, which also stands in commands beside URIs, and in brackets in the settings file.
    /// - Throws: `invalidArgument` as ``check(_:of:)``, and when it holds `:`, `[` or `]`.
    public static func check(source name: String) throws(PluginError) {
        try check(name, of: "source")
        guard !name.utf8.contains(where: { ":[]".utf8.contains($0) }) else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(name))' is no name for a source: it holds a ':', '[' or ']'")
        }
    }
}
