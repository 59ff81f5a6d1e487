import Foundation

/// What this machine lets the tests do, found out by doing it.
enum Ability {
    /// Whether this process may mount a file system of its own, as root may outside of a strict container.
    static let mounts = works(["/usr/bin/unshare", "-m", "/bin/mount", "-t", "tmpfs", "none", "/mnt"])

    /// Whether a program can be followed by strace.
    static let traces = works(["/usr/bin/strace", "-o", "/dev/null", "/bin/true"])

    /// Whether ordinary users get the namespaces without which programs of others are not started.
    static let isolates = works(["/usr/bin/unshare", "--user", "--pid", "--net", "--ipc", "--fork", "/bin/true"])

    /// Whether a program can be started and says that all went well.
    static func works(_ words: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
