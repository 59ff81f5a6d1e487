import PluginLoader
import VitrineKit
import WorkerWire

/// Another renderer in a template, beside the one that it was started for.
///
/// What is wrong with it is told to those who want a worker of it: the others of the template go on.
final class Companion {
    let setup: RendererSetup
    private var entry: Result<PluginEntry, PluginError>
    private var renderer: (any Renderer)?

    /// Maps its library, as long as the process can reach it.
    init(_ setup: RendererSetup) {
        self.setup = setup
        do throws(PluginError) { entry = .success(try PluginLibrary.open(setup.library)) } catch {
            entry = .failure(error)
        }
    }

    /// Makes the renderer, which thereby warms up.
    func warmUp() {
        do throws(PluginError) {
            let environment = RendererEnvironment(
                pluginFolder: setup.pluginFolder, maximumPixels: Int(setup.maximumPixels),
                addressSpace: setup.addressSpace)
            renderer = try entry.get().makeRenderer?(environment)
        } catch { entry = .failure(error) }
    }

    /// The renderer of a library.
    /// - Throws: why there is none.
    static func renderer(_ library: String, of companions: [Companion]) throws(PluginError) -> any Renderer {
        let own = companions.first { $0.setup.library == library }
        if let renderer = own?.renderer { return renderer }
        if case .failure(let error)? = own?.entry { throw error }
        throw PluginError(.pluginUnavailable, "'\(library)' was not warmed up")
    }
}
