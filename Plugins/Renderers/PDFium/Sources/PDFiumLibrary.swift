internal import CPDFium
import Glibc
internal import VitrineKit

/// PDFium's library, which may be absent.
///
/// It is looked for beside the plugin's own library, two folders above it, where an installed tree has its libraries,
/// and where the system has its own.
public struct PDFiumLibrary {
    let functions: cpdfium_functions

    private static let fileName = "libpdfium.so"

    /// Opens the library, if it is there; ``init()`` finds it again without opening a file. It stays open.
    public static func open() { _ = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) }

    /// Finds the functions of the library and starts it, which it does once for a process.
    /// - Throws: `pluginUnavailable` when there is no library, or when it lacks one of them.
    init() throws(PluginError) {
        guard let handle = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            throw PluginError(
                .pluginUnavailable,
                "PDFium is not installed; 'scripts/install-pdfium' in Vitrine's sources fetches it (\(reason))")
        }
        var missing: UnsafePointer<CChar>?
        functions = cpdfium_found(handle, &missing)
        if let missing {
            throw PluginError(
                .pluginUnavailable, "the PDFium that is installed has no function '\(String(cString: missing))'")
        }
        var configuration = cpdfium_config()
        configuration.version = 2
        functions.start(&configuration)
    }

    /// Why a document could not be opened; to be asked right after that.
    var openingError: PluginError {
        switch Int(functions.last_error()) {
        case CPDFIUM_ERROR_PASSWORD:
            PluginError(.encrypted, "the PDF document needs a password")
        case CPDFIUM_ERROR_SECURITY:
            PluginError(.locked, "the PDF document is locked in a way that PDFium does not know")
        case CPDFIUM_ERROR_FILE: PluginError(.io, "the PDF document cannot be read")
        case CPDFIUM_ERROR_PAGE:
            PluginError(.corrupt, "the PDF document's list of pages is damaged")
        default: PluginError(.corrupt, "the file is not a PDF document, or it is damaged beyond repair")
        }
    }
}
