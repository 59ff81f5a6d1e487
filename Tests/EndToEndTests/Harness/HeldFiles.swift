import Foundation
import TestSupport

/// Files whose rendering a test holds up and lets go, so that it decides what happens meanwhile.
///
/// With `--jobs 1` the engine has ``window`` items in hand: one that is rendered, the others opened and waiting
/// for their turn. What comes after them in a listing has been listed and not yet been opened.
struct HeldFiles {
    /// Items that are in hand at once with `--jobs 1`.
    static let window = 5

    /// The size from which they are let go.
    private static let size = 100
    private let paths: [String]

    /// Writes files that are held.
    init(_ names: [String], in home: UserHome) throws {
        paths = try names.map { try home.writeHostile($0, "hold \(Self.size)") }
    }

    /// Waits until a worker renders and the program has `count` of the files open.
    func areOpen(_ count: Int, in program: RunningProgram) async throws {
        try await Condition.met("the held files are open and one of them is rendered") {
            let open = Set(ProcessTable.openFiles(of: program.pid))
            return paths.filter(open.contains).count >= count && !program.workers.isEmpty
        }
    }

    /// Ends their rendering. They have changed then, so that none gets a preview.
    func letGo() throws {
        for path in paths {
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: Self.size))
            try file.close()
        }
    }
}
