public import Foundation
import VitrineKit

/// A folder of sounds and videos that ffmpeg makes for a test; removed afterwards.
public final class MediaSamples {
    /// Where they are.
    public let folder: URL

    /// Makes the folder.
    public init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "vitrine-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file in the folder.
    public func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Makes a file with ffmpeg.
    /// - Parameters:
    ///   - name: of the result; the suffix chooses the container.
    ///   - arguments: of ffmpeg, without the result.
    /// - Returns: its path.
    public func make(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = ["-nostdin", "-v", "error", "-y"] + arguments + [path(name)]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PluginError(.io, "ffmpeg made no '\(name)'") }
        return path(name)
    }

    /// Makes a file of these bytes.
    /// - Returns: its path.
    public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Data(bytes).write(to: folder.appending(path: name))
        return path(name)
    }

    /// The bytes of a file.
    public func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
