@_exported public import CVitrineABI

/// What a plugin's library hands to the engine: how to make its renderer, its backend or its reader of
/// containers.
///
/// A plugin exports it in two lines:
///
/// ```swift
/// @c(vitrine_plugin_info_v1) public func pluginInfo() -> UnsafePointer<vitrine_plugin_info>? {
///     vitrine_plugin_info_here()
/// }
/// @c(vitrine_plugin_entry_v1) public func pluginEntry() -> UnsafeMutableRawPointer {
///     PluginEntry.renderer(MyRenderer.self)
/// }
/// ```
public final class PluginEntry: Sendable {
    /// Makes the renderer, when the plugin is one.
    public let makeRenderer: (@Sendable (RendererEnvironment) throws(PluginError) -> any Renderer)?

    /// Makes a backend for a source, when the plugin is one.
    public let makeBackend: (@Sendable (SourceURI, BackendSettings) async throws(PluginError) -> any StorageBackend)?

    /// Makes the reader of containers, when the plugin is one.
    public let makeContainerReader: (@Sendable (RendererEnvironment) throws(PluginError) -> any ContainerReader)?

    private init(
        renderer: (@Sendable (RendererEnvironment) throws(PluginError) -> any Renderer)? = nil,
        backend: (@Sendable (SourceURI, BackendSettings) async throws(PluginError) -> any StorageBackend)? = nil,
        container: (@Sendable (RendererEnvironment) throws(PluginError) -> any ContainerReader)? = nil
    ) {
        makeRenderer = renderer
        makeBackend = backend
        makeContainerReader = container
    }

    /// The entry of a renderer plugin.
    /// - Returns: a retained reference; ``take(_:)`` takes it over.
    public static func renderer<R: Renderer>(_ type: R.Type) -> UnsafeMutableRawPointer {
        let entry = PluginEntry(
            renderer: { (environment) throws(PluginError) -> any Renderer in try R(environment) })
        return Unmanaged.passRetained(entry).toOpaque()
    }

    /// The entry of a backend plugin.
    /// - Returns: a retained reference; ``take(_:)`` takes it over.
    public static func backend<B: StorageBackend>(_ type: B.Type) -> UnsafeMutableRawPointer {
        let entry = PluginEntry(
            backend: { (source, settings) async throws(PluginError) -> any StorageBackend in
                try await B(source: source, settings: settings)
            })
        return Unmanaged.passRetained(entry).toOpaque()
    }

    /// The entry of a plugin that reads containers.
    /// - Returns: a retained reference; ``take(_:)`` takes it over.
    public static func container<C: ContainerReader>(_ type: C.Type) -> UnsafeMutableRawPointer {
        let entry = PluginEntry(
            container: { (environment) throws(PluginError) -> any ContainerReader in try C(environment) })
        return Unmanaged.passRetained(entry).toOpaque()
    }

    /// Takes over what `vitrine_plugin_entry_v1` returned. For the engine and its workers.
    public static func take(_ pointer: UnsafeMutableRawPointer) -> PluginEntry {
        Unmanaged<PluginEntry>.fromOpaque(pointer).takeRetainedValue()
    }
}
