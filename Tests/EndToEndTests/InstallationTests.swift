import Foundation
import TestSupport
import Testing
import VitrineTesting

/// What `make install` brings, `make uninstall` takes away.
@Suite struct InstallationTests {
    @Test func whatIsInstalledCanBeTakenAway() async throws {
        let tree = try await InstalledTree()
        let home = try UserHome(tree: tree)
        let files = FileManager.default
        let own = tree.plugins + "/mine"
        try files.createDirectory(atPath: own, withIntermediateDirectories: true)
        let script = Products.checkout.appending(path: "scripts/uninstall-tree").path
        let run = try await home.run(program: [script, tree.path])
        #expect(run.exitCode == 0, "\(run.errors)")
        // A plugin of somebody else stays, with the folders around it, and nothing besides.
        let left = try #require(files.enumerator(atPath: tree.path)).compactMap { $0 as? String }.sorted()
        #expect(left == ["lib", "lib/vitrine", "lib/vitrine/plugins-1", "lib/vitrine/plugins-1/mine"], "\(left)")
        try files.removeItem(atPath: tree.path + "/lib")
        let again = try await home.run(program: [script, tree.path])
        #expect(
            again.exitCode == 1 && again.errors.contains("there is no Vitrine in '\(tree.path)'"), "\(again.errors)")
    }
}
