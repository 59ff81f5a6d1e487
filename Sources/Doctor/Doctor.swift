public import PluginHost
import Settings
import Vitrine
import VitrineKit

/// Looks whether Vitrine has everything it needs on this machine, and says what to do where it has not.
///
/// Nothing is assumed that can be tried: a real worker of each renderer tries what its containment forbids, a file is
/// written into the cache. No library that parses files is mapped into this process.
public struct Doctor: Sendable {
    private let environment: [String: String]
    private let folders: [String]

    /// - Parameters:
    ///   - environment: the process's variables. Default: this one's.
    ///   - folders: folders with files to look at too, absolute. Default: none.
    public init(environment: [String: String] = PluginSearchPath.environment, folders: [String] = []) {
        self.environment = environment
        self.folders = folders
    }

    /// Looks at everything. Takes as long as starting a worker of each renderer, and listing the cache.
    /// - Returns: what was found, area by area; there is at least one finding.
    public func examine() async -> [Finding] {
        var findings: [Finding] = []
        let settings = readSettings(&findings)
        do throws(PluginError) {
            let configuration = try PipelineConfiguration.standard(environment: environment, settings: settings)
            findings.append(Finding(.program, "vitrine-worker", .ok, configuration.workerProgram))
            findings += await examine(configuration)
        } catch {
            findings.append(Finding(.program, "set-up", .problem, error.message))
        }
        findings += DataCheck.findings
        findings += DesktopCheck(environment: environment).findings
        findings += folders.flatMap { SourceCheck(folder: $0).findings }
        let order = Finding.Area.allCases
        return order.flatMap { area in findings.filter { $0.area == area } }
    }

    private func readSettings(_ findings: inout [Finding]) -> Settings {
        let path = Settings.path(environment: environment)
        do throws(PluginError) {
            let settings = try Settings.standard(environment: environment)
            let text = settings == Settings() ? "nothing is set, defaults are in force" : "understood"
            findings.append(Finding(.settings, "file", .ok, "\(path ?? "no home folder"): \(text)"))
            findings += settings.doubts().map { Finding(.settings, "patterns", .warning, "the file has \($0)") }
            return settings
        } catch {
            findings.append(
                Finding(
                    .settings, "file", .problem, error.message,
                    advice: "mend or remove the file; 'vitrine config check' looks at it again"))
            return Settings()
        }
    }

    /// What depends on the set-up; also for set-ups that a test made.
    func examine(_ configuration: PipelineConfiguration) async -> [Finding] {
        let directory = PluginDirectory(scanning: configuration.plugins, settings: configuration.settings)
        let named = environment["VITRINE_PLUGIN_PATH"].map { $0.split(separator: ":").map(String.init) } ?? []
        var findings = PluginCheck(directory: directory, settings: configuration.settings, named: named).findings
        findings += await ContainmentCheck(
            configuration: configuration, renderers: directory.renderers + directory.containers
        ).findings()
        findings += LibraryCheck(renderers: Set(directory.renderers.map(\.manifest.id))).findings
        let cache = CacheCheck(folders: configuration.cache)
        findings += cache.findings
        findings += ClockCheck(cache: cache).findings
        findings += RecordCheck(library: configuration.library, catalog: configuration.catalog).findings
        return findings
    }
}
