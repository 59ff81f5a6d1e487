import Synchronization
public import VitrineKit

/// Which renderers draw a type, the one to ask first in front.
///
/// A value; copies share what was worked out so far. May be used from any task.
public struct RendererRegistry: Sendable {
    private let plugins: [InstalledPlugin]
    private let switchedOff: [PluginManifest]
    private let answers = Answers()

    /// Creates a registry.
    /// - Parameter directory: the installed plugins.
    public init(_ directory: PluginDirectory) {
        plugins = directory.renderers
        switchedOff = directory.switchedOff.filter { $0.kind == .renderer }
    }

    /// Creates a registry of what reads containers instead, which is chosen by type in the same way.
    public init(containersOf directory: PluginDirectory) {
        plugins = directory.containers
        switchedOff = directory.switchedOff.filter { $0.kind == .container }
    }

    /// The patterns by which the renderers know their types, those of the highest priority first.
    public var magic: [MagicPattern] { plugins.flatMap(\.manifest.magic) }

    /// The renderers for a type, in the order in which they are to be tried.
    ///
    /// Those that name the type itself (or an alias of it, as the shared MIME database knows) come first, the highest
    /// priority in front, then who says so (`firstFor`), then by id; then those that name a type of which this one is a
    /// variety, the nearest kinship first: a spreadsheet is a zip too. A renderer of `application/octet-stream` is tried for
    /// everything, last.
    /// - Parameter mimeType: as ``TypeSniffer`` found it.
    /// - Returns: empty when no renderer draws it.
    public func renderers(for mimeType: String) -> [InstalledPlugin] {
        let type = mimeType.lowercased()
        if let known = answers.table.withLock({ $0[type] }) { return known }
        let answer = find(type)
        answers.table.withLock { table in
            if table.count >= Answers.limit { table.removeAll() }
            table[type] = answer
        }
        return answer
    }

    /// What a file is for those who draw it: of one that nobody draws as what it is, and that is written in letters (a list of
    /// stations, a drawing of XFig), a text.
    /// - Parameters:
    ///   - type: as ``TypeSniffer`` found it.
    ///   - head: the file's beginning, as the sniffer was given it.
    /// - Returns: the type itself if there is a renderer for it, switched off or not, or none for texts either.
    public func drawnType(of type: SniffedType, head: [UInt8]) -> SniffedType {
        guard renderers(for: type.mimeType).isEmpty, switchedOff(for: type.mimeType) == nil, !head.isEmpty,
            Mention.isWritten(head), !renderers(for: ContentType.text).isEmpty
        else { return type }
        return SniffedType(mimeType: ContentType.text, found: .content)
    }

    /// Why there is no renderer for a type.
    /// - Returns: `unsupported`, with the plugin that would draw it if the settings did not switch it off.
    public func unsupported(_ mimeType: String) -> PluginError {
        guard let plugin = switchedOff(for: mimeType) else {
            return PluginError(.unsupported, "no plugin renders files of type \(mimeType)")
        }
        return PluginError(
            .unsupported, "plugin '\(plugin.id)' renders files of type \(mimeType), but \(plugin.isSwitchedOff)")
    }

    /// The renderer of a type that the user switched off; `nil` when there is none.
    public func switchedOff(for mimeType: String) -> PluginManifest? {
        let type = mimeType.lowercased()
        // Who names the type itself is meant before one that takes everything.
        return switchedOff.first { $0.types.contains { $0 == type || ContentType.equal($0, type) } }
            ?? switchedOff.first { Self.declaredType(for: type, among: $0.types) != nil }
    }

    /// What a type is called in a plugin's manifest: itself, an alias, or the nearest type there of which it is a variety.
    /// A renderer is asked for types that it names only.
    /// - Returns: `nil` when the plugin does not draw the type.
    public func declaredType(for mimeType: String, by plugin: InstalledPlugin) -> String? {
        Self.declaredType(for: mimeType.lowercased(), among: plugin.manifest.types)
    }

    /// Whether two plugins take files of a type for the same: both name it, or both name the same type of which it is a variety.
    public func take(_ mimeType: String, alike first: InstalledPlugin, _ second: InstalledPlugin) -> Bool {
        guard let one = declaredType(for: mimeType, by: first), let other = declaredType(for: mimeType, by: second)
        else { return false }
        return one == other || ContentType.equal(one, other)
    }

    /// - Parameter type: in lower case.
    private static func declaredType(for type: String, among types: [String]) -> String? {
        // By far the most, and the database is not asked for them.
        if types.contains(type) { return type }
        if let alias = types.first(where: { ContentType.equal($0, type) }) { return alias }
        let wider = types.filter { ContentType.isA(type, $0) }
        return wider.max { a, b in
            wider.count { ContentType.isA(a, $0) } < wider.count { ContentType.isA(b, $0) }
        }
    }

    private func find(_ type: String) -> [InstalledPlugin] {
        let found = plugins.compactMap { plugin in
            declaredType(for: type, by: plugin).map { (plugin: plugin, type: $0) }
        }
        // Of one priority the plugins are in the order of their ids already.
        let ranked = found.enumerated().map { (index, match) in
            let distance = match.type == type || ContentType.equal(match.type, type) ? 0 : 1
            // The more of the other matches a type is a variety of, the nearer it is.
            let kinship = found.count { ContentType.isA(match.type, $0.type) }
            // What other projects bring is the last resort.
            let isForeign = match.plugin.foreign == nil ? 0 : 1
            let kin = (isForeign, distance, -kinship)
            let isFirst = match.plugin.manifest.firstFor.contains(match.type) ? 0 : 1
            return (kin: kin, place: (-match.plugin.manifest.priority, isFirst, index), plugin: match.plugin)
        }
        return ranked.sorted { $0.kin == $1.kin ? $0.place < $1.place : $0.kin < $1.kin }.map(\.plugin)
    }

    /// Answers that were given, so that a type is looked up once and not for each file.
    private final class Answers: Sendable {
        static let limit = 1024
        let table = Mutex<[String: [InstalledPlugin]]>([:])
    }
}

extension PluginManifest {
    /// The end of a sentence about a plugin that the user switched off.
    var isSwitchedOff: String { "is switched off by 'enabled' in [plugin \(id)] of the settings" }
}
