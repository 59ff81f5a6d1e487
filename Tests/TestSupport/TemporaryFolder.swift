public import Foundation

/// A folder of one test, removed with it.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes it.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "vitrine-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Its path.
    public var path: String { url.path }

    /// Writes a file, and the folders above it.
    @discardableResult
    public func write(_ name: String, _ bytes: some DataProtocol) throws -> URL {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file
    }

    /// Writes what the hostile renderer takes as a command.
    @discardableResult
    public func hostile(_ name: String, _ command: String) throws -> URL {
        try write(name, Data("VITRINE-HOSTILE\n\(command)\n".utf8))
    }
}
