import PDFiumRenderer
public import VitrineKit

/// What this library was built against; read before anything else of it.
@c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
    vitrine_plugin_info_here()
}

/// Makes the renderer. PDFium's library is opened now: it may lie in a folder that the worker cannot reach once it has
/// given up its rights.
@c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
    PDFiumLibrary.open()
    return VitrineKit.PluginEntry.renderer(PDFiumRenderer.self)
}
