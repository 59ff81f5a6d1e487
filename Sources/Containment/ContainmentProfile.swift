public import VitrineKit

/// What a renderer needs beyond the least, as its `plugin.json` says under `containment`.
///
/// A value of this type is always one that may be granted: what may not is refused when it is made or decoded.
public struct ContainmentProfile: Codable, Hashable, Sendable {
    /// System calls beyond the core list; names as on x86-64, of `SystemCalls.grantable`. On other architectures
    /// their counterparts are meant (`readlinkat` for `readlink`).
    public let calls: [String]
    /// The library starts threads.
    public let threads: Bool
    /// Files and folders that are read after the warm-up, absolute. Those that do not exist are left out.
    public let read: [String]
    /// The worker gets an empty folder of its own to write in.
    public let privateFolder: Bool
    /// The library loads further libraries after the warm-up, so that executable memory may be mapped. Calls
    /// that are forbidden then fail with EPERM, the error that such large programs expect, instead of ENOSYS.
    public let loadsLibraries: Bool
    /// The program of somebody else that the worker starts; `nil` for all renderers. See ``running(_:)``.
    public let program: String?

    /// The least: one thread, the core calls, no file. What a plugin gets that has no profile.
    public static let strictest = ContainmentProfile(
        granted: [], threads: false, read: [], privateFolder: false, loadsLibraries: false)

    private enum CodingKeys: String, CodingKey {
        case calls, threads, read, privateFolder, loadsLibraries, program
    }

    /// Creates a profile.
    /// - Throws: `invalidArgument` with a sentence that names the call or the path that cannot be granted.
    public init(
        calls: [String] = [], threads: Bool = false, read: [String] = [], privateFolder: Bool = false,
        loadsLibraries: Bool = false
    ) throws(PluginError) {
        try Self.check(calls: calls, privateFolder: privateFolder)
        try Self.check(read: read)
        self.init(
            granted: calls, threads: threads, read: read, privateFolder: privateFolder, loadsLibraries: loadsLibraries)
    }

    /// Decodes the object `containment`; every key has a default, which is the strictest value.
    /// - Throws: `PluginError.invalidArgument` as ``init(calls:threads:read:privateFolder:loadsLibraries:)`` does;
    ///   `DecodingError` for values of other types.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            calls: try values.decodeIfPresent([String].self, forKey: .calls) ?? [],
            threads: try values.decodeIfPresent(Bool.self, forKey: .threads) ?? false,
            read: try values.decodeIfPresent([String].self, forKey: .read) ?? [],
            privateFolder: try values.decodeIfPresent(Bool.self, forKey: .privateFolder) ?? false,
            loadsLibraries: try values.decodeIfPresent(Bool.self, forKey: .loadsLibraries) ?? false)
    }

    init(
        granted calls: [String], threads: Bool, read: [String], privateFolder: Bool, loadsLibraries: Bool,
        program: String? = nil
    ) {
        self.program = program
        self.calls = calls
        self.threads = threads
        self.read = read
        self.privateFolder = privateFolder
        self.loadsLibraries = loadsLibraries
    }
}
