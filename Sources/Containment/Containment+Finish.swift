import CPlatform
import Glibc

extension Containment {
    /// Puts up the layers that would hinder the warm-up, and tries them all. Afterwards the process may read its
    /// first input.
    ///
    /// Threads that a library started during the warm-up get the list of system calls too; their Landlock rules
    /// stay the broad ones.
    /// - Parameters:
    ///   - begun: what ``begin(profile:privateFolder:pluginFolder:extraReadable:)`` returned.
    ///   - profile: the same as there.
    ///   - limits: what the process may use at most.
    ///   - privateFolder: the same as there.
    /// - Returns: the whole report, to be sent to the host.
    public static func finish(
        _ begun: [LayerReport], profile: ContainmentProfile, limits: ContainmentLimits, privateFolder: String?
    ) -> ContainmentReport {
        _ = vp_reset_signals()
        let limited = limit(limits, writes: profile.privateFolder, isolated: profile.program != nil)
        var reports = begun
        reports.append(LayerReport(.limits, limited))
        if FileRules.version > 0 {
            reports.append(LayerReport(.files, tighten(profile, privateFolder)))
        }
        // Under the tight rules, and while threads can still be made. Without it a worker that renders when its host is
        // killed would go on until its alarm.
        _ = vp_end_with_peer(highestDescriptor)
        reports.append(LayerReport(.calls, filter(profile)))
        return ContainmentReport(reports)
    }

    private static func limit(_ limits: ContainmentLimits, writes: Bool, isolated: Bool) -> LayerReport.State {
        let space = UInt64(limits.addressSpace)
        let files = UInt64(limits.openFiles)
        let seconds = UInt64(limits.processorTime)
        let first = CInt(clamping: limits.openFiles)
        return [
            Probe("to map \(space) bytes", refusal: ENOMEM) { errnoOf(vp_probe_map(space)) },
            Probe("to open descriptor \(first)", refusal: EINVAL) { errnoOf(vp_probe_descriptor(first)) },
        ].around {
            failure(vp_limit(CInt(VP_LIMIT_ADDRESS_SPACE), space))
                ?? failure(vp_limit(CInt(VP_LIMIT_FILE_SIZE), writes ? UInt64(limits.fileSize) : 0))
                ?? failure(vp_limit(CInt(VP_LIMIT_OPEN_FILES), files))
                // Counted for the user namespace, so that others of this user do not matter.
                ?? (isolated ? failure(vp_limit(CInt(VP_LIMIT_PROCESSES), Self.mostProcesses)) : nil)
                ?? (seconds > 0 ? failure(vp_limit(CInt(VP_LIMIT_PROCESSOR_TIME), seconds)) : nil)
        }
    }

    /// Threads and processes of a program and all that it starts.
    private static let mostProcesses: UInt64 = 128

    private static func tighten(_ profile: ContainmentProfile, _ privateFolder: String?) -> LayerReport.State {
        let folder = profile.privateFolder ? privateFolder : nil
        let reachable = folder.map { vp_probe_open($0) == 0 } ?? true
        // What the broad rules left open and the profile does not name.
        let candidates = ["/", "/etc/passwd", "/usr", "/usr/lib", "/dev/zero"]
        let state = fileProbes(candidates, outside: profile.read + [folder].compactMap(\.self)).around {
            guard let rules = FileRules() else { return "Landlock: no second rule set" }
            rules.read(profile.read)
            if let program = profile.program {
                rules.run(ContainmentProfile.programFolders + [program])
                rules.device("/dev/null")
            }
            if let folder { rules.write(folder) }
            let failed = rules.enforce()
            return failed == 0 ? nil : "Landlock: \(phrase(failed))"
        }
        if let folder, reachable, vp_probe_open(folder) != 0 { return .broken("the private folder is denied too") }
        return state
    }

    private static func filter(_ profile: ContainmentProfile) -> LayerReport.State {
        guard let filter = profile.program == nil ? CallFilter.worker(profile) : CallFilter.programs() else {
            return .absent("libseccomp cannot make a filter")
        }
        let state = callProbes(profile).around {
            let failed = filter.load()
            return failed == 0 ? nil : phrase(failed)
        }
        if let failure = filter.failure, state == .active { return .broken(failure) }
        return state
    }

    /// What neither a worker that runs programs nor they may do.
    private static func programProbes(_ refusal: CInt) -> [Probe] {
        [
            Probe(call: "connect", refusal: refusal, -1), Probe(call: "socket", refusal: refusal, -1),
            Probe(call: "fchownat", refusal: refusal, -1), Probe(call: "unshare", refusal: refusal, 0),
            Probe(call: "setresuid", refusal: refusal, -1, -1, -1), Probe(call: "io_uring_setup", refusal: refusal, 0),
            Probe(call: "ioctl", refusal: ENOTTY, -1), Probe(call: "clone3", refusal: ENOSYS),
            // With CLONE_SIGHAND and without CLONE_VM it is no valid combination.
            Probe(call: "clone", refusal: ENOSYS, Int(VP_CLONE_NEW_USER | VP_CLONE_SIGHAND)),
        ]
    }

    /// Calls whose arguments make the kernel refuse them with another errno, or do nothing.
    private static func callProbes(_ profile: ContainmentProfile) -> [Probe] {
        let refusal = profile.loadsLibraries ? EPERM : ENOSYS
        if profile.program != nil { return programProbes(refusal) }
        let own = Int(getpid())
        var probes = [
            Probe(call: "connect", refusal: refusal, -1),
            Probe(call: "execve", refusal: refusal),
            Probe(call: "kill", refusal: refusal, own, 0),
            Probe(call: "fchownat", refusal: refusal, -1),
            Probe(call: "unshare", refusal: refusal, 0),
            Probe(call: "setresuid", refusal: refusal, -1, -1, -1),
            Probe(call: "io_uring_setup", refusal: refusal, 0),
            // CLONE_SIGHAND without CLONE_VM is no valid combination.
            Probe(call: "clone", refusal: EAGAIN, Int(VP_CLONE_SIGHAND)),
            Probe(call: "clone3", refusal: ENOSYS),
            Probe(call: "ioctl", refusal: ENOTTY, -1),
            Probe("socket", refusal: refusal) {
                let fd = vp_call(vp_call_number("socket"), Int(AF_UNIX), 1, 0, 0, 0)
                if fd >= 0 { close(CInt(fd)) }
                return errnoOf(fd)
            },
        ]
        if !profile.loadsLibraries {
            probes.append(
                Probe("executable memory", refusal: EPERM) {
                    let map = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                    guard let map, map != MAP_FAILED else { return errno }
                    munmap(map, 4096)
                    return 0
                })
        }
        if !profile.privateFolder {
            // A folder cannot be opened for writing in any case.
            probes.append(Probe("to open for writing", refusal: EACCES) { open("/", O_WRONLY) < 0 ? errno : 0 })
        }
        return probes
    }
}
