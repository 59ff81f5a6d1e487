public import VitrineKit

/// What the library was built against.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// The renderer.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    VitrineKit.PluginEntry.renderer(HostileRenderer.self)
}
