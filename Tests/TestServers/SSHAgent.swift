public import VitrineKit
public import VitrineTesting

/// An agent that holds a key, ended with the last reference.
public final class SSHAgent: Sendable {
    /// Where it listens.
    public let socket: String
    private let process: ServerProcess

    /// Starts it.
    public init(holding key: String, in folder: ScratchFolder) throws(PluginError) {
        socket = folder.path + "/agent"
        process = try ServerProcess("/usr/bin/ssh-agent", ["-D", "-a", socket], socket: socket, folder: folder)
        try ServerProcess.run("/usr/bin/ssh-add", ["-q", key], environment: ["SSH_AUTH_SOCK": socket], in: folder)
    }

    /// Takes its keys away.
    public func clear() throws(PluginError) {
        try ServerProcess.run(
            "/usr/bin/ssh-add", ["-q", "-D"], environment: ["SSH_AUTH_SOCK": socket], in: process.folder)
    }
}
