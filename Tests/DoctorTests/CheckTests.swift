import Catalog
import Foundation
import Library
import PluginHost
import PreviewCache
import Settings
import TestSupport
import Testing
import VitrineKit

@testable import Doctor

/// Single checks, with folders and numbers of their own.
@Suite struct CheckTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func cache() -> CacheCheck {
        CacheCheck(
            folders: CacheFolders(thumbnails: scratch.path + "/thumbnails", previews: scratch.path + "/previews"))
    }

    private func states(_ check: CacheCheck) -> [Finding.State] {
        check.findings.filter { $0.subject != "purge" }.map(\.state)
    }

    @Test func `a cache that is private and writable is well, and left as it was`() throws {
        let folder = scratch.path + "/thumbnails"
        #expect(mkdir(folder, 0o700) == 0)
        let check = cache()
        #expect(states(check) == [.ok, .ok])
        #expect(check.clockAhead.map { abs($0) <= 1 } == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "/previews"))
    }

    @Test func `a cache that others can look into, or that is no folder, is not`() throws {
        #expect(mkdir(scratch.path + "/thumbnails", 0o700) == 0)
        chmod(scratch.path + "/thumbnails", 0o755)
        try scratch.write("previews", Data("a file".utf8))
        let check = cache()
        #expect(states(check) == [.warning, .problem])
        #expect(check.findings.first?.advice?.contains("chmod 700") == true)
    }

    @Test func `entries of the future are counted`() throws {
        let file = try scratch.write("thumbnails/large/a.png", Data([1]))
        try scratch.write("thumbnails/large/b.png", Data([1]))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1e6)], ofItemAtPath: file.path)
        #expect(cache().entriesInFuture == 1)
    }

    @Test func `GNOME's limits matter when they are near and in force`() {
        let policy = PurgePolicy(maximumAge: 180, maximumSize: 512, isInForce: true)
        #expect(policy.finding(bytes: 100_000_000, isCut: false).state == .ok)
        #expect(policy.finding(bytes: 500_000_000, isCut: false).state == .warning)
        #expect(policy.finding(bytes: 0, isCut: true).state == .warning)
        let elsewhere = PurgePolicy(maximumAge: 180, maximumSize: 512, isInForce: false)
        #expect(elsewhere.finding(bytes: 500_000_000, isCut: false).state == .ok)
        let endless = PurgePolicy(maximumAge: -1, maximumSize: -1, isInForce: true)
        #expect(endless.finding(bytes: .max, isCut: true).state == .ok)
    }

    @Test func `a clock before the program's own time is a problem`() {
        func states(_ now: Int, ahead: Int? = 0, future: Int = 0) -> [Finding.State] {
            ClockCheck(now: now, built: 1_700_000_000, cacheAhead: ahead, entriesInFuture: future).findings.map(\.state)
        }
        #expect(states(0) == [.problem])
        #expect(states(1_699_990_000) == [.ok])
        #expect(states(1_800_000_000) == [.ok])
        #expect(states(1_800_000_000, ahead: nil) == [.ok])
        #expect(states(1_800_000_000, ahead: -40, future: 3) == [.ok, .warning, .warning])
    }

    @Test func `packages are read from dpkg's own list`() {
        let packages = DebianPackages(
            status: """
                Package: libpoppler-glib8
                Status: install ok installed
                Version: 22.12.0-2
                Description: library
                 Version: this line goes on

                Package: libpoppler-glib-dev
                Status: install ok installed
                Version: 22.12.0-2

                Package: libpoppler-glib9
                Status: deinstall ok config-files
                Version: 23
                """)
        #expect(packages.named("libpoppler-glib").map(\.name) == ["libpoppler-glib8"])
        #expect(packages.named("libpoppler-glib").map(\.version) == ["22.12.0-2"])
        #expect(packages.named("libpoppler") == [])
    }

    @Test func `LibreOffice is wanted complete`() throws {
        func office(_ folder: String) -> Finding? {
            var check = LibraryCheck(renderers: ["office"])
            check.packages = nil
            check.officeFolders = [scratch.path + "/nothing", scratch.path + "/" + folder]
            return check.findings.first
        }
        #expect(office("nothing")?.state == .problem)
        for name in ["soffice.bin", "libswlo.so", "libsdlo.so"] { try scratch.write("a/program/\(name)", Data()) }
        #expect(office("a")?.text.contains("without calc") == true)
        try scratch.write("a/program/libsclo.so", Data())
        #expect(office("a")?.advice?.contains("-nogui") == true)
        try scratch.write("a/share/config/soffice.cfg/modules/scalc/ui/inputbar.ui", Data())
        #expect(office("a")?.state == .warning && office("a")?.text.contains("without math") == true)
        try scratch.write("a/program/libsmlo.so", Data())
        #expect(office("a")?.state == .ok)
        #expect(LibraryCheck(renderers: []).findings == [])
    }

    @Test func `fonts are counted`() throws {
        let configuration = try scratch.write("fonts.conf", Data()).path
        let folder = scratch.path + "/fonts"
        #expect(DataCheck.fonts(in: [folder], configuration: configuration).state == .problem)
        try scratch.write("fonts/a/b/c.TTF", Data())
        try scratch.write("fonts/a/readme.txt", Data())
        #expect(DataCheck.fonts(in: [folder], configuration: configuration).text.hasPrefix("1 in "))
        #expect(DataCheck.fonts(in: [folder], configuration: configuration).state == .note)
        try scratch.write("fonts/Carlito-Regular.ttf", Data())
        let note = DataCheck.fonts(in: [folder], configuration: configuration)
        #expect(note.text.contains("as Cambria:") && note.command == "apt install fonts-crosextra-caladea")
        try scratch.write("fonts/cambria.ttc", Data())
        #expect(DataCheck.fonts(in: [folder], configuration: configuration).state == .ok)
        #expect(DataCheck.fonts(in: [folder], configuration: folder + "/none").state == .problem)
    }

    @Test func `file managers are found by their programs`() throws {
        #expect(DesktopCheck(path: [scratch.path]).findings.map(\.state) == [.ok])
        for program in ["nautilus", "thunar"] {
            chmod(try scratch.write(program, Data("#!".utf8)).path, 0o755)
        }
        let findings = DesktopCheck(path: ["/nowhere", scratch.path]).findings
        #expect(findings.map(\.subject) == ["Nautilus", "Thunar"])
        #expect(findings.map(\.state) == [.ok, .note])
    }

    @Test func `a file manager that asks over the session bus is well where Vitrine is asked`() throws {
        chmod(try scratch.write("bin/thunar", Data("#!".utf8)).path, 0o755)
        func state(_ folders: String...) -> [Finding.State] {
            let folders = folders.map { scratch.path + "/" + $0 }
            return DesktopCheck(path: [scratch.path + "/bin"], dataFolders: folders).findings.map(\.state)
        }
        func install(_ file: String, name: String = "Thumbnailer1", _ command: String) throws {
            let text = "[D-BUS Service]\nName=org.freedesktop.thumbnails.\(name)\nExec=\(command)\n"
            try scratch.write(file, Data(text.utf8))
        }
        let services = "dbus-1/services"
        try install("system/\(services)/tumbler.service", "/usr/lib/tumblerd")
        try install("local/\(services)/vitrine.service", "'/opt/a b/bin/vitrine' serve --idle 300")
        // What is about another service, or is none, counts nowhere.
        try install("user/\(services)/cache.service", name: "Cache1", "/usr/lib/tumblerd")
        try scratch.write("user/\(services)/text.service", Data("no key file".utf8))
        try install("user/\(services)/tumbler.service.off", "/usr/lib/tumblerd")
        #expect(mkfifo(scratch.path + "/user/\(services)/pipe.service", 0o600) == 0)
        #expect(state() == [.note])
        #expect(state("none", "user", "local", "system") == [.ok])
        #expect(state("system", "local") == [.note])
        // Of two in one folder the bus takes one or the other.
        try install("local/\(services)/tumbler.service", "/usr/lib/tumblerd")
        #expect(state("local") == [.note])
    }

    @Test func `a folder of plugins that is named and holds none is told`() throws {
        let manifest = """
            {"id": "one", "version": "1", "abi": 1, "kind": "renderer", "library": "libOne.so", "types": ["a/b"]}
            """
        try scratch.write("plugins/one/plugin.json", Data(manifest.utf8))
        try scratch.write("plugins/one/libOne.so", Data())
        try scratch.write("other/text", Data())
        try FileManager.default.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: "plugins")
        let named = ["plugins", "plugins/one", "link", "other", "nowhere"].map { scratch.path + "/" + $0 }
        let directory = PluginDirectory(scanning: PluginSearchPath(folders: named))
        let findings = PluginCheck(directory: directory, settings: Settings(), named: named).findings
            .filter { $0.subject == "VITRINE_PLUGIN_PATH" }
        #expect(findings.map(\.state) == [.note, .warning])
        #expect(findings.first?.text.contains("/other'") == true && findings.last?.text.contains("/nowhere'") == true)
    }

    @Test func `folders are looked at for times that cannot be`() throws {
        let folder = scratch.path + "/files"
        #expect(SourceCheck(folder: folder).findings.map(\.state) == [.problem])
        let file = try scratch.write("files/a/b", Data())
        #expect(SourceCheck(folder: folder).findings.map(\.state) == [.ok])
        #expect(SourceCheck(folder: file.path).findings.map(\.state) == [.problem])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 1e7)], ofItemAtPath: file.path)
        #expect(SourceCheck(folder: folder).findings.map(\.text) == ["1 files are dated in the future"])
        #expect(
            SourceCheck(folder: folder, limit: 1).findings.first?.text == "the first 1 files and folders can be listed")
    }

    private func records(folders: Int? = nil, sources: Int? = nil) -> [Finding] {
        RecordCheck(
            library: LibraryPlace(folder: scratch.path + "/library"), catalog: scratch.path + "/cache/catalog.sqlite",
            limits: WatchLimits(folders: folders, sources: sources)
        ).findings
    }

    @Test func `a library and a catalog that are not there are not made`() throws {
        #expect(records() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == [])
    }

    @Test func `a library is sound, damaged, or of a newer version`() throws {
        let place = LibraryPlace(folder: scratch.path + "/library")
        try Library(at: place).addSource("Files", SourceURI(file: "/data".utf8))
        #expect(records().map(\.state) == [.ok])
        #expect(records().first?.text == "sound, with 1 source and 0 collections")
        let file = try #require(FileHandle(forUpdatingAtPath: place.file))
        // user_version, in the file's header.
        try file.seek(toOffset: 60)
        try file.write(contentsOf: [0, 0, 0x7F, 0])
        #expect(records().map(\.state) == [.problem])
        #expect(records().first?.text.contains("newer version") == true)
        try Data(repeating: 0x5A, count: 50_000).write(to: URL(filePath: place.file))
        #expect(records().map(\.state) == [.problem])
        #expect(records().first?.text.contains("vitrine library restore") == true, "\(records())")
    }

    @Test func `a damaged catalog is told and left to the next run`() throws {
        let path = try scratch.write("cache/catalog.sqlite", Data(repeating: 0x5A, count: 50_000)).path
        #expect(records().map(\.subject) == ["catalog"])
        #expect(records().map(\.state) == [.warning])
        #expect(try Data(contentsOf: URL(filePath: path)).first == 0x5A)
    }

    @Test func `as many folders as are known can be watched, or it is told how`() throws {
        try Library(at: LibraryPlace(folder: scratch.path + "/library")).addSource(
            "Files", SourceURI(file: "/data/a".utf8))
        let catalog = try Catalog.open(at: scratch.path + "/cache/catalog.sqlite").catalog
        let source = try catalog.source("file:///data")
        for path in ["a/b/c", "a/d", "e"] { _ = try catalog.folder(try ItemPath(path), in: source) }
        func watching(_ folders: Int?, _ sources: Int?) -> [Finding] {
            records(folders: folders, sources: sources).filter { $0.subject == "watching" }
        }
        #expect(watching(4, 2).map(\.state) == [.ok])
        #expect(watching(4, 2).first?.text.contains("4 of the 4 folders") == true)
        #expect(watching(3, 2).map(\.state) == [.note])
        #expect(watching(3, 2).first?.command?.contains("max_user_watches = 1024'") == true)
        #expect(watching(4, 1).first?.command?.contains("max_user_instances") == true)
        #expect(watching(nil, nil) == [])
    }
}
