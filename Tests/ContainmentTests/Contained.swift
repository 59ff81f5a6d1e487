import Containment
import Foundation

/// A run of ContainmentProbe: the report that it gave and what came of its attempts.
struct Contained {
    struct Failure: Error { var text: String }

    /// The user as whom the probe starts. Only root can start it as somebody else.
    enum User: CaseIterable {
        case same
        case nobody

        static var possible: [User] { getuid() == 0 ? allCases : [.same] }
    }

    let report: ContainmentReport?
    /// Errno by attempt, 0 for what went through.
    let results: [String: String]
    /// The signal that ended it, 0 when it came to its end.
    let signal: Int32

    /// - Parameter words: a program and its arguments that starts the probe. Default: none.
    init(
        _ attempts: [String], as user: User = .same, profile: ContainmentProfile = .strictest,
        privateFolder: URL? = nil, options: [String] = [], after words: [String] = []
    ) throws {
        let probe = Process()
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "ContainmentProbe")
        probe.executableURL = words.first.map { URL(filePath: $0) } ?? program
        probe.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let json = String(decoding: try JSONEncoder().encode(profile), as: UTF8.self)
        probe.arguments =
            (words.isEmpty ? [] : words.dropFirst() + [program.path]) + (user == .nobody ? ["--as-nobody"] : [])
            + options + ["--profile", json]
            + (privateFolder.map { ["--private-folder", $0.path] } ?? []) + attempts
        let output = Pipe()
        probe.standardInput = FileHandle.nullDevice
        probe.standardOutput = output
        probe.standardError = FileHandle.nullDevice
        try probe.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        probe.waitUntilExit()
        signal = probe.terminationReason == .uncaughtSignal ? probe.terminationStatus : 0
        guard signal == 0 else {
            report = nil
            results = [:]
            return
        }
        guard probe.terminationStatus == 0, let gap = text.range(of: "\n\n") else {
            throw Failure(text: "the probe ended with \(probe.terminationStatus) and said '\(text)'")
        }
        report = ContainmentReport(text[..<gap.lowerBound])
        results = Dictionary(
            text[gap.upperBound...].split(separator: "\n").compactMap { line in
                line.lastIndex(of: " ").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The errno of an attempt; -1 when it was not made.
    func errno(_ attempt: String) -> Int32 { results[attempt].flatMap { Int32($0) } ?? -1 }
}

/// A folder that a test alone uses, open to everybody, removed with this object.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = URL(filePath: "/tmp/vitrine-containment-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func folder(_ name: String, owner: uid_t? = nil) throws -> URL {
        let folder = url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        if let owner, getuid() == 0 { chown(folder.path, owner, owner) }
        return folder
    }

    func file(_ name: String) throws -> URL {
        let file = url.appending(path: name)
        try Data("canary".utf8).write(to: file)
        chmod(file.path, 0o644)
        return file
    }
}
