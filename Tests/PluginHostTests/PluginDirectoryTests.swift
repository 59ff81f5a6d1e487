import Foundation
import Testing
import VitrineKit

@testable import PluginHost

@Suite("Plugins are found by their manifests, and each refusal is named")
struct PluginDirectoryTests {
    private func scan(
        _ folders: [String], libraries: [String] = [], disabled: Set<String> = [], priorities: [String: Int] = [:]
    ) -> PluginDirectory {
        PluginDirectory(
            scanning: PluginSearchPath(folders: folders, libraryFolders: libraries), disabled: disabled,
            priorities: priorities)
    }

    /// The error of the only listing that was refused.
    private func refusal(_ directory: PluginDirectory) throws -> PluginError {
        let errors = directory.listings.compactMap { listing in
            if case .refused(let error) = listing.state { error } else { nil }
        }
        try #require(errors.count == 1, "\(directory.listings)")
        return errors[0]
    }

    // MARK: Where

    @Test func searchesInTheOrderOfTheDesign() {
        let standard = PluginSearchPath.standard(
            environment: ["VITRINE_PLUGIN_PATH": "/a::/b", "XDG_DATA_HOME": "/data", "HOME": "/home/u"],
            executableFolder: "/opt/v/bin")
        #expect(
            standard.folders == [
                "/a", "/b", "/data/vitrine/plugins-1", "/opt/v/bin/plugins-1",
                "/opt/v/bin/../lib/vitrine/plugins-1", "/usr/lib/vitrine/plugins-1",
            ])
        #expect(standard.libraryFolders == ["/opt/v/bin"])
    }

    @Test(arguments: [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "relative"]])
    func fallsBackToTheHomeFolder(environment: [String: String]) {
        let home = PluginSearchPath.standard(
            environment: environment.merging(["HOME": "/home/u"]) { $1 }, executableFolder: nil)
        #expect(home.folders == ["/home/u/.local/share/vitrine/plugins-1", "/usr/lib/vitrine/plugins-1"])
        let onRecord = PluginSearchPath.standard(environment: environment, executableFolder: nil)
        #expect(onRecord.folders.count == 2 && onRecord.folders[0].hasSuffix("/.local/share/vitrine/plugins-1"))
    }

    @Test func knowsItsOwnFolder() throws {
        let folder = try #require(PluginSearchPath.executableFolder)
        #expect(folder.hasPrefix("/") && FileManager.default.fileExists(atPath: folder))
    }

    @Test func pluginsShareTheTemplateThatBothName() throws {
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        let media = ", \"template\": \"media\""
        try folder.plugin("R/A", id: "a", extra: media)
        try folder.plugin("R/B", id: "b", extra: media)
        try folder.plugin("R/C", id: "c", extra: media + ", \"containment\": {\"threads\": true}")
        try folder.plugin("R/D", id: "d", extra: ", \"template\": \"other\"")
        try folder.plugin("R/E", id: "e")
        // Who lies elsewhere brings no library into the template of these.
        try elsewhere.plugin("R/F", id: "f", extra: media)
        let renderers = scan([folder.path, elsewhere.path]).renderers
        let companions = Dictionary(
            uniqueKeysWithValues: renderers.map { ($0.manifest.id, $0.companions.map(\.manifest.id)) })
        #expect(companions == ["a": ["b"], "b": ["a"], "c": [], "d": [], "e": [], "f": []])
        let alone = scan([folder.path], disabled: ["b"]).renderers.flatMap(\.companions)
        #expect(alone.isEmpty)
    }

    @Test func findsPluginsUpToThreeLevelsDeep() throws {
        let folder = try TemporaryFolder()
        let c = try folder.plugin("Renderers/More/C", id: "c")
        let b = try folder.plugin("Renderers/B", id: "b")
        let a = try folder.plugin("a", id: "a")
        try folder.plugin("1/2/3/4", id: "too-deep")
        try folder.plugin("Renderers/B/Inside", id: "inside-another")
        try folder.plugin(".hidden", id: "hidden")
        try folder.write("plugin.txt", "nothing")
        let found = scan([folder.path])
        #expect(found.listings.map(\.folder) == [b, c, a])
        #expect(found.listings.allSatisfy { $0.state == .ready })
        #expect(scan([a]).renderers.map(\.manifest.id) == ["a"], "a plugin's own folder works as well")
        #expect(scan([folder.path + "/nowhere"]).listings == [])
    }

    @Test func followsLinksToFoldersOnce() throws {
        let folder = try TemporaryFolder()
        let elsewhere = try TemporaryFolder()
        let real = try elsewhere.plugin("plugin", id: "linked")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: real)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: folder.path)
        let found = scan([folder.path, elsewhere.path, folder.path])
        #expect(found.listings.map(\.folder) == [folder.path + "/link"])
        #expect(found.renderers.map(\.libraryPath) == [folder.path + "/link/libSample.so"])
    }

    @Test func looksForLibrariesWhereBuildsPutThem() throws {
        let folder = try TemporaryFolder()
        let programs = try TemporaryFolder()
        let plugin = try folder.plugin("p", library: false)
        let places = [
            try programs.write("libSample.so", ""), try folder.write("p/.build/debug/libSample.so", ""),
            try folder.write("p/.build/release/libSample.so", ""), try folder.write("p/libSample.so", ""),
        ]
        for place in places[1...2] {
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place)
        }
        for place in places.reversed() {
            #expect(scan([plugin], libraries: [programs.path]).renderers.map(\.libraryPath) == [place])
            try FileManager.default.removeItem(atPath: place)
        }
        let error = try refusal(scan([plugin], libraries: [programs.path]))
        #expect(error.code == .pluginUnavailable)
        #expect(error.message.contains(plugin) && error.message.contains(programs.path), "\(error.message)")
        #expect(error.message.contains("'libSample.so'"), "\(error.message)")
    }

    @Test func takesTheNewerBuild() throws {
        let folder = try TemporaryFolder()
        let plugin = try folder.plugin("p", library: false)
        let release = try folder.write("p/.build/release/libSample.so", "")
        let debug = try folder.write("p/.build/debug/libSample.so", "")
        for (age, newer) in [(60.0, debug), (-60, release)] {
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: debug)
            try FileManager.default.setAttributes(
                [.modificationDate: date.addingTimeInterval(-age)], ofItemAtPath: release)
            #expect(scan([plugin]).renderers.map(\.libraryPath) == [newer])
        }
    }

    // MARK: Which

    @Test func firstOfAnIDWins() throws {
        let folder = try TemporaryFolder()
        let winner = try folder.plugin("1/p", id: "same")
        let loser = try folder.plugin("2/p", id: "same")
        try folder.plugin("2/q", id: "other")
        let found = scan([folder.path + "/1", folder.path + "/2"])
        #expect(found.renderers.map(\.manifest.id) == ["other", "same"])
        #expect(found.listings.map(\.folder) == [winner, loser, folder.path + "/2/q"])
        #expect(found.listings.map(\.state) == [.ready, .overridden(by: winner), .ready])
        let error = try refusal(scan([folder.path]))
        #expect(
            error.message.contains("'\(winner)' has the same id") && error.message.contains(loser), "\(error.message)")
        #expect(scan([folder.path + "/2", folder.path + "/1"]).renderers.last?.folder == loser)
    }

    @Test func aPluginThatCannotBeUsedDoesNotTakeItsID() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("1", id: "same", library: false)
        let second = try folder.plugin("2", id: "same")
        #expect(scan([folder.path]).renderers.map(\.folder) == [second])
    }

    @Test func listsDisabledPluginsAndTakesPriorities() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("a", id: "a")
        try folder.plugin("b", id: "b")
        try folder.plugin("c", id: "c", priority: 200)
        #expect(scan([folder.path]).renderers.map(\.manifest.id) == ["c", "a", "b"])
        let found = scan([folder.path], disabled: ["c"], priorities: ["b": 300])
        #expect(found.renderers.map(\.manifest.id) == ["b", "a"])
        #expect(found.listings.map(\.state) == [.ready, .ready, .disabled])
        #expect(found.listings.map(\.id) == ["a", "b", "c"])
    }

    // MARK: Refusals

    @Test func damagedManifestsLeaveTheRestAlone() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("good", id: "good")
        try folder.write("bad/plugin.json", "{ \"id\": ")
        try folder.write("large/plugin.json", String(repeating: " ", count: 65_537))
        try FileManager.default.createDirectory(
            atPath: folder.path + "/folder/plugin.json", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/fifo", withIntermediateDirectories: true)
        try #require(mkfifo(folder.path + "/fifo/plugin.json", 0o644) == 0)
        try FileManager.default.createDirectory(atPath: folder.path + "/link", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link/plugin.json", withDestinationPath: "/nowhere")
        try folder.write("abi/plugin.json", "{ \"abi\": 2 }")
        let found = scan([folder.path])
        #expect(found.renderers.map(\.manifest.id) == ["good"])
        let expected = [
            "abi": "made for plugin ABI 2", "bad": "not valid JSON", "fifo": "not a regular file",
            "folder": "not a regular file", "large": "more than 65536 bytes", "link": "a link to nothing",
        ]
        for listing in found.listings {
            let name = (listing.folder as NSString).lastPathComponent
            guard name != "good" else { continue }
            guard case .refused(let error) = listing.state else {
                Issue.record("\(name) was not refused")
                continue
            }
            let part = try #require(expected[name])
            #expect(error.message.contains(part) && error.message.contains(listing.folder), "\(error.message)")
        }
        #expect(found.listings.count == expected.count + 1)
    }

    @Test(arguments: ["", "/plugin.json", "/libSample.so"])
    func refusesWhatEverybodyMayChange(part: String) throws {
        let folder = try TemporaryFolder()
        let plugin = try folder.plugin("p")
        let mode = part.isEmpty ? 0o777 : 0o666
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: plugin + part)
        let error = try refusal(scan([folder.path]))
        #expect(error.code == .pluginUnavailable)
        #expect(error.message.contains(plugin + part), "\(error.message)")
        #expect(error.message.contains("everybody may write to it; take that away with chmod o-w"), "\(error.message)")
    }

    @Test func refusesOpenSearchFoldersUnlessSticky() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("p")
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let error = try refusal(scan([folder.path]))
        #expect(error.message.contains("'\(folder.path)' is not searched for plugins"), "\(error.message)")
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
        #expect(scan([folder.path]).renderers.count == 1)
    }

    @Test func judgesOwners() {
        var status = stat()
        status.st_mode = S_IFREG | 0o644
        for owner in [0, geteuid()] {
            status.st_uid = owner
            #expect(FolderTrust.objection(to: status, at: "/", as: .plugin) == nil)
        }
        status.st_uid = geteuid() + 4711
        let objection = FolderTrust.objection(to: status, at: "/", as: .plugin)
        #expect(objection?.contains("belongs to user \(status.st_uid)") == true)
        #expect(FolderTrust.objection(to: status, at: "/", as: .searchFolder) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
    func refusesForeignPlugins() throws {
        let folder = try TemporaryFolder()
        let plugin = try folder.plugin("p")
        try #require(chown(plugin, 4711, 4711) == 0)
        let error = try refusal(scan([folder.path]))
        #expect(error.message.contains("'\(plugin)' is refused: it belongs to user 4711"), "\(error.message)")
    }

    @Test func namesNamesThatAreNoText() throws {
        let folder = try TemporaryFolder()
        try folder.plugin("p")
        try #require(mkdir(Array(folder.path.utf8CString.dropLast()) + [0x2F, -1, 0], 0o755) == 0)
        let found = scan([folder.path])
        #expect(found.renderers.count == 1)
        #expect(try refusal(found).message.contains("its name is not UTF-8"))
    }

    @Test func stopsInTooLargeTrees() throws {
        let folder = try TemporaryFolder()
        for index in 0..<4100 {
            try #require(mkdir("\(folder.path)/\(index)", 0o755) == 0)
        }
        let error = try refusal(scan([folder.path]))
        #expect(error.code == .limitExceeded && error.message.contains("more than 4096 folders"), "\(error.message)")
    }
}
