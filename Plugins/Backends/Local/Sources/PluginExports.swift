public import VitrineKit

/// The handshake; see `vitrine_plugin.h`.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// The plugin itself.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    PluginEntry.backend(LocalBackend.self)
}
