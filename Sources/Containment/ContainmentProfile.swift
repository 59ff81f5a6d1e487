/// What a renderer's library needs beyond the strictest containment: the `containment` object of `plugin.json`.
public struct ContainmentProfile: Codable, Hashable, Sendable {
    /// System calls beyond the core list, by name.
    public var calls: [String]
    /// Whether the library starts threads.
    public var threads: Bool
    /// Folders and files that stay readable after the warm-up, as absolute paths.
    public var read: [String]
    /// Whether the worker gets a folder of its own to write in.
    public var privateFolder: Bool
    /// Whether the library maps executable memory after the warm-up.
    public var loadsLibraries: Bool

    /// Creates a profile; nothing is granted by default.
    public init(
        calls: [String] = [], threads: Bool = false, read: [String] = [], privateFolder: Bool = false,
        loadsLibraries: Bool = false
    ) {
        self.calls = calls
        self.threads = threads
        self.read = read
        self.privateFolder = privateFolder
        self.loadsLibraries = loadsLibraries
    }

    /// Nothing beyond the core list.
    public static let strictest = ContainmentProfile()

    /// Decodes a profile; what is absent is not granted.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        calls = try fields.decodeIfPresent([String].self, forKey: .calls) ?? []
        threads = try fields.decodeIfPresent(Bool.self, forKey: .threads) ?? false
        read = try fields.decodeIfPresent([String].self, forKey: .read) ?? []
        privateFolder = try fields.decodeIfPresent(Bool.self, forKey: .privateFolder) ?? false
        loadsLibraries = try fields.decodeIfPresent(Bool.self, forKey: .loadsLibraries) ?? false
    }
}
