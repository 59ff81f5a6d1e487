public import Containment
import VitrineKit

/// Everything a worker needs to become the worker of one renderer.
public struct WorkerSetup: Hashable, Sendable {
    /// The renderer's library, an absolute path; or that of the encoders, for the worker that finishes pictures.
    public var library: String
    /// Whether the library holds the encoders instead of a renderer. Default: no.
    public var isFinisher = false
    /// The program of somebody else that the worker runs instead of a renderer. Its profile follows from it. Default:
    /// none.
    public var program: ProgramSetup?
    /// Whether it shall warm up only, and fork the workers of the renderer from then on. A process that has more than one
    /// thread by then cannot do that, and becomes a worker. Default: no.
    public var isTemplate = false
    /// Other renderers that a template loads and warms up besides, so that it can fork workers of theirs, too: `start` tells
    /// each by its library which it is of. Their profile is this one's. Default: none.
    public var companions: [RendererSetup] = []
    /// The plugin's folder, with its manifest and data files.
    public var pluginFolder: String
    /// A folder for this worker alone, if the profile asks for one.
    public var privateFolder: String?
    /// What the renderer may do after its warm-up.
    public var profile: ContainmentProfile
    /// The most bytes of address space.
    public var addressSpace: Int64
    /// The most pixels of a decoded picture.
    public var maximumPixels: Int64
    /// Seconds of processor time after which the worker's life ends; 0 sets no bound.
    public var processorTime: UInt32

    /// Creates a setup.
    public init(
        library: String, pluginFolder: String, privateFolder: String?, profile: ContainmentProfile,
        addressSpace: Int64, maximumPixels: Int64, processorTime: UInt32 = 0
    ) {
        self.processorTime = processorTime
        self.library = library
        self.pluginFolder = pluginFolder
        self.privateFolder = privateFolder
        self.profile = profile
        self.addressSpace = addressSpace
        self.maximumPixels = maximumPixels
    }

    func write(to out: inout WireWriter) {
        out.put(library)
        out.put(pluginFolder)
        out.put(privateFolder) { $0.put($1) }
        // That of a program follows from the program.
        let profile = program == nil ? profile : .strictest
        out.put(profile.calls) { $0.put($1) }
        out.put(profile.threads)
        out.put(profile.read) { $0.put($1) }
        out.put(profile.privateFolder)
        out.put(profile.loadsLibraries)
        out.put(addressSpace)
        out.put(maximumPixels)
        out.put(processorTime)
        out.put(isFinisher)
        out.put(program) { $1.write(to: &$0) }
        out.put(isTemplate)
        out.put(companions) { out, companion in companion.write(to: &out) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        library = try input.text()
        pluginFolder = try input.text()
        privateFolder = try input.optional { (input) throws(PluginError) in try input.text() }
        let calls = try input.list(limit: 128) { (input) throws(PluginError) in try input.text() }
        let threads = try input.bool()
        let read = try input.list(limit: 64) { (input) throws(PluginError) in try input.text() }
        profile = try ContainmentProfile(
            calls: calls, threads: threads, read: read, privateFolder: try input.bool(),
            loadsLibraries: try input.bool())
        addressSpace = try input.int64()
        maximumPixels = try input.int64()
        processorTime = try input.uint32()
        isFinisher = try input.bool()
        program = try input.optional { (input) throws(PluginError) in try ProgramSetup(from: &input) }
        if let program { profile = .running(program.path) }
        isTemplate = try input.bool()
        companions = try input.list(limit: RendererSetup.limit) { (input) throws(PluginError) in
            try RendererSetup(from: &input)
        }
    }
}
