import Catalog
import Glibc
import PluginHost
import Settings
import Vitrine
import VitrineKit

/// What several commands need.
enum CommandContext {
    /// The pipeline of this user.
    /// - Parameters:
    ///   - jobs: how many items are rendered at once. Default: one for each core.
    ///   - mayLackCache: whether a user without a home is given one that keeps nothing. Default: that is an error.
    ///   - adjust: changes settings to what was asked for on the command line. Default: nothing.
    static func pipeline(
        jobs: Int? = nil, mayLackCache: Bool = false, _ adjust: (inout Settings) throws(PluginError) -> Void = { _ in }
    ) throws(PluginError) -> PreviewPipeline {
        var settings = try settings()
        try adjust(&settings)
        var configuration = try PipelineConfiguration.standard(settings: settings, mayLackCache: mayLackCache)
        if let jobs { configuration.jobs = jobs }
        return try PreviewPipeline(configuration)
    }

    /// The catalog of this user, to be asked: it may be one that cannot be written to.
    static func catalog() throws(PluginError) -> Catalog {
        try catalog(of: try PipelineConfiguration.standard(settings: try settings()))
    }

    /// The catalog of this user, for who can do without it: none is made, and one that is damaged stays.
    static func existingCatalog() -> Catalog? {
        guard let settings = try? settings(),
            let configuration = try? PipelineConfiguration.standard(settings: settings)
        else { return nil }
        return configuration.catalog.flatMap { Catalog.existing(at: $0) }
    }

    /// The catalog of this user, for who has nothing to ask or tell where there is none.
    /// - Returns: `nil` where there is none, and none is made.
    static func catalogIfAny() throws(PluginError) -> Catalog? {
        let path = try PipelineConfiguration.catalogPath(environment: PluginSearchPath.environment)
        guard let path, access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else { return nil }
        return try catalog(at: path)
    }

    /// The catalog that a configuration names. That it was damaged is said, since a new one knows nothing.
    static func catalog(of configuration: PipelineConfiguration) throws(PluginError) -> Catalog {
        guard let path = configuration.catalog else { throw PluginError(.notFound, "there is no catalog") }
        return try catalog(at: path)
    }

    /// The catalog in a file, as above.
    static func catalog(at path: String) throws(PluginError) -> Catalog {
        let (catalog, opening) = try Catalog.openToRead(at: path)
        if case .replaced = opening {
            Console.error(
                "vitrine: the catalog was damaged, and a new one is empty; 'vitrine index' finds the files again")
        }
        return catalog
    }

    /// What this user configured. A file that is not understood is no wrong usage of the command.
    static func settings() throws(PluginError) -> Settings {
        do throws(PluginError) { return try .standard(environment: PluginSearchPath.environment) } catch {
            throw PluginError(error.code == .invalidArgument ? .io : error.code, error.message)
        }
    }

    /// The folder that relative paths start from.
    static func workingFolder() throws(PluginError) -> [UInt8] {
        guard let path = getcwd(nil, 0) else {
            throw PluginError(errno: errno, "cannot tell the working folder; use absolute paths")
        }
        defer { free(path) }
        return Array(UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }

    /// The one operand of a command.
    static func file(_ arguments: ParsedArguments, _ pipeline: PreviewPipeline) throws(PluginError) -> SourceURI {
        guard let operand = arguments.operands.first else { throw PluginError(.invalidArgument, "name a file") }
        guard arguments.operands.count == 1 else {
            throw PluginError(
                .invalidArgument, "name one file and not \(arguments.operands.count); 'vitrine prebuild' takes several")
        }
        return try file(operand, pipeline)
    }

    /// A file that an operand names.
    static func file(_ operand: [UInt8], _ pipeline: PreviewPipeline) throws(PluginError) -> SourceURI {
        guard !operand.elementsEqual("-".utf8) else {
            throw PluginError(
                .invalidArgument, "standard input is not read: name a file, and one that is called '-' as ./-")
        }
        let uri = try pipeline.source(operand, workingFolder: try workingFolder())
        try pipeline.check(schemeOf: uri)
        return uri
    }
}
