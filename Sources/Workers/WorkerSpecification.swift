public import Containment
import WorkerWire

/// What the pool must know of a renderer to run workers for it.
public struct WorkerSpecification: Hashable, Sendable {
    /// The plugin's id and version: workers are shared among jobs with the same specification.
    public var id: String
    /// The renderer's library, an absolute path.
    public var library: String
    /// The plugin's folder.
    public var pluginFolder: String
    /// What it may do after its warm-up.
    public var profile: ContainmentProfile
    /// Seconds from handing over an item to its answer. Waiting for a worker or for a core does not count.
    public var seconds: Int
    /// The most bytes of address space.
    public var addressSpace: Int64
    /// The most bytes that it may keep in memory while it holds an item.
    public var residentMemory: Int64
    /// The most bytes of its own that it may keep in memory between two items; one that keeps more is replaced.
    public var keptMemory: Int64
    /// The most bytes that it may keep in its private folder, if it has one.
    public var privateFolderSize: Int64
    /// The most bytes of memory for the previews of one item.
    public var outputSize: Int64
    /// The most pixels of a decoded picture.
    public var maximumPixels: Int
    /// A worker is replaced after this many items, so that what a library leaks stays small.
    public var documentsPerWorker: Int
    /// Whether the library holds the encoders of finished pictures instead of a renderer.
    public internal(set) var isFinisher = false
    /// The ``patience`` of a job, where it is not the usual one.
    var ownPatience: Int?
    /// The program of somebody else that its workers run; `nil` for renderers.
    var program: ProgramSetup?
    /// Renderers whose workers come of the same template.
    private(set) var companions: [RendererSetup] = []

    /// Creates a specification.
    public init(
        id: String, library: String, pluginFolder: String, profile: ContainmentProfile, seconds: Int = 10,
        addressSpace: Int64 = 2 << 30, residentMemory: Int64 = 1 << 30, keptMemory: Int64 = 256 << 20,
        privateFolderSize: Int64 = 512 << 20, outputSize: Int64 = 2 << 30, maximumPixels: Int = 256_000_000,
        documentsPerWorker: Int = 500
    ) {
        self.residentMemory = residentMemory
        self.keptMemory = keptMemory
        self.privateFolderSize = privateFolderSize
        self.outputSize = outputSize
        self.id = id
        self.library = library
        self.pluginFolder = pluginFolder
        self.profile = profile
        self.seconds = seconds
        self.addressSpace = addressSpace
        self.maximumPixels = maximumPixels
        self.documentsPerWorker = documentsPerWorker
    }
}

extension WorkerSpecification {
    /// Takes what almost always tells one from another; the rest is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(library)
    }

    /// Has its workers run a program of somebody else instead of a renderer, as contained as that must be.
    /// - Parameters:
    ///   - path: of the program, absolute.
    ///   - arguments: without its name, with the fields of a `.thumbnailer` file.
    public mutating func run(_ path: String, _ arguments: [String]) {
        program = ProgramSetup(path: path, arguments: arguments)
        profile = .running(path)
    }

    /// Seconds by the clock from handing over an item to its answer, however little of the processor the worker was given
    /// meanwhile. A worker that always does a little, and never comes to an end, ends then.
    var patience: Int { ownPatience ?? seconds * 6 }

    /// Has its workers forked of one template with those of other renderers, which are told the same.
    /// - Parameter others: those with another profile are left out, as are all beyond a bound.
    public mutating func shareTemplate(with others: [WorkerSpecification]) {
        let alike = others.filter { $0.profile == profile && $0.allowsTemplate }
        companions = alike.prefix(RendererSetup.limit).map(\.setup)
    }

    /// What a template is told of the renderer.
    var setup: RendererSetup {
        RendererSetup(
            library: library, pluginFolder: pluginFolder, addressSpace: addressSpace,
            maximumPixels: Int64(maximumPixels))
    }

    /// Seconds of processor time in a worker's life. A worker that spins after its host was killed ends when they are
    /// used up; one that is well is replaced before.
    var lifetime: Int { seconds * 10 + 60 }
}
