import PluginHost

/// An item that was opened, what it turned out to be, and who draws such files: all that its drawing needs to know of it.
struct KnownItem {
    /// It, and its first bytes. Of a document that was packed: unpacked, in memory that nobody can write to.
    var open: OpenItem
    /// What it is.
    var type: SniffedType
    /// Who draws files of that type, best first; of an empty file nobody.
    var renderers: [InstalledPlugin]
}
