import CPlatform

/// Places in which a worker may find itself.
enum Surroundings {
    struct Failure: Error {}

    /// What Docker's default seccomp profile refuses of the calls that containment needs or forbids, see
    /// https://docs.docker.com/engine/security/seccomp/: everything else passes here.
    /// - Parameter landlock: whether Landlock's calls pass, as they do since Docker 20.10.24 or so.
    static func docker(landlock: Bool) throws {
        guard let filter = vp_filter_new(CInt(VP_ALLOW)) else { throw Failure() }
        defer { vp_filter_free(filter) }
        let forbidden: CInt = 1  // EPERM
        var refused = [
            "unshare", "setns", "mount", "umount2", "pivot_root", "bpf", "perf_event_open", "userfaultfd", "keyctl",
            "add_key", "request_key", "kexec_load", "init_module", "finit_module", "delete_module",
            "open_by_handle_at", "reboot", "swapon", "swapoff", "io_uring_setup", "io_uring_enter",
            "io_uring_register",
        ]
        if !landlock { refused += ["landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"] }
        var answers = refused.map { vp_filter_rule(filter, forbidden, $0) }
        answers.append(vp_filter_rule(filter, 38, "clone3"))  // ENOSYS
        for bit in [0x20000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000] as [UInt64] {
            answers.append(vp_filter_rule_masked(filter, forbidden, "clone", 0, bit, bit))
        }
        guard answers.allSatisfy({ $0 >= 0 }), vp_filter_load(filter) == 0 else { throw Failure() }
    }
}
