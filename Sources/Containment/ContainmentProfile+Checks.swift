import VitrineKit

extension ContainmentProfile {
    /// The most entries of `calls` and of `read`.
    static let maximumCalls = 128
    static let maximumPaths = 64

    static func check(calls: [String], privateFolder: Bool) throws(PluginError) {
        guard calls.count <= maximumCalls else {
            throw PluginError(
                .invalidArgument, "the containment profile names more than \(maximumCalls) system calls")
        }
        for call in calls {
            guard SystemCalls.grantable.contains(call) else {
                throw PluginError(
                    .invalidArgument,
                    "the containment profile asks for the system call '\(DisplayText.of(call))', which is never granted; "
                        + "remove it from 'calls'")
            }
            guard privateFolder || !SystemCalls.writing.contains(call) else {
                throw PluginError(
                    .invalidArgument,
                    "the containment profile asks for the system call '\(call)', which is granted only together with "
                        + "\"privateFolder\": true")
            }
        }
    }

    static func check(read paths: [String]) throws(PluginError) {
        guard paths.count <= maximumPaths else {
            throw PluginError(
                .invalidArgument, "the containment profile names more than \(maximumPaths) paths to read")
        }
        for path in paths {
            guard let reason = objection(to: path) else { continue }
            throw PluginError(
                .invalidArgument,
                "the containment profile asks to read '\(DisplayText.of(path))', which \(reason); name the folder of the "
                    + "data that the library needs")
        }
    }

    /// Why a path cannot be granted, or `nil`. It is to be the data of a library, so it is not a folder that
    /// holds what people keep, nor one that shows other processes or devices.
    private static func objection(to path: String) -> String? {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0), path.utf8.count < 4096 else {
            return "is not an absolute path"
        }
        let parts = path.split(separator: "/")
        guard !parts.contains(".."), !parts.contains(".") else { return "is not a plain path" }
        guard let top = parts.first else { return "is everything" }
        switch top {
        case "usr", "lib", "lib64", "opt": return nil
        case "home", "root": return "holds people's files"
        case "proc": return parts.count >= 2 && parts[1] == "self" ? nil : "shows other processes"
        case "dev": return devices.contains(path) ? nil : "is not one of the harmless devices"
        default: return parts.count >= 2 ? nil : "is too broad"
        }
    }

    /// Devices that are nobody's property.
    private static let devices: Set<String> = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"]
}
