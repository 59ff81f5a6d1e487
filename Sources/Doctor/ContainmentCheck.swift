import Containment
import PluginHost
import Settings
import Vitrine
import VitrineKit
import Workers

/// Starts a real worker of each renderer, which tries what its layers forbid, and tells what each layer did.
struct ContainmentCheck {
    let configuration: PipelineConfiguration
    /// All plugins that run in workers: those that draw and those that read containers.
    let renderers: [InstalledPlugin]

    func findings() async -> [Finding] {
        var findings = privateFolders
        let pool = WorkerPool(program: configuration.workerProgram, maximumIdle: 0)
        for renderer in renderers {
            let id = renderer.manifest.id
            do throws(PluginError) {
                let report = try await pool.readiness(of: WorkerSpecification(renderer))
                findings += self.findings(id, report, WorkerSpecification(renderer).profile)
            } catch {
                let substitute = substitute(of: renderer)?.manifest.id
                let advice = "install what is missing, or set VITRINE_WORKER_STDERR=1 to see what its libraries say"
                findings.append(
                    Finding(
                        .containment, id, substitute == nil ? .problem : .note, DisplayText.of(error.message),
                        advice: substitute.map { "\(advice); until then '\($0)' draws its files" }
                            ?? "\(advice); without a worker nothing is rendered by this plugin"))
            }
        }
        if await pool.startedCount > 0 { findings.append(Self.memory(isWatched: await pool.watchesMemory)) }
        await pool.end()
        return findings
    }

    /// Another renderer that draws all that one draws.
    private func substitute(of renderer: InstalledPlugin) -> InstalledPlugin? {
        renderers.first {
            $0.foreign == nil && $0.manifest.id != renderer.manifest.id
                && $0.manifest.kind == renderer.manifest.kind
                && Set(renderer.manifest.types).isSubset(of: $0.manifest.types)
        }
    }

    /// Whether workers that take too much memory are noticed.
    static func memory(isWatched: Bool) -> Finding {
        if isWatched { return Finding(.containment, "memory watch", .ok, "the memory of workers is seen from outside") }
        return Finding(
            .containment, "memory watch", .warning,
            "/proc does not show the memory of workers: 'resident-memory' is not enforced, 'address-space' is",
            advice: "mount /proc where Vitrine runs; with hidepid=, also let it be read while a worker starts")
    }

    /// The level that a worker reached, and each of its layers.
    func findings(_ id: String, _ report: ContainmentReport, _ profile: ContainmentProfile) -> [Finding] {
        let required = configuration.settings.requiredContainment ?? .none
        let lacking = report.missing(for: required, profile)
        if profile.program != nil, !lacking.isEmpty {
            let layers = lacking.map { DisplayText.of($0.description) }.joined(separator: ", ")
            return [
                Finding(
                    .containment, id, .note, "not used: it is started in a full containment only, which lacks \(layers)"
                )
            ]
        }
        let level = report.level(for: profile)
        let count = report.layers.count
        let layers = report.layers.map { finding(id, $0, report) }
        let isLess = layers.contains { $0.state != .ok && $0.state != .note }
        let state: Finding.State = level < max(.files, required) ? .problem : isLess ? .warning : .ok
        var text = "level \(level.rawValue): \(count - report.lacking.count) of \(count) layers hold"
        if level < required { text += "; the settings require \(required.rawValue), so that it gets no work" }
        let head = Finding(.containment, id, state, text)
        return [head] + layers
    }

    private func finding(_ id: String, _ layer: LayerReport, _ report: ContainmentReport) -> Finding {
        switch layer.state {
        case .active: Finding(.containment, id, layer: layer.layer, .ok, "active")
        case .absent(let reason):
            Finding(
                .containment, id, layer: layer.layer, Self.isSpare(layer.layer, report) ? .note : .warning,
                "absent: \(DisplayText.of(reason))", advice: Self.advice(layer.layer))
        case .broken(let reason):
            Finding(
                .containment, id, layer: layer.layer, .problem, "broken: \(DisplayText.of(reason))",
                advice: "open no files of strangers until this is mended; report it with the kernel's version")
        }
    }

    /// Whether a layer only repeats what seccomp was seen to refuse, and is newer than the kernels of distributions
    /// that are in use: a machine without it is as it should be.
    private static func isSpare(_ layer: Containment.Layer, _ report: ContainmentReport) -> Bool {
        (layer == .tcp || layer == .signals) && report[.calls] == .active
    }

    /// Folders of their own for the workers of renderers that write.
    private var privateFolders: [Finding] {
        do throws(PluginError) {
            let path = try WorkerPool.checkPrivateFolders()
            let space = FreeSpace(at: path)
            let state: Finding.State = (space?.bytes ?? .max) < 256 << 20 ? .warning : .ok
            return [
                Finding(
                    .program, "temporary files", state, "\(path), \(space?.description ?? "of unknown size")",
                    advice: state == .ok ? nil : "free some space, or set TMPDIR to a folder that has more")
            ]
        } catch {
            return [
                Finding(
                    .program, "temporary files", .problem, DisplayText.of(error.message),
                    advice: "office documents cannot be rendered without")
            ]
        }
    }

    private static func advice(_ layer: Containment.Layer) -> String {
        switch layer {
        case .descriptors: "workers inherit nothing but what the host gives them all the same"
        case .identity: "run Vitrine as an ordinary user instead of root"
        case .privileges, .dumps, .limits: "use Linux 5.13 or newer"
        case .namespaces:
            "allow unprivileged user namespaces (kernel.unprivileged_userns_clone, AppArmor, the container's profile); "
                + "meanwhile seccomp refuses sockets"
        case .files:
            "use Linux 5.13 or newer with landlock among the kernel's lsm=; in a container, a runtime whose profile knows it"
        case .tcp: "use Linux 6.7 or newer; meanwhile seccomp refuses sockets"
        case .signals: "use Linux 6.12 or newer; meanwhile seccomp refuses signals"
        case .calls: "use a kernel with CONFIG_SECCOMP_FILTER; in a container, a profile that allows seccomp"
        }
    }
}
