/// How well a worker is contained, in steps that a person can name. Each holds all that those before it hold.
public enum ContainmentLevel: String, CaseIterable, Codable, Hashable, Sendable {
    /// Something that was put up does not hold, or not even ``basic`` is reached.
    case none
    /// An ordinary user without privileges, with bounds of memory and files, whose memory nobody can dump.
    case basic
    /// The same, and the files of the user are out of reach: by Landlock, or because no file can be opened at all.
    case files
    /// The same, and no sockets, processes or signals: only the system calls of the profile are left.
    case calls
    /// Every layer there is.
    case full
}

extension ContainmentLevel: Comparable {
    /// Weaker before stronger.
    public static func < (a: ContainmentLevel, b: ContainmentLevel) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ContainmentReport {
    /// The level that is reached.
    /// - Parameter profile: what the worker may do: one that may open files needs Landlock to keep it from others.
    public func level(for profile: ContainmentProfile) -> ContainmentLevel {
        ContainmentLevel.allCases.last { missing(for: $0, profile).isEmpty } ?? .none
    }

    /// The layers that are missing for a level; empty when it is reached. A layer that is broken is missing for every
    /// level but ``ContainmentLevel/none``: who gets past one may get past others.
    public func missing(for level: ContainmentLevel, _ profile: ContainmentProfile) -> [LayerReport] {
        // Programs of others are started in a full set of layers or not at all, but for those of newer kernels.
        let startsPrograms = profile.program != nil
        if level == .none, !startsPrograms { return [] }
        var needed: Set<Containment.Layer> = [.descriptors, .identity, .privileges, .dumps, .limits]
        let opensFiles = !profile.read.isEmpty || profile.privateFolder
        if level >= .files, opensFiles || self[.calls] != .active { needed.insert(.files) }
        if level >= .calls { needed.insert(.calls) }
        if startsPrograms { needed.formUnion([.namespaces, .files, .calls]) }
        if level == .full { needed = Set(Containment.Layer.allCases) }
        return layers.filter { report in
            if case .broken = report.state { return true }
            return report.state != .active && needed.contains(report.layer)
        }
    }
}
