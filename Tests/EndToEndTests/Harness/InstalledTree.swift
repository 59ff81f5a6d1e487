import Foundation
import Synchronization
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

/// What `make install` installs, in a folder that every user can enter.
struct InstalledTree {
    private let scratch: ScratchFolder

    /// The prefix.
    var path: String { scratch.path + "/prefix" }

    /// The folder of its plugins.
    var plugins: String { path + "/lib/vitrine/plugins-\(VITRINE_PLUGIN_ABI)" }

    /// The one of all tests, which is installed when it is first asked for and goes with the process. Nobody changes it.
    static func shared() async throws -> InstalledTree { try await common.value }

    private static let common = Task {
        let tree = try await InstalledTree()
        folderOfCommon.withLock { $0 = tree.scratch.path }
        // What a global keeps goes with the process, but never lets go of its folder.
        atexit {
            guard let path = InstalledTree.folderOfCommon.withLock({ $0 }) else { return }
            try? FileManager.default.removeItem(atPath: path)
        }
        return tree
    }
    private static let folderOfCommon = Mutex<String?>(nil)

    private init() async throws {
        scratch = try Self.folder()
        let script = Products.checkout.appending(path: "scripts/install-tree").path
        // As root by sudo, whose PATH has no compiler.
        let environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        try await run([script, Products.folder.path, path], environment)
    }

    /// One that a test may take something away from; what is in its files it may not change.
    init(copyOf tree: InstalledTree) async throws {
        scratch = try Self.folder()
        try await run(["/bin/cp", "-al", tree.path, path], [:])
    }

    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder("installed")
        chmod(folder.path, 0o755)
        return folder
    }

    private func run(_ words: [String], _ environment: [String: String]) async throws {
        let words = words.map { Array($0.utf8) }
        let run = try await RunningProgram(words, environment: environment, outputIn: scratch.path).finish()
        try #require(run.exitCode == 0, "\(run.errors)")
    }
}
