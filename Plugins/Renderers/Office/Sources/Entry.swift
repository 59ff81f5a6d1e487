public import VitrineKit

/// What this library was built against.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// Hands the renderer to the worker.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    PluginEntry.renderer(OfficeRenderer.self)
}
