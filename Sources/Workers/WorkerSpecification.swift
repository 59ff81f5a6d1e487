public import Containment
public import VitrineKit
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

/// One item for a worker.
public struct WorkerJob: Sendable {
    /// Open for reading; borrowed, and only used until the call returns.
    public var input: CInt
    /// Fills `input` as the renderer asks for ranges of it; `nil` for a file, which is there whole. Default: `nil`.
    public var ranges: (any RangeProvider)?
    /// The longest sides wanted, in pixels: 1 to 8 of them.
    public var boxes: [Int]
    /// The page that was asked for, counted from 0, or `nil` for the renderer's choice.
    public var page: Int?
    /// The moment in seconds, or `nil` for the renderer's choice.
    public var time: Double?
    /// The type that was found.
    public var mimeType: String
    /// Whether the item's text is of use. Default: no.
    public var wantsText = false
    /// Whether the text must be that of the page, whatever it costs. Default: no.
    public var wantsPageText = false
    /// Whether the place where it was taken is of use. Default: no.
    public var wantsPlace = false
    /// When a picture inside of the item is taken.
    public var embedded = EmbeddedUse.auto
    /// What opens it, if it is encrypted. Default: none.
    public var password: Password?
    /// What its name ends in, without a dot, for programs of others. At most ten letters and digits. Default: nothing.
    public var suffix = ""

    /// Creates a job.
    public init(input: CInt, boxes: [Int], page: Int? = nil, time: Double? = nil, mimeType: String) {
        self.input = input
        self.boxes = boxes
        self.page = page
        self.time = time
        self.mimeType = mimeType
    }
}

/// Fills memory with ranges of an item that lies on a server.
public protocol RangeProvider: Sendable {
    /// Brings a range.
    /// - Parameters:
    ///   - offset: the first byte; 0 or more, and not checked otherwise.
    ///   - count: how many bytes; 1 or more, and not checked otherwise.
    /// - Returns: what is there now in one piece: at least the range, as far as the item goes.
    /// - Throws: `overBudget`, and what the storage throws: `offline`, `changed` …; `invalidArgument` for a range that
    ///   begins behind the item's end.
    func bring(_ offset: Int64, _ count: Int64) async throws(PluginError) -> Range<Int64>
}

/// What a worker made of one item.
public struct WorkerResult: Sendable {
    /// A picture as the worker wrote it: a PNG, unless a finished one was asked for. Nobody has looked at it yet: check it before it goes anywhere.
    public struct Picture: Sendable {
        /// The bytes, copied out of the memory that the worker can write to.
        public var png: [UInt8]
        /// The size that the worker says it has.
        public var size: PixelSize

        /// Puts a picture together.
        public init(png: [UInt8], size: PixelSize) { (self.png, self.size) = (png, size) }
    }

    /// One picture for each box of the job, in its order.
    public var pictures: [Picture]
    /// A ThumbHash of the first one; empty when the worker made none.
    public var placeholder: [UInt8] = []
    /// Whether the first picture is of one colour, as far as the worker says.
    public var isPlain = false
    /// What the renderer learned.
    public var facts: Facts
    /// What the picture is when it lay ready inside the item; `nil` when it was drawn.
    public var embedded: String?
    /// Time spent in the renderer, but for waiting for ranges.
    public var renderTime: Duration
    /// Time spent waiting for ranges of the item.
    public var readTime: Duration = .zero
    /// Time spent scaling and encoding.
    public var encodeTime: Duration
    /// Time that it took to get a warm worker.
    public var startTime: Duration
}

extension WorkerResult {
    /// Puts together what is known of pictures that no worker made just now.
    public init(pictures: [Picture], facts: Facts, embedded: String? = nil) {
        self.init(
            pictures: pictures, facts: facts, embedded: embedded, renderTime: .zero, encodeTime: .zero, startTime: .zero
        )
    }
}
