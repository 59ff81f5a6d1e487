import Foundation
import Testing

extension UserHome {
    /// Runs a program while nothing can be written to one of the user's folders. Mounting that needs root's rights.
    /// - Parameters:
    ///   - variable: names the folder in the program's environment, such as `XDG_CACHE_HOME`.
    ///   - words: the program, and its arguments.
    func run(withoutWritingTo variable: String, _ words: [String]) async throws -> FinishedRun {
        let script = """
            mount --bind "$\(variable)" "$\(variable)" || exit 99
            mount -o remount,bind,ro "$\(variable)" || exit 99
            exec "$0" "$@"
            """
        return try await run(program: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script] + words)
    }

    /// Leaves a database as a process does that was killed: its last change is beside the file.
    /// - Parameter change: an SQL statement.
    func killWriter(of database: String, after change: String) async throws {
        let script = """
            import os, signal, sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("PRAGMA wal_autocheckpoint = 0")
            database.execute(sys.argv[2])
            os.kill(os.getpid(), signal.SIGKILL)
            """
        _ = try await run(program: ["/usr/bin/python3", "-c", script, database, change])
        try #require(FileManager.default.fileExists(atPath: database + "-wal"))
    }
}
