import CertificateRenderer
public import VitrineKit

/// What this library was built against; read before anything else of it.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// Makes the renderer.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    VitrineKit.PluginEntry.renderer(CertificateRenderer.self)
}
