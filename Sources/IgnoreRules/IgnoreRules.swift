public import VitrineKit

/// What is in effect in one folder of a source: the settings' patterns, those of the files on the way down to it, and
/// the command line's.
///
/// A value, cheap to copy on the way down. The command line decides first, then the files from the deepest up, then
/// the settings from the last list to the first; within a list the last pattern that matches. As in git, nothing below
/// an excluded folder can be taken back in: who walks does not enter it.
///
/// Include patterns are apart from that: where there are some, a file is taken only if the last of them that matches
/// it, or else a folder above it, is not negated. Folders are entered whatever they say.
public struct IgnoreRules: Hashable, Sendable {
    /// The most bytes of patterns that may be in effect in one folder.
    public static let maximumSize = 4 * IgnoreList.maximumSize
    /// The most steps for one decision: a millisecond or two. There is one for each file of a folder.
    public static let maximumSteps = 1 << 19

    /// A number that is the same, also in other runs, exactly as long as the same patterns are in effect; but for
    /// chance, one in 2⁶⁴.
    public private(set) var digest: UInt64

    private let settings: [IgnoreList]
    private let include: IgnoreList?
    private let overriding: IgnoreList?
    private var files: [IgnoreList] = []
    private var isInIncludedFolder = false
    private var size: Int

    /// The rules at the root of a source, before its files are known.
    /// - Parameters:
    ///   - settings: lists of patterns to exclude, the more specific ones last. Default: none.
    ///   - include: the patterns to include. Default: everything is included.
    ///   - overriding: patterns that go before those of files. Default: none.
    public init(settings: [IgnoreList] = [], include: IgnoreList? = nil, overriding: IgnoreList? = nil) {
        self.settings = settings.filter { !$0.patterns.isEmpty }
        self.include = include.flatMap { $0.patterns.isEmpty ? nil : $0 }
        self.overriding = overriding.flatMap { $0.patterns.isEmpty ? nil : $0 }
        // Their user's own patterns count towards no bound that others could exhaust.
        size = 0
        var digest = RulesDigest()
        for list in self.settings { digest.add(list, as: 1) }
        if let include = self.include { digest.add(include, as: 2) }
        if let overriding = self.overriding { digest.add(overriding, as: 3) }
        self.digest = digest.value
    }

    /// Whether nothing is excluded.
    public var isEmpty: Bool { files.isEmpty && settings.isEmpty && include == nil && overriding == nil }

    /// The rules below a folder, before its own file is known.
    /// - Parameter folder: a folder that is entered, one level below the one that these rules are of.
    public func entering(_ folder: ItemPath) -> IgnoreRules {
        guard let include, !folder.isRoot else { return self }
        var steps = 0
        guard let match = include.lastMatch(folder.bytes, nameAt: Self.nameStart(folder), isFolder: true, &steps)
        else { return self }
        var rules = self
        rules.isInIncludedFolder = !match.isNegated
        if rules.isInIncludedFolder != isInIncludedFolder {
            var digest = RulesDigest(digest)
            digest.add(isInIncludedFolder ? 0 : 1)
            rules.digest = digest.value
        }
        return rules
    }

    /// The rules in a folder that has a file of patterns.
    /// - Throws: `limitExceeded` when more patterns would be in effect than are accepted.
    public func adding(_ file: IgnoreList) throws(PluginError) -> IgnoreRules {
        if file.patterns.isEmpty { return self }
        var rules = self
        rules.size += file.size
        guard rules.size <= Self.maximumSize else {
            throw PluginError(
                .limitExceeded,
                "with \(file.origin), the patterns in effect have more than \(Self.maximumSize) bytes; use fewer")
        }
        rules.files.append(file)
        var digest = RulesDigest(digest)
        digest.add(file, as: 4)
        rules.digest = digest.value
        return rules
    }

    /// Whether something in the folder is taken.
    /// - Parameters:
    ///   - path: its path in the source, not the root. The folders above it are taken to be entered.
    ///   - isFolder: whether it is a folder.
    public func decision(for path: ItemPath, isFolder: Bool) -> IgnoreDecision {
        if isEmpty || path.isRoot { return .included }
        let nameStart = Self.nameStart(path)
        var steps = 0
        func decides(_ list: IgnoreList) -> IgnoreDecision? {
            let match = list.lastMatch(path.bytes, nameAt: nameStart, isFolder: isFolder, &steps)
            if steps > Self.maximumSteps { return .tooCostly(origin: list.origin) }
            return match.map { $0.isNegated ? .included : .excluded(by: $0, origin: list.origin) }
        }
        var decision = overriding.flatMap(decides)
        for list in files.reversed() where decision == nil { decision = decides(list) }
        for list in settings.reversed() where decision == nil { decision = decides(list) }
        if let decision, !decision.isIncluded { return decision }
        guard let include, !isFolder else { return .included }
        switch decides(include) {
        // Here, to match is to be taken.
        case .excluded: return .included
        case .included: return .notIncluded(origin: include.origin)
        case nil: return isInIncludedFolder ? .included : .notIncluded(origin: include.origin)
        case let other?: return other
        }
    }

    private static func nameStart(_ path: ItemPath) -> Int {
        path.bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    }
}
