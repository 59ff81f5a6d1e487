import Foundation
import TestSupport
import VitrineTesting

/// A user's home for one test: files, cache, data and temporary files of its own, and the program to run in it.
final class UserHome: Sendable {
    private let scratch: ScratchFolder
    /// Which `vitrine` is run.
    let program: String
    /// All that the program sees of the environment.
    let environment: [String: String]
    /// Words before the program's own, such as `setpriv …`.
    private let prefix: [String]
    private let tree: InstalledTree?

    /// Makes a home.
    /// - Parameters:
    ///   - plugins: folders of plugins that are searched before those of the checkout.
    ///   - tree: an installed tree to run instead of what the build made; it finds its plugins by itself.
    ///   - prefix: a program, with its arguments, that runs the words that follow.
    init(plugins: [String] = [], tree: InstalledTree? = nil, prefix: [String] = []) throws {
        scratch = try ScratchFolder("e2e")
        self.prefix = prefix
        self.tree = tree
        program = tree.map { $0.path + "/bin/vitrine" } ?? Products.program("vitrine")
        var environment = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path + "/home", "XDG_CACHE_HOME": scratch.path + "/cache",
            "XDG_DATA_HOME": scratch.path + "/data", "TMPDIR": scratch.path + "/tmp", "LC_ALL": "C.UTF-8",
        ]
        if tree == nil {
            let own = Products.checkout.appending(path: "Plugins").path
            environment["VITRINE_PLUGIN_PATH"] = (plugins + [own]).joined(separator: ":")
        }
        self.environment = environment
        // As root, workers are nobody's and must be able to pass through.
        chmod(scratch.path, 0o711)
        for name in ["home", "cache", "data", "tmp", "files", "output"] {
            try FileManager.default.createDirectory(
                atPath: "\(scratch.path)/\(name)", withIntermediateDirectories: false)
        }
    }

    var path: String { scratch.path }
    /// The folder for the files that previews are made of.
    var files: String { scratch.path + "/files" }
    var cache: String { scratch.path + "/cache" }
    var temporary: String { scratch.path + "/tmp" }
    /// The folder for what programs write.
    var output: String { scratch.path + "/output" }

    /// A path below ``files``.
    func file(_ name: String) -> String { "\(files)/\(name)" }

    /// Writes a file below ``files``.
    @discardableResult
    func write(_ name: String, _ content: [UInt8]) throws -> String {
        let url = URL(filePath: file(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: url)
        return url.path
    }

    /// Writes a file that tells the hostile renderer what to do.
    @discardableResult
    func writeHostile(_ name: String, _ command: String) throws -> String {
        try write(name, Array("VITRINE-HOSTILE\n\(command)\n".utf8))
    }

    /// Copies a fixture below ``files``.
    @discardableResult
    func copy(_ fixture: String, as name: String) throws -> String {
        try write(name, try Self.fixture(fixture))
    }

    /// The bytes of a fixture.
    static func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Products.fixtures.appending(path: name)))
    }

    /// Writes the settings file.
    func configure(_ text: String) throws {
        let folder = URL(filePath: environment["HOME"] ?? path).appending(path: ".config/vitrine")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: "config"))
    }

    /// Hands everything to nobody, who runs the program then. Only root can.
    func handOver() {
        let all = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for name in [""] + all { lchown("\(path)/\(name)", 65534, 65534) }
    }

    /// Starts `vitrine`.
    func start(_ arguments: String...) throws -> RunningProgram { try start(bytes: arguments.map { Array($0.utf8) }) }

    /// Starts `vitrine` with arguments that need not be text.
    func start(bytes arguments: [[UInt8]]) throws -> RunningProgram {
        let words = (prefix + [program]).map { Array($0.utf8) } + arguments
        return try RunningProgram(words, environment: environment, outputIn: output)
    }

    /// Runs `vitrine` to its end.
    func run(_ arguments: String...) async throws -> FinishedRun {
        try await start(bytes: arguments.map { Array($0.utf8) }).finish()
    }

    /// Runs `vitrine` to its end, with arguments that need not be text.
    func run(bytes arguments: [[UInt8]]) async throws -> FinishedRun { try await start(bytes: arguments).finish() }

    /// Starts another program in this home.
    func start(program words: [String]) throws -> RunningProgram {
        try RunningProgram(
            words.map { Array($0.utf8) }, environment: environment, outputIn: output)
    }

    /// Runs another program in this home to its end.
    func run(program words: [String]) async throws -> FinishedRun { try await start(program: words).finish() }
}
