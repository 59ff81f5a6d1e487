// Who embeds the engine writes one import: sizes, errors, patterns, plugins, paths, settings and the library come with it.
@_exported public import Accounts
@_exported public import Finishing
@_exported public import IgnoreRules
@_exported public import Library
@_exported public import PluginHost
@_exported public import PreviewCache
@_exported public import RangeReading
@_exported public import Settings
@_exported public import VitrineKit
