import Glibc
import VitrineKit

/// The names in a folder.
enum FolderNames {
    /// The most names that are taken from one folder.
    static let limit = 65_536

    /// Reads the names in a folder, sorted by their bytes; hidden ones are left out.
    /// - Throws: what the system said, or `limitExceeded`.
    static func read(_ folder: String) throws(PluginError) -> [[UInt8]] {
        let doing = "'\(DisplayText.of(folder))' cannot be searched for plugins"
        guard let stream = opendir(folder) else { throw PluginError(errno: errno, doing) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw PluginError(errno: errno, doing) }
                break
            }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: ".") else { continue }
            guard names.count < limit else {
                throw PluginError(.limitExceeded, "\(doing): it holds more than \(limit) names")
            }
            names.append(name)
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
