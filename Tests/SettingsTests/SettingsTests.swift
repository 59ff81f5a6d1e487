import Containment
import Foundation
import Settings
import TestSupport
import Testing
import VitrineKit
import VitrineTesting

@Suite struct SettingsTests {
    private func error(_ text: String) -> PluginError? {
        do throws(PluginError) {
            _ = try Settings(text: text, file: "/etc/a config")
            return nil
        } catch { return error }
    }

    @Test func `pictures inside of files are taken as the settings say`() throws {
        #expect(try Settings(text: "[pictures]\nembedded = never\n", file: "f").embedded == .never)
        #expect(try Settings(text: "", file: "f").embedded == nil)
        #expect(error("[pictures]\nembedded = often\n")?.message.contains("auto, prefer or never") == true)
        #expect(error("[pictures]\nsize = 1\n")?.message.contains("[pictures] has: embedded") == true)
    }

    @Test func `a mark before a file in UTF-8 is passed over, and only there`() throws {
        #expect(try Settings(text: "\u{FEFF}[pictures]\r\nembedded = never\r\n", file: "f").embedded == .never)
        #expect(try Settings(text: "\u{FEFF}", file: "f").embedded == nil)
        #expect(error("\u{FEFF}[pictures]\nembedded = often\n")?.message.contains("line 2") == true)
        #expect(error("\u{FEFF}\u{FEFF}[pictures]\n") != nil)
        #expect(error("[pictures]\n\u{FEFF}embedded = never\n") != nil)
    }

    @Test func `every key is read, with its unit`() throws {
        let settings = try Settings(
            text: """
                # bounds of this machine
                [containment]
                required = calls

                [plugin pdf]
                enabled = no
                priority = -5
                seconds = 1500ms
                address-space = 2GiB
                resident-memory=512MiB
                kept-memory=96MiB
                input = 3000 MB
                megapixels = 100
                output = 1073741824
                pages = 7
                private-folder = 1TiB
                workers = 0
                documents-per-worker = 1
                [plugin office]
                seconds = 2min
                """, file: "config")
        #expect(settings.requiredContainment == .calls)
        #expect(settings.disabledPlugins == ["pdf"])
        #expect(settings.priorities == ["pdf": -5])
        let pdf = try #require(settings.plugins["pdf"])
        #expect(pdf.seconds == 1.5)
        let sizes: [PluginSetting: Int] = [
            .addressSpace: 2048, .residentMemory: 512, .keptMemory: 96, .input: 2861, .megapixels: 100, .output: 1024,
            .pages: 7, .privateFolder: 1 << 20, .workers: 0, .documentsPerWorker: 1,
        ]
        for (key, value) in sizes { #expect(pdf.number(key) == value, "\(key.rawValue)") }
        #expect(settings.plugins["office"]?.seconds == 120)
        #expect(settings.plugins["office"]?.number(.input) == nil)
    }

    @Test func `the cache has a size and an age, or none`() throws {
        let text = "[cache]\nsize = 1500MiB\nage = 2d\n"
        let settings = try Settings(text: text, file: "config").cache
        #expect(settings[.size] == .value(.size(1500)) && settings[.age] == .value(.time(172_800)))
        #expect(settings[.size]?.description == "1500MiB" && settings[.age]?.description == "2d")
        let none = try Settings(text: "[cache]\nsize = unlimited\nage = 36h\n", file: "config").cache
        #expect(none[.size] == .unlimited && none[.age]?.description == "36h")
        #expect(CacheSettings()[.size] == nil)
    }

    @Test func `nothing is set by nothing`() throws {
        #expect(try Settings(text: "", file: "x") == Settings())
        #expect(try Settings(text: "# only a comment\n\n", file: "x") == Settings())
        #expect(Settings().requiredContainment == nil)
    }

    /// What is wrong, the line that is named, and a word of what is accepted.
    static let wrong: [(String, Int, String)] = [
        ("required = full", 1, "before the first [group]"),
        ("[containment]\nrequired = complete", 2, "none, basic, files, calls, full"),
        ("[containment]\nlevel = full", 2, "required"),
        ("\n[contain]\n", 2, "[index], [source NAME-OR-URI] and [plugin ID]"),
        ("[plugin PDF]", 1, "'vitrine plugins'"),
        ("[plugin ]", 1, "'vitrine plugins'"),
        ("[plugin pdf]\nsecnds = 3", 2, "seconds"),
        ("[plugin pdf]\nseconds = 3 days", 2, "from 100ms to 1h"),
        ("[plugin pdf]\nseconds = 0", 2, "from 100ms to 1h"),
        ("[plugin pdf]\nseconds = nan", 2, "from 100ms to 1h"),
        ("[plugin pdf]\nseconds = 1e2", 2, "from 100ms to 1h"),
        ("[plugin pdf]\nenabled = maybe", 2, "true or false"),
        ("[plugin pdf]\npriority = 1.5", 2, "a whole number from -1000 to 1000"),
        ("[plugin pdf]\ninput = 2 gib", 2, "from 1MiB to 16TiB"),
        ("[plugin pdf]\ninput = -1", 2, "from 1MiB to 16TiB"),
        ("[plugin pdf]\ninput = 9999999999999TiB", 2, "from 1MiB to 16TiB"),
        ("[plugin pdf]\ninput = 99999999999999999999", 2, "from 1MiB to 16TiB"),
        ("[plugin pdf]\ninput =", 2, "from 1MiB to 16TiB"),
        ("[plugin pdf]\ninput = 1MiB\n\ninput = 2MiB", 4, "twice"),
        ("[plugin pdf]\n[containment]\n[plugin pdf]", 3, "twice"),
        ("[cache]\nsize = 500kB", 2, "from 1MiB to 1024TiB"),
        ("[cache]\nage = 180 days", 2, "such as 180d, or unlimited"),
        ("[cache]\nage = 10min", 2, "from 1h to 3650d"),
        ("[cache]\nquota = 1GiB", 2, "[cache] has: size, age"),
        ("[plugin pdf]\nworkers", 2, "key = value"),
        ("[plugin pdf", 1, "[name]"),
        ("[plugin pdf]\nworkers = \\q", 2, "a whole number"),
        ("[plugin pdf]\nworkers[de] = 2", 2, "letters, digits"),
        ("[passwords]\ncommand =", 2, "write a command of the shell"),
        ("[passwords]\ncache-encrypted = perhaps", 2, "write true or false"),
        ("[passwords]\npassword = x", 2, "[passwords] has: command, cache-encrypted"),
        ("[foreign-thumbnailers]\nenabled = 7", 2, "enabled, which is true or false"),
        ("[foreign-thumbnailers]\nuse = true", 2, "[foreign-thumbnailers] has: enabled"),
    ]

    @Test(arguments: wrong)
    func `what is wrong is named with file and line, and with what is accepted`(text: String, line: Int, hint: String) {
        let error = error(text)
        #expect(error?.code == .invalidArgument)
        #expect(
            error?.message.hasPrefix("the settings file '/etc/a config', line \(line): ") == true,
            "\(String(describing: error))")
        #expect(error?.message.contains(hint) == true, "\(String(describing: error))")
    }

    @Test func `noise is refused and never believed`() {
        var random = SeededNumbers(seed: 1)
        let letters = Array("[]=#\\ \n\tplugin containment required pdf seconds 1GiB\u{1B}ü".unicodeScalars)
        for _ in 0..<2000 {
            var text = "[plugin pdf]\n"
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                letters.randomElement(using: &random).map { text.unicodeScalars.append($0) }
            }
            // Either it is understood, or there is a sentence; nothing else can happen.
            if let error = error(text) { #expect(error.message == DisplayText.of(error.message)) }
        }
    }

    @Test func `values are shown as they are written`() {
        let shown: [(SettingValue, String)] = [
            (.flag(true), "true"), (.whole(-3), "-3"), (.time(10), "10s"), (.time(0.1), "100ms"), (.time(120), "2min"),
            (.time(5.0001), "5s"), (.time(1.9999999), "2s"),
            (.time(3600), "1h"), (.size(512), "512MiB"), (.size(2048), "2GiB"), (.size(1536), "1536MiB"),
            (.size(1 << 20), "1TiB"),
        ]
        for (value, text) in shown { #expect(value.description == text) }
    }

    @Test func `the file lies where the base directory specification says`() {
        #expect(Settings.path(environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/vitrine/config")
        #expect(Settings.path(environment: ["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/vitrine/config")
        #expect(Settings.path(environment: ["HOME": ""])?.hasSuffix("/.config/vitrine/config") == true)
    }
}

/// The file itself, which may be anything.
@Suite struct SettingsFileTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    private func code(_ name: String) -> PluginError.Code? {
        do throws(PluginError) {
            _ = try Settings(reading: scratch.path + "/" + name)
            return nil
        } catch { return error.code }
    }

    @Test func `all that is refused in a file is told, from the first line to the last`() throws {
        let text = """
            [pictures]
            embedded = perhaps
            embeded = never
            [pictuers]
            embedded = never
            [cache]
            quotta = 1GiB
            [plugin pdf]
            seconds = 3s
            """
        try scratch.write("config", Data(text.utf8))
        let path = scratch.path + "/config"
        let faults = Settings.faults(reading: path)
        #expect(
            faults.map { $0.message.contains(", line ") && $0.code == .invalidArgument } == [true, true, true, true])
        let marks = ["line 2: 'perhaps'", "line 3: 'embeded'", "line 4: the group [pictuers]", "line 7: 'quotta'"]
        for (fault, mark) in zip(faults, marks) { #expect(fault.message.contains(mark), "\(fault.message)") }
        do throws(PluginError) {
            _ = try Settings(reading: path)
            Issue.record("it was read")
        } catch { #expect(error.message == faults.first?.message) }
        try scratch.write("sound", Data("\u{FEFF}[plugin pdf]\nseconds = 3s\n".utf8))
        #expect(Settings.faults(reading: scratch.path + "/sound").isEmpty)
        #expect(Settings.faults(reading: scratch.path + "/nothing").isEmpty)
        try scratch.write("none", Data("seconds\n".utf8))
        #expect(Settings.faults(reading: scratch.path + "/none").count == 1)
    }

    @Test func `a file that is not there sets nothing, a link to one is followed`() throws {
        #expect(try Settings(reading: scratch.path + "/nothing") == Settings())
        #expect(try Settings(reading: scratch.path + "/nothing/config") == Settings())
        try scratch.write("real", Data("[plugin pdf]\nseconds = 3s\n".utf8))
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path + "/config", withDestinationPath: scratch.path + "/real")
        #expect(try Settings(reading: scratch.path + "/config").plugins["pdf"]?.seconds == 3)
        // Dotfiles on a disk that is not mounted: what they forbid stays forbidden.
        try FileManager.default.removeItem(atPath: scratch.path + "/real")
        #expect(code("config") == .notFound)
    }

    @Test func `what is no file of this user's hand is refused`() throws {
        try scratch.write("open", Data("".utf8))
        chmod(scratch.path + "/open", 0o666)
        #expect(code("open") == .forbidden)
        try scratch.write("large", Data(repeating: UInt8(ascii: "\n"), count: Settings.maximumSize + 1))
        #expect(code("large") == .invalidArgument)
        try scratch.write("full", Data(repeating: UInt8(ascii: "\n"), count: Settings.maximumSize))
        #expect(code("full") == nil)
        try scratch.write("binary", Data([0x5B, 0xFF, 0xFE, 0x5D]))
        #expect(code("binary") == .invalidArgument)
        try scratch.write("zero", Data("[containment]\0\n".utf8))
        #expect(code("zero") == .invalidArgument)
        #expect(mkfifo(scratch.path + "/pipe", 0o600) == 0)
        #expect(code("pipe") == .invalidArgument)
        #expect(code("") == .invalidArgument)
    }
}
