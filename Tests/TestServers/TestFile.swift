import Glibc
public import VitrineKit

/// Files that servers serve and are configured by.
public enum TestFile {
    /// Writes a file.
    /// - Parameter path: its bytes; its folder is there.
    public static func write(_ path: [UInt8], _ content: [UInt8]) throws(PluginError) {
        let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot write '\(DisplayText.of(path))'") }
        defer { close(descriptor) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw PluginError(errno: errno, "cannot write '\(DisplayText.of(path))'") }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes a text.
    public static func write(_ path: String, _ text: String) throws(PluginError) {
        try write(Array(path.utf8), Array(text.utf8))
    }

    /// Makes a folder.
    public static func makeFolder(_ path: [UInt8]) throws(PluginError) {
        guard mkdir(path.map { CChar(bitPattern: $0) } + [0], 0o755) == 0 || errno == EEXIST else {
            throw PluginError(errno: errno, "cannot make '\(DisplayText.of(path))'")
        }
    }

    /// Makes a folder.
    public static func makeFolder(_ path: String) throws(PluginError) { try makeFolder(Array(path.utf8)) }

    /// What a file holds; nothing when it cannot be read.
    public static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
    }

    /// The first of these that can be run.
    public static func program(_ candidates: String...) -> String? {
        candidates.first { access($0, X_OK) == 0 }
    }

    /// A program that `make test` installed into the build folder from PyPI.
    public static func pythonProgram(_ name: String) -> String? {
        var root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        root = "/" + root
        return program("\(root)/.build/servers/venv/bin/\(name)")
    }
}
