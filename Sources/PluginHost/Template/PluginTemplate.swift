import FileBytes
import Glibc
public import VitrineKit

/// The beginning of a new plugin: a folder that builds against an installed SDK, passes its conformance suite and can
/// be loaded as it is. `vitrine plugins new` writes it; docs/writing-a-plugin.md goes on from there.
public struct PluginTemplate: Sendable {
    /// The kinds of plugins that there is a beginning of.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        case renderer, backend, container
    }

    /// What it will be.
    public let kind: Kind
    /// The name of the folder, as it was given.
    public let name: String
    /// The prefix of the SDK that is used unless `$VITRINE_SDK` names another one.
    public let sdk: String

    /// Describes a new plugin.
    /// - Parameters:
    ///   - kind: what it will be.
    ///   - name: the name of its folder, from which the names of types, files and formats are made: 2 to 32 letters
    ///     and digits of ASCII, the first a letter.
    ///   - sdk: the prefix of an installed SDK; see ``installedSDK(executableFolder:)``.
    /// - Throws: `invalidArgument` for a name that cannot be used.
    public init(kind: Kind, name: String, sdk: String) throws(PluginError) {
        guard 2...32 ~= name.utf8.count, name.first?.isLetter == true,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            throw PluginError(
                .invalidArgument,
                "'\(DisplayText.of(String(name.prefix(80))))' cannot be the name of a plugin: take 2 to 32 letters and "
                    + "digits without accents, the first a letter, such as Sketch")
        }
        self.kind = kind
        self.name = name
        self.sdk = sdk
    }

    /// Writes the plugin's folder.
    /// - Parameter folder: where the new folder goes; it must exist.
    /// - Returns: the path of the new folder.
    /// - Throws: `invalidArgument` when there is something of that name, `notFound`, `forbidden`, `noSpace` or `io` when
    ///   it cannot be written. What was written until then stays.
    @discardableResult
    public func write(into folder: String) throws(PluginError) -> String {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        if mkdir(path, 0o755) != 0 {
            guard errno != EEXIST else {
                throw PluginError(
                    .invalidArgument,
                    "'\(DisplayText.of(path))' exists; a new plugin goes into a folder that does not, so remove it or take "
                        + "another name")
            }
            throw PluginError(errno: errno, "cannot make the folder '\(DisplayText.of(path))'")
        }
        for file in files {
            var made = path
            for component in file.path.split(separator: "/").dropLast() {
                made += "/" + component
                if mkdir(made, 0o755) != 0, errno != EEXIST {
                    throw PluginError(errno: errno, "cannot make the folder '\(DisplayText.of(made))'")
                }
            }
            try Self.write(file.text, to: "\(path)/\(file.path)")
        }
        return path
    }

    /// The prefix under which the program and its SDK are installed: the folder above the program's, when an SDK is
    /// there, else `/usr/local`.
    /// - Parameter executableFolder: the folder of the program. Default: that of this process.
    public static func installedSDK(executableFolder: String? = PluginSearchPath.executableFolder) -> String {
        if let parent = executableFolder?.split(separator: "/").dropLast().map({ "/" + $0 }).joined(),
            access(parent + "/include/vitrine/CVitrineABI/vitrine_plugin.h", R_OK) == 0
        {
            return parent
        }
        return "/usr/local"
    }

    private static func write(_ text: String, to path: String) throws(PluginError) {
        let doing = "cannot write '\(DisplayText.of(path))'"
        let fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard fd >= 0 else { throw PluginError(errno: errno, doing) }
        if let failure = FileBytes.write(Array(text.utf8), to: fd) {
            close(fd)
            throw PluginError(errno: failure, doing)
        }
        guard close(fd) == 0 else { throw PluginError(errno: errno, doing) }
    }
}
