import CPlatform
import Glibc
import VitrineKit

/// A work folder that goes with this object.
final class ScratchFolder {
    let path: String

    /// - Parameter parent: where it is made.
    init(in parent: String) throws(PluginError) {
        var template = Array("\(parent)/vitrine-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw PluginError(errno: errno, "cannot make a folder in '\(parent)'") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { Self.remove(path) }

    /// Makes a folder in it; one that is there already is used.
    func folder(_ name: String) throws(PluginError) -> String {
        let folder = "\(path)/\(name)"
        if mkdir(folder, 0o755) != 0, errno != EEXIST {
            throw PluginError(errno: errno, "cannot make the folder '\(folder)'")
        }
        return folder
    }

    /// Removes a file, or a folder with all that is in it.
    static func remove(_ path: String) { _ = vp_remove_tree(path) }

    /// Regular files below a folder, in the order of their names. Links are not followed.
    static func files(below folder: String) throws(PluginError) -> [String] {
        guard let stream = opendir(folder) else { throw PluginError(errno: errno, "cannot list '\(folder)'") }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: found.append(path)
            case S_IFDIR: found += try files(below: path)
            default: break
            }
        }
        return found.sorted()
    }

    /// Copies a file.
    static func copy(_ path: String, to target: String) throws(PluginError) {
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw PluginError(errno: errno, "cannot open '\(path)'") }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard to >= 0 else { throw PluginError(errno: errno, "cannot make '\(target)'") }
        defer { close(to) }
        var count = 0
        repeat {
            count = sendfile(to, from, nil, 1 << 24)
        } while count > 0
        guard count == 0 else { throw PluginError(errno: errno, "cannot copy '\(path)'") }
    }

    /// Gives a file another name.
    static func link(_ path: String, to target: String) throws(PluginError) {
        guard Glibc.link(path, target) == 0 else { throw PluginError(errno: errno, "cannot link '\(target)'") }
    }
}
