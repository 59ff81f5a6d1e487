import Foundation

/// The processes of this machine, as far as `/proc` shows them to everybody.
enum ProcessTable {
    /// One process.
    struct Process: Hashable {
        var pid: pid_t
        var name: String
        var parent: pid_t
    }

    /// The processes of a session that run. Every program of these tests is started in a session of its own, and
    /// what it starts belongs to it, also when the program itself is gone.
    static func processes(inSession session: pid_t) -> [Process] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        // Asked of the system first: reading files of all processes, again and again, takes the processor from the tested one.
        return names.compactMap { pid_t($0) }.filter { getsid($0) == session }.compactMap(process)
    }

    /// Whether a process has ended, also when nobody has waited for it yet.
    static func isGone(_ pid: pid_t) -> Bool { process(pid) == nil }

    /// The files that a process of this user has open.
    static func openFiles(of pid: pid_t) -> [String] {
        let folder = "/proc/\(pid)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    /// The files that a process of this user has mapped.
    static func mappedFiles(of pid: pid_t) throws -> Set<String> {
        // Reading it as a file of its size, which is 0, would end after the first page.
        let content = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/maps")).readToEnd() ?? Data()
        let lines = String(decoding: content, as: UTF8.self).split(separator: "\n")
        // address, permissions, offset, device, inode, path
        return Set(lines.compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } })
    }

    /// - Returns: `nil` for one that has ended: also one that nobody has waited for yet ("Z"), and one that was waited for
    ///   while this was read ("X"), which has no parent.
    private static func process(_ pid: pid_t) -> Process? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        // After the name: state and parent.
        let fields = text[text.index(after: close)...].split(separator: " ", maxSplits: 2)
        guard fields.count > 2, !["Z", "X"].contains(fields[0]), let parent = pid_t(fields[1]) else { return nil }
        return Process(pid: pid, name: String(text[text.index(after: open)..<close]), parent: parent)
    }
}
