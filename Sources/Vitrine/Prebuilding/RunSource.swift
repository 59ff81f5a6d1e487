public import Catalog
public import Library
public import VitrineKit

/// A source as a run takes it: where it is, and how it is walked.
public struct RunSource: Hashable, Sendable {
    /// Its URI.
    public var uri: SourceURI
    /// The name under which the user registered it, by which the settings file may speak of it; `nil` when it is not
    /// registered.
    public var name: String?
    /// How it is walked. What the options of a run switch on is on besides.
    public var options: SourceOptions
    /// Whether what is there is compared with the catalog and written into it. Otherwise nothing that is known of it is
    /// forgotten, and its files are looked up in the cache, each time. Default: yes.
    public var isCataloged = true

    /// Creates a source.
    public init(_ uri: SourceURI, name: String? = nil, options: SourceOptions = SourceOptions()) {
        self.uri = uri
        self.name = name
        self.options = options
    }

    /// A source as the user registered it.
    /// - Throws: `invalidArgument` when its URI is none.
    public init(_ source: RegisteredSource) throws(PluginError) {
        self.init(try SourceURI(source.uri), name: source.name, options: source.options)
    }

    /// Whether it is another source or lies in it.
    public func lies(in other: SourceURI) -> Bool { uri.path(below: other) != nil }

    /// The sources of a run over some places: one that is registered has its name and its options, and registered
    /// sources inside of another one are there besides.
    /// - Parameters:
    ///   - places: what the run is over, in the order in which it is done; what comes twice counts once.
    ///   - registered: the user's sources. One whose URI is none is left out.
    public static func covering(_ places: [SourceURI], registered: [RegisteredSource]) -> [RunSource] {
        let known = registered.compactMap { try? RunSource($0) }
        var sources: [RunSource] = []
        var seen: Set<SourceURI> = []
        for place in places where seen.insert(place).inserted {
            sources.append(known.first { $0.uri == place } ?? RunSource(place))
        }
        for source in known where places.contains(where: { source.lies(in: $0) }) && seen.insert(source.uri).inserted {
            sources.append(source)
        }
        return sources
    }

    /// Sources inside of some places as the catalog remembers them, for when the user's library cannot be read: how they are
    /// walked is not known, so that nothing of them may be forgotten.
    /// - Parameters:
    ///   - places: what a run is over.
    ///   - catalog: what remembers them.
    /// - Throws: what reading the catalog throws.
    public static func remembered(in places: [SourceURI], by catalog: Catalog) throws(PluginError) -> [RunSource] {
        var sources: [RunSource] = []
        for text in try catalog.parts() {
            guard let uri = try? SourceURI(text), !places.contains(uri) else { continue }
            guard places.contains(where: { uri.path(below: $0) != nil }) else { continue }
            var source = RunSource(uri)
            source.isCataloged = false
            sources.append(source)
        }
        return sources
    }

    /// The options of a run, as they are for this source.
    func options(_ run: PrebuildOptions) -> PrebuildOptions {
        var own = run
        own.includesHidden = run.includesHidden || options.hidden == true
        own.followsLinks = run.followsLinks || options.followsLinks == true
        own.crossesFileSystems = run.crossesFileSystems || options.crossesFileSystems == true
        return own
    }
}
