import Foundation
import VitrineKit

/// A folder that goes away with this object.
final class TemporaryFolder {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vitrine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        path = folder.resolvingSymlinksInPath().path
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path): \(error)") }
    }

    /// Writes a file, and the folders above it. Returns its path.
    @discardableResult
    func write(_ name: String, _ content: String, mode: Int = 0o644) throws -> String {
        try write(name, Array(content.utf8), mode: mode)
    }

    @discardableResult
    func write(_ name: String, _ content: [UInt8], mode: Int = 0o644) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try Data(content).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    /// Writes the manifest of a plugin, and a file where its library should be.
    @discardableResult
    func plugin(
        _ folder: String, id: String = "sample", types: String = "\"image/x-sample\"", priority: Int = 100,
        library: Bool = true, extra: String = ""
    ) throws -> String {
        try write(
            folder + "/plugin.json",
            """
            { "id": "\(id)", "version": "1.0", "abi": \(VITRINE_PLUGIN_ABI), "kind": "renderer",
              "library": "libSample.so", "types": [\(types)], "priority": \(priority)\(extra) }
            """)
        if library { try write(folder + "/libSample.so", "never mapped") }
        return path + "/" + folder
    }
}

/// Runs a program to its end.
/// - Returns: its exit status and what it wrote to both outputs.
func run(_ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil) throws
    -> (status: Int32, output: String)
{
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
