import CPlatform

/// A seccomp filter that is being built; owns the builder of libseccomp.
struct CallFilter: ~Copyable {
    /// What happens to a call.
    enum Action {
        case allow
        case refuse(CInt)
        case kill
        /// The call answers that all went well, and does nothing.
        case pretend

        fileprivate var code: CInt {
            switch self {
            case .allow: CInt(VP_ALLOW)
            case .refuse(let errno): errno
            case .kill: CInt(VP_KILL)
            case .pretend: CInt(VP_PRETEND)
            }
        }
    }

    private let raw: OpaquePointer
    /// The first rule that could not be added.
    private(set) var failure: String?

    /// Starts a filter; `nil` without memory or without a usable libseccomp.
    /// - Parameter otherwise: what happens to calls without a rule.
    init?(otherwise: Action) {
        guard let raw = vp_filter_new(otherwise.code) else { return nil }
        self.raw = raw
    }

    deinit { vp_filter_free(raw) }

    /// Adds a rule for each call; those that the architecture does not have are skipped.
    mutating func add(_ action: Action, _ calls: some Sequence<String>) {
        for call in calls { note(vp_filter_rule(raw, action.code, call), call) }
    }

    /// Adds a rule for the calls in which `(argument & mask) == value`.
    mutating func add(_ action: Action, _ call: String, argument: UInt32, mask: UInt64, equals value: UInt64) {
        note(vp_filter_rule_masked(raw, action.code, call, argument, mask, value), call)
    }

    /// Puts the filter in force for all threads.
    /// - Returns: 0 or the errno.
    func load() -> CInt { -vp_filter_load(raw) }

    private mutating func note(_ answer: CInt, _ call: String) {
        if answer < 0, failure == nil { failure = "the rule for \(call): \(phrase(-answer))" }
    }
}
