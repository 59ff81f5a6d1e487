import VitrineKit

/// A program of somebody else that makes pictures, for the worker that runs it.
public struct ProgramSetup: Hashable, Sendable {
    /// Its path, absolute.
    public var path: String
    /// Its arguments without its name, in which `%i`, `%u`, `%o`, `%s` and `%%` stand for the input's path and URI, the
    /// output's path, the size and a percent sign.
    public var arguments: [String]

    /// Creates a program.
    public init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    func write(to out: inout WireWriter) {
        out.put(path)
        out.put(arguments) { $0.put($1) }
    }

    init(from input: inout WireReader) throws(PluginError) {
        path = try input.text()
        arguments = try input.list(limit: 64) { (input) throws(PluginError) in try input.text() }
    }
}
