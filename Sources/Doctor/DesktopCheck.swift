import Glibc

/// Which file managers are installed, and whether they take Vitrine's previews as they are.
struct DesktopCheck {
    /// Folders in which programs lie.
    let path: [String]

    init(path: [String]) { self.path = path }

    init(environment: [String: String]) {
        path = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    }

    private struct FileManagerProgram {
        var program: String
        var name: String
        var state = Finding.State.ok
        var text: String
        var advice: String?
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
            advice: "'vitrine serve' takes its place, and keeps what is there"),
    ]

    var findings: [Finding] {
        let found = Self.known.filter { manager in path.contains { access("\($0)/\(manager.program)", X_OK) == 0 } }
        if found.isEmpty {
            return [
                Finding(.desktops, "file managers", .ok, "none that is known here; the previews follow the standard")
            ]
        }
        return found.map { Finding(.desktops, $0.name, $0.state, $0.text, advice: $0.advice) }
    }
}
