internal import COffice
internal import Glibc
internal import VitrineKit

/// LibreOffice, loaded into this process. There can be one, it serves one thread, and it ends with the process:
/// LibreOffice does not start a second time in one process.
final class OfficeKit {
    private let kit: UnsafeMutablePointer<LibreOfficeKit>
    private let key: DocumentKey

    /// Whether spreadsheets can be opened: without the dialogs of the full package `libreoffice-calc` the first
    /// one fails and the second ends the process.
    let opensSpreadsheets: Bool
    /// Whether formulas are drawn, also those in texts: else there is nothing where they stand.
    let drawsFormulas: Bool

    /// Where distributions install LibreOffice.
    private static let folders = [
        "/usr/lib/libreoffice/program", "/usr/lib64/libreoffice/program", "/opt/libreoffice/program",
    ]

    private static var program: String? { folders.first { access($0 + "/soffice.bin", R_OK) == 0 } }

    /// Why LibreOffice would crash at its start, though it is installed. Debian keeps its settings in `/etc`, which
    /// sandboxes hide, such as the one in which GNOME starts thumbnailers.
    static var obstacle: PluginError? {
        guard let settings = program.map({ $0 + "/../share/registry/main.xcd" }), access(settings, R_OK) != 0 else {
            return nil
        }
        return PluginError(
            .pluginUnavailable,
            "LibreOffice does not start without its settings, '\(settings)', which cannot be read: a sandbox hides them, or "
                + "its packages must be installed anew")
    }

    /// Starts LibreOffice.
    /// - Parameter folder: for its profile and temporary files; nobody else may use it meanwhile.
    /// - Throws: `pluginUnavailable` when LibreOffice is not installed or does not start.
    init(privateFolder folder: String) throws(PluginError) {
        guard let program = Self.program else {
            throw PluginError(
                .pluginUnavailable,
                "LibreOffice is not installed: install libreoffice-calc, -writer, -impress, -draw and -math")
        }
        try OfficeProfile.prepare(in: folder, for: program)
        coffice_share_heap()
        let profile = "file://" + PercentEncoding.encode("\(folder)/profile".utf8)
        guard let kit = lok_init_2(program, profile) else {
            throw PluginError(.pluginUnavailable, "LibreOffice in \(program) does not start")
        }
        self.kit = kit
        coffice_take_languages_from(OfficeProfile.languages(in: folder))
        key = DocumentKey(kit)
        opensSpreadsheets =
            access(program + "/../share/config/soffice.cfg/modules/scalc/ui/inputbar.ui", R_OK) == 0
        drawsFormulas = access(program + "/libsmlo.so", R_OK) == 0
        Self.restoreSignalHandlers()
        LibraryPages.returnAll()
    }

    /// Opens a document, without macros, without questions, without bringing links up to date.
    /// - Parameters:
    ///   - url: of a file.
    ///   - password: what opens it, if it is encrypted.
    /// - Throws: `corrupt` when LibreOffice refuses it; its own sentence is the same for every cause.
    func open(_ url: String, _ password: Password?) throws(PluginError) -> OfficeDocument {
        let document = try key.held(for: url, password) { () throws(PluginError) in
            kit.pointee.pClass.pointee.documentLoadWithOptions?(kit, url, "Batch=true")
        }
        if let document { return OfficeDocument(document) }
        throw PluginError(
            .corrupt, "LibreOffice cannot open the document: it is damaged, or holds what LibreOffice does not know")
    }

    /// LibreOffice catches the signals of a crash to save documents, and then ends in good order. In a worker a
    /// crash has to look like one.
    private static func restoreSignalHandlers() {
        for number in [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGTERM, SIGHUP, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }
}
