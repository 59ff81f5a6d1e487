internal import Glibc
internal import VitrineKit

/// LibreOffice's settings for a worker: everything that opens other files or asks questions is off.
enum OfficeProfile {
    /// Sets the process' environment and writes the settings, unless the folder has a profile already.
    ///
    /// A document is read by one thread: as many workers run as there are cores.
    /// - Parameters:
    ///   - folder: the worker's private folder.
    ///   - program: the folder of LibreOffice's programs.
    /// - Throws: `noSpace`, `forbidden` or `io` when it cannot be written.
    static func prepare(in folder: String, for program: String) throws(PluginError) {
        let temporary = folder + "/tmp"
        for (name, value) in [
            ("HOME", folder), ("TMPDIR", temporary), ("TMP", temporary), ("SAL_USE_VCLPLUGIN", "svp"),
            ("SAL_DISABLE_OPENCL", "1"), ("SAL_NO_DBUS", "1"), ("OOO_DISABLE_RECOVERY", "1"),
            ("SAL_LOG", "-INFO-WARN"), ("MAX_CONCURRENCY", "1"), ("SC_IMPORT_THREADS", "1"),
        ] { setenv(name, value, 1) }
        for path in [temporary, folder + "/profile", folder + "/profile/user"] { try makeFolder(path) }
        try SmallFile.write(
            settings(version: version(of: program)), to: folder + "/profile/user/registrymodifications.xcu")
        try OfficeRegistry.shorten(of: program, in: folder + "/registry")
        try leaveOutMedia(folder, program)
        try leaveOutControls(folder + "/profile/user")
        try leaveOutLanguages(languages(in: folder))
    }

    /// Where liblangtag finds tables without any language.
    /// - Parameter folder: the worker's private folder.
    static func languages(in folder: String) -> String { folder + "/languages" }

    /// Makes tables of languages that are empty. LibreOffice knows the languages of its own dialogs and of Microsoft's by
    /// heart; it asks liblangtag for rarer ones whether they are registered, once before each document too, and its register is
    /// 20 to 40 MB of memory and a tenth of a second. A language that is not registered is drawn by its letters all the same.
    private static func leaveOutLanguages(_ folder: String) throws(PluginError) {
        for path in [folder, folder + "/common", folder + "/common/supplemental"] { try makeFolder(path) }
        try SmallFile.write("<registry/>\n", to: folder + "/language-subtag-registry.xml")
        try SmallFile.write(
            "<supplementalData/>\n", to: folder + "/common/supplemental/supplementalMetadata.xml")
    }

    /// Empties the menus and the status line of LibreOffice's windows. Otherwise it builds them anew for each
    /// document, though nobody sees them.
    private static func leaveOutControls(_ user: String) throws(PluginError) {
        let bars = [
            ("menubar", "menu:menubar", "http://openoffice.org/2001/menu"),
            ("statusbar", "statusbar:statusbar", "http://openoffice.org/2001/statusbar"),
        ]
        let modules = user + "/config/soffice.cfg/modules"
        for module in modulesWithWindows {
            for (bar, element, namespace) in bars {
                let folder = "\(modules)/\(module)/\(bar)"
                try makeFolders(folder, below: user)
                let prefix = element.prefix { $0 != ":" }
                try SmallFile.write(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(element) xmlns:\(prefix)=\"\(namespace)\"/>\n",
                    to: "\(folder)/\(bar).xml")
            }
        }
    }

    /// The programs of LibreOffice that show documents in windows, as its settings name them.
    private static let modulesWithWindows = ["swriter", "scalc", "simpress", "sdraw"]

    private static func makeFolders(_ path: String, below root: String) throws(PluginError) {
        var folder = root
        for name in path.dropFirst(root.count).split(separator: "/") {
            folder += "/" + name
            try makeFolder(folder)
        }
    }

    private static func makeFolder(_ path: String) throws(PluginError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw PluginError(errno: errno, "cannot make a folder for LibreOffice's settings")
        }
    }

    /// Takes the player of sounds and films out of LibreOffice's list of services. It would hand embedded media
    /// to GStreamer, for which a drawing has no use, and wait ten seconds for the size of each where that has no
    /// plugins.
    private static func leaveOutMedia(_ folder: String, _ program: String) throws(PluginError) {
        guard let list = SmallFile.read(program + "/services/services.rdb"),
            let library = list.firstRange(of: "/libavmediagst.so\""),
            let start = list[..<library.lowerBound].ranges(of: "<component ").last?.lowerBound,
            let end = list[library.upperBound...].firstRange(of: "</component>")?.upperBound
        else { return }
        let path = folder + "/services.rdb"
        try SmallFile.write(String(list[..<start] + list[end...]), to: path)
        setenv("URE_MORE_SERVICES", url(path), 1)
    }

    /// A file or folder as LibreOffice's starting values name it, in which a dollar begins a name to be replaced.
    static func url(_ path: String) -> String {
        "file://"
            + PercentEncoding.encode(path.utf8).split(separator: "$", omittingEmptySubsequences: false)
            .joined(separator: "%24")
    }

    /// The settings as LibreOffice keeps them.
    ///
    /// The version makes it skip what it does at its first start, half a second of tests of its own drawing.
    /// The colours are for views that people edit in: no marks at the corners of the text, no lines around tables,
    /// sections and empty fields that are not printed, no grey behind fields and indexes, and a grid between cells that
    /// is lighter than ``SheetProbe/blank``; and cells with a comment get no mark. The sidebar is off: LibreOffice would
    /// fill it with controls, and draw pictures of them for its clients, a quarter of the time that a small document takes.
    /// Tracked changes have one colour: LibreOffice gives each author another, and goes on with the next for each document.
    private static func settings(version: String) -> String {
        let revisions = "Office.Writer/Revision/TextDisplay"
        let colors = "Office.UI/ColorScheme/ColorSchemes/org.openoffice.Office.UI:ColorScheme['LibreOffice']"
        let items = [
            ("Setup/Product", "ooSetupLastVersion", version),
            ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
            ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
            ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
            ("Office.Common/Save/Document", "CreateBackup", "false"),
            ("Office.Recovery/AutoSave", "Enabled", "false"),
            ("Office.Recovery/RecoveryInfo", "Enabled", "false"),
            ("Office.Calc/Content/Update", "Link", "2"),
            ("Office.Writer/Content/Update", "Link", "0"),
            ("Office.Calc/Content/Display", "NoteTag", "false"),
            ("\(revisions)/Insert", "Color", "\(colorOfFirstAuthor)"),
            ("\(revisions)/Delete", "Color", "\(colorOfFirstAuthor)"),
            ("\(revisions)/ChangedAttribute", "Color", "\(colorOfFirstAuthor)"),
            ("Office.Common/Misc", "UseLocking", "false"),
            ("Office.Common/Misc", "CollectUsageInformation", "false"),
            ("Office.UI/ColorScheme", "CurrentColorScheme", "LibreOffice"),
            ("\(colors)/CalcGrid", "Color", "\(0xE6E6E6)"),
        ]
        let hidden = marksOfEditors.map { ("\(colors)/\($0)", "IsVisible", "false") }
        let properties = (items + hidden).map { path, name, value in
            "<item oor:path=\"/org.openoffice.\(path)\"><prop oor:name=\"\(name)\" oor:op=\"fuse\">"
                + "<value>\(value)</value></prop></item>\n"
        }
        let sidebar = modulesWithWindows.map { module in
            "<item oor:path=\"/org.openoffice.Office.Views/Windows\"><node oor:name=\"\(module)/10336\" "
                + "oor:op=\"replace\"><prop oor:name=\"Visible\" oor:op=\"fuse\"><value>false</value></prop>"
                + "</node></item>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <oor:items xmlns:oor="http://openoffice.org/2001/registry" \
            xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
            \((properties + sidebar).joined())</oor:items>

            """
    }

    /// What LibreOffice draws the changes of the first author with that it meets, a dark yellow.
    private static let colorOfFirstAuthor = 0xC69200

    /// What views show for people who edit, as LibreOffice's colour schemes name it.
    private static let marksOfEditors = [
        "DocBoundaries", "ObjectBoundaries", "TableBoundaries", "WriterFieldShadings", "WriterIdxShadings",
        "WriterSectionBoundaries",
    ]

    /// The version of an installation as its `bootstraprc` names it, such as 7.4; empty when it does not.
    private static func version(of program: String) -> String {
        let key = "ProductKey=LibreOffice "
        let line = (SmallFile.read(program + "/bootstraprc") ?? "").split(separator: "\n").first { $0.hasPrefix(key) }
        return String(line?.dropFirst(key.count).prefix { $0.isNumber || $0 == "." } ?? "")
    }
}
