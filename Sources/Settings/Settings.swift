public import Containment
public import VitrineKit

/// What the user configured: the content of the settings file. A value; nothing is looked up later.
///
/// What stands in the file goes before what a `plugin.json` says, and that goes before the defaults.
public struct Settings: Hashable, Sendable {
    /// Renderers that cannot be contained so far are not used. Default: `none`, that is, any containment will do.
    public var requiredContainment: ContainmentLevel?
    /// When pictures that lie ready inside of items are taken. Default: `auto`.
    public var embedded: EmbeddedUse?
    /// Settings of single plugins, by their ids; also of plugins that are not installed.
    public var plugins: [String: PluginSettings] = [:]

    /// What `[cache]` says.
    public var cache = CacheSettings()

    /// Whether thumbnailers of other projects are used for types that no renderer draws. Default: yes.
    public var usesForeignThumbnailers: Bool?

    /// What `[passwords]` says.
    public var passwords = PasswordSettings()

    /// What `[index]` says, for walks through all sources.
    public var index = IndexSettings()
    /// What is set for walks through single sources, in place of `[index]` or, as for `exclude`, besides it.
    public var sources: [SourceKey: IndexSettings] = [:]

    /// Which messages of single sources are put into collections by their subjects.
    public var filing: [SourceKey: FilingSettings] = [:]

    /// Nothing is set.
    public init() {}

    /// Ids of the plugins that are switched off.
    public var disabledPlugins: Set<String> { Set(plugins.filter { $0.value.isDisabled }.keys) }

    /// Priorities by id.
    public var priorities: [String: Int] { plugins.compactMapValues { $0.number(.priority) } }
}
