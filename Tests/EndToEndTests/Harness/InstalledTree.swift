import Foundation
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

    init() async throws {
        scratch = try ScratchFolder("installed")
        chmod(scratch.path, 0o755)
        let script = Products.checkout.appending(path: "scripts/install-tree").path
        // The script asks the compiler where the Swift runtime lies.
        let environment = ProcessInfo.processInfo.environment
        let words = [script, Products.folder.path, path].map { Array($0.utf8) }
        let run = try await RunningProgram(words, environment: environment, outputIn: scratch.path).finish()
        try #require(run.exitCode == 0, "\(run.errors)")
    }
}
