import Foundation
import Testing
import VitrineKit

@testable import PluginHost

/// Whose files are taken for root's where root has no id: those of strangers look the same there.
@Suite struct NamespaceWithoutRootTests {
    private let folder: TemporaryFolder
    private let namespace: NamespaceWithoutRoot
    private let overflow: uid_t = 65534

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("tree/bin/vitrine", "never run")
        namespace = NamespaceWithoutRoot(owner: overflow, programFolder: folder.path + "/tree/bin")
    }

    /// What speaks against a file of the overflow user.
    private func objection(_ path: String, _ role: FolderTrust.Role = .plugin) throws -> String? {
        var status = stat()
        try #require(stat(path, &status) == 0)
        status.st_uid = overflow
        return FolderTrust.objection(to: status, at: path, as: role, in: namespace)
    }

    @Test func whatWasInstalledWithTheProgramOrTheSystemIsRoots() throws {
        for part in ["tree/lib/vitrine/plugins-\(VITRINE_PLUGIN_ABI)/p", "tree/bin/plugins-\(VITRINE_PLUGIN_ABI)/p"] {
            let plugin = try folder.plugin(part)
            for file in ["", "/plugin.json", "/libSample.so"] { #expect(try objection(plugin + file) == nil) }
        }
        #expect(try objection("/usr") == nil && objection("/usr/bin") == nil)
    }

    @Test func whatAnybodyMayHaveLaidSomewhereIsNot() throws {
        // Beside and above the installation, too.
        for part in ["p", "tree/p", "tree/bin/p", "tree/lib/p", "tree/lib/vitrinelike/p"] {
            let plugin = try folder.plugin(part)
            for file in ["", "/plugin.json", "/libSample.so"] {
                #expect(try objection(plugin + file)?.contains("cannot be told in this sandbox") == true, "\(part)")
            }
        }
        #expect(try objection("/tmp", .searchFolder) == nil)
    }

    @Test func belowAFolderThatOthersMayWriteToNothingIs() throws {
        let plugin = try folder.plugin("tree/lib/vitrine/plugins-\(VITRINE_PLUGIN_ABI)/p")
        for open in ["tree", "tree/lib", "tree/lib/vitrine"] {
            let path = folder.path + "/" + open
            try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: path)
            #expect(try objection(plugin) != nil, "\(open)")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            #expect(try objection(plugin) == nil)
        }
    }

    @Test func aLinkCountsAsWhatItLeadsTo() throws {
        let plugin = try folder.plugin("p")
        let link = folder.path + "/tree/lib/vitrine/p"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/tree/lib/vitrine", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: plugin)
        #expect(try objection(link) != nil && objection(link + "/plugin.json") != nil)
    }

    @Test func otherStrangersAreNotRootEither() throws {
        var status = stat()
        try #require(stat("/usr", &status) == 0)
        status.st_uid = 4711
        let objection = FolderTrust.objection(to: status, at: "/usr", as: .plugin, in: namespace)
        #expect(objection?.contains("belongs to user 4711") == true)
    }
}
