import Glibc
import PluginHost

/// Which file managers are installed, and whether they take Vitrine's previews as they are.
struct DesktopCheck {
    /// Folders in which programs lie.
    let path: [String]
    /// Folders of data, in which the session bus finds what it starts, the first searched first.
    let dataFolders: [String]

    init(path: [String], dataFolders: [String] = []) {
        self.path = path
        self.dataFolders = dataFolders
    }

    init(environment: [String: String]) {
        self.init(
            path: (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init),
            dataFolders: PluginSearchPath.dataFolders(environment))
    }

    private struct FileManagerProgram {
        var program: String
        var name: String
        var state = Finding.State.ok
        var text: String
        var advice: String?
        /// Whether it shows what a service on the session bus makes.
        var asksTheBus = false
    }

    private static let known = [
        FileManagerProgram(program: "nautilus", name: "Nautilus", text: "shows the previews as they are"),
        FileManagerProgram(program: "nemo", name: "Nemo", text: "shows the previews as they are"),
        FileManagerProgram(program: "caja", name: "Caja", text: "shows the previews as they are"),
        FileManagerProgram(program: "pcmanfm", name: "PCManFM", text: "shows the previews as they are"),
        FileManagerProgram(
            program: "dolphin", name: "Dolphin",
            text: "shows the previews; it makes its own of files behind symbolic links and with ';' in their names"),
        FileManagerProgram(
            program: "thunar", name: "Thunar", state: .note,
            text: "its thumbnailer (tumbler) compares times with fractions of a second, so that it makes previews of "
                + "most files again",
            advice: "'vitrine serve' takes its place, and keeps what is there", asksTheBus: true),
    ]

    var findings: [Finding] {
        let found = Self.known.filter { manager in path.contains { access("\($0)/\(manager.program)", X_OK) == 0 } }
        if found.isEmpty {
            return [
                Finding(.desktops, "file managers", .ok, "none that is known here; the previews follow the standard")
            ]
        }
        let isVitrine = ThumbnailService.isVitrine(in: dataFolders)
        return found.map { manager in
            if isVitrine, manager.asksTheBus {
                return Finding(
                    .desktops, manager.name, .ok, "asks 'vitrine serve', which the session bus starts for it")
            }
            return Finding(.desktops, manager.name, manager.state, manager.text, advice: manager.advice)
        }
    }
}
