import Glibc

/// Versions of the libraries that renderers use, as the package database tells: this process maps none of them.
/// Whether they work was tried by starting a worker.
struct LibraryCheck {
    /// Ids of the renderers that are installed.
    let renderers: Set<String>
    var packages = DebianPackages.installed
    /// Where distributions install LibreOffice.
    var officeFolders = ["/usr/lib/libreoffice", "/usr/lib64/libreoffice", "/opt/libreoffice"]

    /// A renderer, the library, and the package up to its number.
    private static let known = [
        ("pdf", "poppler", "libpoppler-glib"), ("image", "ImageMagick", "libmagickwand-"),
        ("jpeg", "libjpeg-turbo", "libturbojpeg"),
        ("svg", "librsvg", "librsvg2-"),
        ("video", "libav", "libavformat"), ("audio", "libav", "libavformat"),
    ]

    var findings: [Finding] {
        var findings: [Finding] = []
        for (renderer, library, package) in Self.known where renderers.contains(renderer) {
            guard !findings.contains(where: { $0.subject == library }) else { continue }
            guard let packages else {
                findings.append(Finding(.libraries, library, .ok, "version not known: there is no dpkg database"))
                continue
            }
            let found = packages.named(package).map { "\($0.version) (\($0.name))" }
            let text = found.isEmpty ? "version not known: it was not installed by dpkg" : found.joined(separator: ", ")
            findings.append(Finding(.libraries, library, .ok, text))
        }
        if renderers.contains("office") { findings.append(office) }
        return findings
    }

    /// LibreOffice, and whether it is the complete one: without the dialogs of the full libreoffice-calc the first
    /// spreadsheet fails, and the second ends the worker.
    private var office: Finding {
        let install =
            "apt install libreoffice-writer libreoffice-calc libreoffice-impress libreoffice-draw libreoffice-math"
        guard let folder = officeFolders.first(where: { access($0 + "/program/soffice.bin", R_OK) == 0 }) else {
            return Finding(.libraries, "LibreOffice", .problem, "it is not installed", command: install)
        }
        let version = packages?.named("libreoffice-core").first.map { $0.version } ?? "in \(folder)"
        let missing = [("writer", "libswlo.so"), ("calc", "libsclo.so"), ("impress", "libsdlo.so")].filter {
            access("\(folder)/program/\($0.1)", R_OK) != 0
        }
        if !missing.isEmpty {
            let names = missing.map(\.0).joined(separator: ", ")
            return Finding(.libraries, "LibreOffice", .problem, "\(version), without \(names)", command: install)
        }
        if access("\(folder)/share/config/soffice.cfg/modules/scalc/ui/inputbar.ui", R_OK) != 0 {
            return Finding(
                .libraries, "LibreOffice", .problem, "\(version), without its dialogs: spreadsheets cannot be rendered",
                advice: "install libreoffice-core and libreoffice-calc in place of their -nogui packages")
        }
        if access("\(folder)/program/libsmlo.so", R_OK) != 0 {
            return Finding(
                .libraries, "LibreOffice", .warning,
                "\(version), without math: where formulas stand in texts there is nothing",
                command: "apt install libreoffice-math")
        }
        return Finding(.libraries, "LibreOffice", .ok, version)
    }
}
