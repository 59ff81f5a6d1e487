import CPlatform
import Glibc

extension Containment {
    /// Puts up the layers that must stand before libraries start threads. Call it first thing in `main`, once
    /// the plugin's library is mapped, while the process has one thread; the namespaces are refused otherwise.
    ///
    /// In a user namespace the process sees itself as user 65534; its rights to files are what they were.
    /// - Parameters:
    ///   - profile: what the renderer asks for.
    ///   - privateFolder: the worker's own empty folder, which the host made. As root it is given to the user
    ///     that the process becomes, who must be able to go there: every folder above it must let others pass.
    ///   - pluginFolder: stays readable during the warm-up, as far as that user may read it.
    ///   - extraReadable: further folders that stay readable during the warm-up, such as those that the dynamic
    ///     linker searches for libraries outside /usr.
    /// - Returns: a report for each layer, for ``finish(_:profile:limits:privateFolder:)``.
    public static func begin(
        profile: ContainmentProfile, privateFolder: String?, pluginFolder: String, extraReadable: [String] = []
    ) -> [LayerReport] {
        let descriptors = closeDescriptors()
        // While /proc/self still belongs to this user. No layer: where it fails, the host's watch is what is left.
        _ = vp_offer_to_oom_killer(oomScore)
        let root = getuid() == 0
        if root, profile.privateFolder, let privateFolder { _ = vp_give_folder(privateFolder) }
        // Root can leave the network without a user namespace, which systems forbid more often.
        let startsPrograms = profile.program != nil
        let left = root && !startsPrograms ? leaveNetwork(userNamespace: false) : .absent("")
        let identity = becomeOrdinary(root: root)
        let privileges = state(vp_forbid_privileges())
        let namespaces =
            startsPrograms
            ? leaveProcesses() : left == .active ? left : leaveNetwork(userNamespace: true)
        // The new user namespace came with capabilities inside it, and a change of ids makes a process
        // dumpable as the system is set.
        let capabilities = vp_drop_capabilities()
        let dumps = state(vp_forbid_dumps())
        return [
            descriptors, LayerReport(.identity, capabilities < 0 ? .broken(phrase(-capabilities)) : identity),
            LayerReport(.privileges, privileges), LayerReport(.dumps, dumps), LayerReport(.namespaces, namespaces),
        ] + landlock(profile, privateFolder, [pluginFolder] + extraReadable)
    }

    private static func closeDescriptors() -> LayerReport {
        let stray = fcntl(0, F_DUPFD, highestDescriptor + 1)
        let failed = failure(vp_keep_descriptors(highestDescriptor))
        if let failed { return LayerReport(.descriptors, .absent(failed)) }
        let open = stray >= 0 && fcntl(stray, F_GETFD) >= 0
        return LayerReport(.descriptors, open ? .broken("a descriptor above 3 is still open") : .active)
    }

    private static func becomeOrdinary(root: Bool) -> LayerReport.State {
        guard root else { return .active }
        let answer = vp_become_nobody()
        // Its capabilities, which are all that it has before that user, go next.
        if answer < 0, UserNamespace.rootIsOrdinary { return .active }
        if answer < 0 { return .absent("cannot become user \(VP_NOBODY): \(phrase(-answer))") }
        return getuid() == 0 ? .broken("the process is still root") : .active
    }

    private static func leaveNetwork(userNamespace: Bool) -> LayerReport.State {
        [Probe("a way to 127.0.0.1", refusal: ENETUNREACH) { errnoOf(vp_probe_route()) }].around {
            failure(vp_leave_network(userNamespace ? 1 : 0))
                ?? (userNamespace ? failure(vp_limit(CInt(VP_LIMIT_PROCESSES), mostThreads)) : nil)
        }
    }

    /// Threads in a user namespace of workers, which is that of a template, and where since Linux 5.14 nobody else counts: far
    /// more than decoders start on the largest machine, and far fewer than a session may have.
    private static let mostThreads: UInt64 = 4096

    /// Goes on as the first process of a PID namespace, without a network: what it starts ends with it, and reaches no
    /// process outside.
    private static func leaveProcesses() -> LayerReport.State {
        let state = [Probe("a way to 127.0.0.1", refusal: ENETUNREACH) { errnoOf(vp_probe_route()) }].around {
            failure(vp_become_first_process())
        }
        return state == .active && getpid() != 1 ? .broken("the process is not the first of its namespace") : state
    }

    private static func landlock(
        _ profile: ContainmentProfile, _ privateFolder: String?, _ folders: [String]
    ) -> [LayerReport] {
        let version = FileRules.version
        guard let rules = FileRules() else {
            let reason = LayerReport.State.absent(FileRules.absence)
            return [.files, .tcp, .signals].map { LayerReport($0, reason) }
        }
        let readable = FileRules.systemFolders + profile.read + folders
        let own = profile.privateFolder ? privateFolder : nil
        rules.read(readable)
        rules.device("/dev/null")
        if let program = profile.program { rules.run(ContainmentProfile.programFolders + [program]) }
        if let own { rules.write(own) }

        let bind = Probe("to bind a TCP port", refusal: EACCES) { errnoOf(vp_probe_tcp()) }
        let parent = getppid()
        let signal = Probe("to signal the parent", refusal: EPERM) { parent > 0 && kill(parent, 0) == 0 ? 0 : EPERM }
        let bound = bind.attempt() != EACCES
        let signalled = signal.attempt() != EPERM
        let files = fileProbes(["/", "/etc/passwd", "/etc", "/var"], outside: readable + [own].compactMap(\.self))
            .around {
                let failed = rules.enforce()
                return failed == 0 ? nil : "Landlock: \(phrase(failed))"
            }
        func state(_ probe: Probe, _ told: Bool, since needed: CInt) -> LayerReport.State {
            guard case .absent = files else {
                if version < needed { return .absent("Landlock \(version); it takes version \(needed)") }
                return told && probe.attempt() != probe.refusal
                    ? .broken("it is still possible \(probe.name)") : .active
            }
            return files
        }
        return [
            LayerReport(.files, files), LayerReport(.tcp, state(bind, bound, since: 4)),
            LayerReport(.signals, state(signal, signalled, since: 6)),
        ]
    }

    /// Attempts to open those of the paths that do not lie in what is allowed.
    static func fileProbes(_ paths: [String], outside allowed: [String]) -> [Probe] {
        // Landlock allows what a path leads to, which is elsewhere when there are links on the way.
        let allowed = allowed.compactMap { realPath($0) }
        return paths.compactMap { path in
            guard let real = realPath(path) else { return nil }
            guard !allowed.contains(where: { $0 == "/" || $0 == real || real.hasPrefix($0 + "/") }) else { return nil }
            return Probe("to open \(path)", refusal: EACCES) { errnoOf(vp_probe_open(path)) }
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func state(_ answer: CInt) -> LayerReport.State { failure(answer).map { .absent($0) } ?? .active }
}
