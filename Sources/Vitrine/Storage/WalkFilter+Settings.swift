import IgnoreRules
import PreviewCache
import Settings
import VitrineKit

extension WalkFilter {
    /// The filter of one source: what the settings file says, and on top of it what one run wants.
    ///
    /// Patterns to exclude add up. Of the patterns to include, those of the run count, or else those of the source, or
    /// else those of `[index]`.
    /// - Parameters:
    ///   - source: the source.
    ///   - name: the name that it was given.
    ///   - settings: of this user.
    ///   - options: of the run.
    ///   - cache: where previews lie.
    init(
        of source: SourceURI, named name: String? = nil, _ settings: Settings, _ options: PrebuildOptions,
        cache: PreviewCache?
    ) {
        var groups: [(origin: String, IndexSettings)] = [("[index] of the settings file", settings.index)]
        for key in [SourceKey(source), name.flatMap { SourceKey($0) }] {
            guard let key, let own = settings.sources[key] else { continue }
            groups.append(("[source \(DisplayText.of(key.text))] of the settings file", own))
        }
        func isOn(_ flag: IndexSettings.Key) -> Bool {
            groups.reversed().lazy.compactMap { $0.1[flag] }.first ?? IndexSettings.isOnByDefault(flag)
        }
        includesHidden = options.includesHidden || isOn(.hidden)
        readsIgnoreFiles = isOn(.vitrineignore)
        honoursNoMedia = isOn(.nomedia)
        self.cache = cache
        var include = groups.reversed().lazy.compactMap { group in
            group.1.include.map { IgnoreList($0, origin: group.origin) }
        }.first
        if !options.include.isEmpty { include = IgnoreList(options.include, origin: "--include") }
        rules = IgnoreRules(
            settings: groups.compactMap { group in group.1.exclude.map { IgnoreList($0, origin: group.origin) } },
            include: include, overriding: IgnoreList(options.exclude, origin: "--exclude"))
    }
}
