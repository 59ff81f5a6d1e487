internal import Glibc
internal import VitrineKit

/// LibreOffice's settings for a worker: everything that opens other files or asks questions is off.
enum OfficeProfile {
    /// Sets the process' environment and writes the settings, unless the folder has a profile already.
    /// - Parameters:
    ///   - folder: the worker's private folder.
    ///   - program: the folder of LibreOffice's programs.
    /// - Throws: `noSpace`, `forbidden` or `io` when it cannot be written.
    static func prepare(in folder: String, for program: String) throws(PluginError) {
        let temporary = folder + "/tmp"
        for (name, value) in [
            ("HOME", folder), ("TMPDIR", temporary), ("TMP", temporary), ("SAL_USE_VCLPLUGIN", "svp"),
            ("SAL_DISABLE_OPENCL", "1"), ("SAL_NO_DBUS", "1"), ("OOO_DISABLE_RECOVERY", "1"),
            ("SAL_LOG", "-INFO-WARN"),
        ] { setenv(name, value, 1) }
        for path in [temporary, folder + "/profile", folder + "/profile/user"] {
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                throw PluginError(errno: errno, "cannot make a folder for LibreOffice's settings")
            }
        }
        let file = folder + "/profile/user/registrymodifications.xcu"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EEXIST { return }
        guard descriptor >= 0 else { throw PluginError(errno: errno, "cannot write LibreOffice's settings") }
        defer { close(descriptor) }
        let bytes = Array(settings(version: version(of: program)).utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw PluginError(errno: errno, "cannot write LibreOffice's settings")
        }
    }

    /// The settings as LibreOffice keeps them.
    ///
    /// The version makes it skip what it does at its first start, half a second of tests of its own drawing.
    /// The colours are for views that people edit in: no marks at the corners of the text, and a grid between
    /// cells that is lighter than ``SheetProbe/blank``.
    private static func settings(version: String) -> String {
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
            ("Office.Common/Misc", "UseLocking", "false"),
            ("Office.Common/Misc", "CollectUsageInformation", "false"),
            ("Office.UI/ColorScheme", "CurrentColorScheme", "LibreOffice"),
            ("\(colors)/DocBoundaries", "IsVisible", "false"),
            ("\(colors)/CalcGrid", "Color", "\(0xE6E6E6)"),
        ].map { path, name, value in
            "<item oor:path=\"/org.openoffice.\(path)\"><prop oor:name=\"\(name)\" oor:op=\"fuse\">"
                + "<value>\(value)</value></prop></item>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <oor:items xmlns:oor="http://openoffice.org/2001/registry" \
            xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
            \(items.joined())</oor:items>

            """
    }

    /// The version of an installation as its `bootstraprc` names it, such as 7.4; empty when it does not.
    private static func version(of program: String) -> String {
        let file = open(program + "/bootstraprc", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        let key = "ProductKey=LibreOffice "
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(key) }
        return String((line ?? "").dropFirst(key.count).prefix { $0.isNumber || $0 == "." })
    }
}
