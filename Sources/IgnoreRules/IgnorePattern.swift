public import VitrineKit

/// One pattern in the syntax of gitignore(5): what it names, and whether it takes that out or back in.
///
/// Names are bytes. `*`, `?` and `[…]` stand for bytes of one name, `**` between slashes for any folders. A pattern
/// with a slash at its beginning or in the middle is matched against the path from the folder that it belongs to, any
/// other against the last name of a path. Where git does not what its documentation says – `a**/b` is to it also `ab`
/// – the documentation counts: stars that do not stand alone between slashes match within a name.
public struct IgnorePattern: Hashable, Sendable {
    /// The most bytes that a pattern may have.
    public static let maximumLength = 1024

    /// As it was written, without blanks at its end.
    public let text: [UInt8]
    /// Where it stands in its file, counted from 1; `nil` when it is from no file.
    public let line: Int?
    /// Whether it begins with `!`: what it matches is taken back in.
    public let isNegated: Bool
    /// Whether it ends in `/`: it matches folders, and so all that is in them, but no file.
    public let isForFolders: Bool

    private let isPath: Bool
    private let components: [PatternComponent]

    /// What can be told of it at a glance.
    var hint: PatternHint {
        PatternHint(
            isName: !isPath, isForFolders: isForFolders, first: components.first?.firstByte,
            last: components.last?.lastByte)
    }

    /// Takes a pattern that somebody wrote as a setting or argument; `#` begins no comment there.
    /// - Throws: `invalidArgument` when it is empty, too long, holds a NUL byte or can match nothing.
    public init(_ text: some Sequence<UInt8>) throws(PluginError) {
        let text = Array(text)
        let shown = DisplayText.of(text.prefix(80))
        guard text.count <= Self.maximumLength else {
            throw PluginError(
                .invalidArgument,
                "the pattern '\(shown)…' has \(text.count) bytes; at most \(Self.maximumLength) are accepted")
        }
        guard let pattern = IgnorePattern(text, line: nil) else {
            throw PluginError(
                .invalidArgument,
                "the pattern '\(shown)' can match nothing: it needs a name other than '.' and '..', ']' after '[', and a "
                    + "byte after '\\'")
        }
        self = pattern
    }

    /// - Returns: `nil` when it can match nothing.
    init?(_ text: [UInt8], line: Int?) {
        self.text = text
        self.line = line
        var rest = text[...]
        isNegated = rest.first == UInt8(ascii: "!")
        if isNegated { rest.removeFirst() }
        isForFolders = rest.last == UInt8(ascii: "/")
        if isForFolders { rest.removeLast() }
        guard !text.contains(0), let parsed = try? PatternParser.parse(rest) else { return nil }
        (isPath, components) = parsed
    }

    /// Whether it names a path.
    ///
    /// The steps are bounded by four times the product of both lengths, whatever the pattern is.
    /// - Parameters:
    ///   - path: the whole path, not empty.
    ///   - start: where the part begins that lies below the pattern's folder.
    ///   - nameStart: where its last name begins.
    ///   - isFolder: whether it is a folder.
    ///   - steps: grows with the work.
    func matches(
        _ path: [UInt8], from start: Int, nameAt nameStart: Int, isFolder: Bool, _ steps: inout Int
    ) -> Bool {
        if isForFolders, !isFolder { return false }
        if !isPath { return components[0].matches(path, nameStart..<path.count, &steps) }
        var (component, place) = (0, start)
        var anyFolders: (component: Int, place: Int)?
        while true {
            if component < components.count, components[component].isAnyFolders {
                component += 1
                anyFolders = (component, place)
            }
            if component < components.count, place < path.count {
                let end = nameEnd(path, place, &steps)
                if components[component].matches(path, place..<end, &steps) {
                    component += 1
                    place = end + 1
                    continue
                }
            } else if component == components.count, place > path.count {
                return true
            }
            // As with stars, only the last `**` needs another try, one folder further down.
            guard let last = anyFolders, last.place < path.count else { return false }
            place = nameEnd(path, last.place, &steps) + 1
            component = last.component
            anyFolders = (component, place)
        }
    }

    private func nameEnd(_ path: [UInt8], _ start: Int, _ steps: inout Int) -> Int {
        var end = start
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        steps += end - start
        return end
    }
}

extension IgnorePattern: CustomStringConvertible {
    /// As it was written, made safe to show.
    public var description: String { DisplayText.of(text) }
}
