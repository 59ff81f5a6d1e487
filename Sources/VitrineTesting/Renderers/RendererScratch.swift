import Glibc
internal import VitrineKit

/// Where a renderer under test finds its input, and whether it left anything there.
final class RendererScratch {
    private let folder: ScratchFolder
    private var serial = 0

    /// Its absolute path.
    var path: String { folder.path }

    init() throws(PluginError) {
        folder = try ScratchFolder("renderer")
        _ = try makeFolder("items")
    }

    /// Makes a folder inside.
    func makeFolder(_ name: String) throws(PluginError) -> String {
        let folder = "\(path)/\(name)"
        guard mkdir(folder, 0o700) == 0 else { throw PluginError(errno: errno, "cannot make '\(folder)'") }
        return folder
    }

    /// Writes bytes to a file, the only one in `items`, and opens it.
    func input(_ bytes: [UInt8]) throws(PluginError) -> FileInput {
        serial += 1
        let file = "\(path)/items/item-\(serial)"
        if serial > 1 { unlink("\(path)/items/item-\(serial - 1)") }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o400)
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot make '\(file)'") }
        let written = write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard written == bytes.count else { throw PluginError(.io, "cannot write '\(file)'") }
        return try FileInput(path: file)
    }

    /// Names in `items` that the suite did not make.
    func unexpectedFiles() -> [String] {
        Self.names(in: "\(path)/items").filter { $0 != "item-\(serial)" }.sorted()
    }

    /// How many of this process's descriptors lead to files in `items`, deleted ones too.
    func openDescriptors() -> Int {
        Self.names(in: "/proc/self/fd").count { Self.target(ofLink: "/proc/self/fd/\($0)").hasPrefix("\(path)/items/") }
    }

    private static func target(ofLink link: String) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: CChar.self) { characters in
                characters.baseAddress.map { max(0, readlink(link, $0, characters.count)) } ?? 0
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
