public import VitrineKit

/// Read before anything else of this library: what it was built against.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// Makes the renderer.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    PluginEntry.renderer(ImageRenderer.self)
}
