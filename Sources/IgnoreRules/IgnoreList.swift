public import VitrineKit

/// Patterns of one origin: of a file such as `.vitrineignore`, of the settings, or of the command line. Later ones go
/// before earlier ones.
public struct IgnoreList: Hashable, Sendable {
    /// The most bytes that a file of patterns may have.
    public static let maximumSize = 65_536
    /// The most patterns in one list.
    public static let maximumCount = 4096

    /// Where the patterns stand, to follow "in" in a sentence: `'a/.vitrineignore'`, `[index] of the settings file`.
    public let origin: String
    /// The folder that the patterns are about.
    public let folder: ItemPath
    /// The patterns, in their order.
    public let patterns: [IgnorePattern]
    private let hints: [PatternHint]

    /// Takes patterns of the settings or the command line, which are about a whole source.
    /// - Parameters:
    ///   - patterns: in their order.
    ///   - origin: see ``origin``.
    public init(_ patterns: [IgnorePattern], origin: String) {
        self.patterns = patterns
        hints = patterns.map(\.hint)
        self.origin = origin
        folder = .root
    }

    /// Reads the content of a file in the syntax of gitignore(5): a pattern a line, `#` begins a comment, blanks at the
    /// end of a line count only after `\`. Lines may end in CR LF. What can match nothing is passed over, as git does.
    /// - Parameters:
    ///   - content: all bytes of the file.
    ///   - file: where it lies; its patterns are about the folder that holds it.
    /// - Throws: `limitExceeded` when the file, a pattern or their number is over its bound: half of the rules would
    ///   let through what the other half takes out.
    public init(content: [UInt8], of file: ItemPath) throws(PluginError) {
        let name = "'\(DisplayText.of(file.bytes))'"
        guard content.count <= Self.maximumSize else {
            throw PluginError(
                .limitExceeded, "\(name) has more than \(Self.maximumSize) bytes; make it smaller")
        }
        var patterns: [IgnorePattern] = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = content.starts(with: mark) ? content[mark.count...] : content[...]
        var number = 0
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.first == UInt8(ascii: "#") { continue }
            let written = Self.withoutBlanks(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            if written.isEmpty { continue }
            guard written.count <= IgnorePattern.maximumLength else {
                throw PluginError(
                    .limitExceeded,
                    "\(name), line \(number): the pattern has \(written.count) bytes; at most "
                        + "\(IgnorePattern.maximumLength) are accepted")
            }
            guard patterns.count < Self.maximumCount else {
                throw PluginError(
                    .limitExceeded, "\(name) has more than \(Self.maximumCount) patterns; join some with wildcards")
            }
            if let pattern = IgnorePattern(written, line: number) { patterns.append(pattern) }
        }
        self.patterns = patterns
        hints = patterns.map(\.hint)
        origin = name
        folder = file.parent ?? .root
    }

    /// A line without the blanks at its end; one that follows a `\` belongs to the pattern.
    public static func withoutBlanks(_ line: some Collection<UInt8>) -> [UInt8] {
        let line = Array(line)
        var end = 0
        var isEscaped = false
        for place in line.indices {
            if isEscaped || line[place] != UInt8(ascii: " ") { end = place + 1 }
            isEscaped = !isEscaped && line[place] == UInt8(ascii: "\\")
        }
        return Array(line[..<end])
    }

    /// The pattern that decides about a path: the last one that matches.
    /// - Parameters:
    ///   - path: a path below ``folder``.
    ///   - nameStart: where its last name begins.
    ///   - isFolder: whether it is a folder.
    ///   - steps: grows with the work.
    func lastMatch(_ path: [UInt8], nameAt nameStart: Int, isFolder: Bool, _ steps: inout Int) -> IgnorePattern? {
        let start = folder.isRoot ? 0 : folder.bytes.count + 1
        guard start < path.count else { return nil }
        for index in hints.indices.reversed()
        where hints[index].mayMatch(path, from: start, nameAt: nameStart, isFolder: isFolder) {
            if patterns[index].matches(path, from: start, nameAt: nameStart, isFolder: isFolder, &steps) {
                return patterns[index]
            }
            if steps > IgnoreRules.maximumSteps { return nil }
        }
        steps += hints.count
        return nil
    }

    /// The bytes of all patterns.
    var size: Int { patterns.reduce(0) { $0 + $1.text.count } }
}
