import Foundation
import TestSupport

/// A file system that misbehaves, seen only by the program that is started with it.
enum OddFileSystem {
    enum Kind: String {
        /// What has "stall" in its name never answers.
        case stalling = "stall"
        /// Nothing can be renamed.
        case withoutRename = "no-rename"
        /// Only root may enter, whoever opened the file.
        case ofRootAlone = "private"
    }

    /// Words before those of a program.
    /// - Parameters:
    ///   - folder: where it is mounted. What lies there is in it; what is made there is gone with the program.
    static func words(_ kind: Kind, at folder: String) -> [String] {
        let script = Products.fixtures.appending(path: "hostile/odd-file-system.py").path
        return ["/usr/bin/python3", script, kind.rawValue, folder]
    }

    /// Whether this process may mount one.
    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return Ability.works(words(.stalling, at: folder.path) + ["/bin/true"])
    }()
}
