internal import Glibc
internal import VitrineKit

/// LibreOffice's settings for a worker: everything that opens other files or asks questions is off.
enum OfficeProfile {
    /// Sets the process' environment and writes the settings, unless the folder has a profile already.
    /// - Parameter folder: the worker's private folder.
    /// - Throws: `noSpace`, `forbidden` or `io` when it cannot be written.
    static func prepare(in folder: String) throws(PluginError) {
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
        let bytes = Array(settings.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw PluginError(errno: errno, "cannot write LibreOffice's settings")
        }
    }

    private static let settings: String = {
        let items = [
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
    }()
}
