import CGIO
import Glibc

/// Fonts and the database of file types.
enum DataCheck {
    static var findings: [Finding] {
        [fonts(in: ["/usr/share/fonts", "/usr/local/share/fonts"], configuration: "/etc/fonts/fonts.conf"), types]
    }

    private static let endings = [".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pcf.gz"]
    /// How the files of Word's own letters since 2007 begin, and of those that are as wide.
    private static let word = [("Calibri", "carlito"), ("Cambria", "caladea")]

    /// Counts the fonts that workers can read; those of the user's home are out of their reach.
    static func fonts(in folders: [String], configuration: String) -> Finding {
        guard access(configuration, R_OK) == 0 else {
            return Finding(
                .data, "fonts", .problem, "fontconfig's '\(configuration)' is missing",
                command: "apt install fontconfig")
        }
        var count = 0
        var lacking = word
        for folder in folders {
            FileTree.walk(folder, limit: 100_000) { name, _ in
                let name = name.lowercased()
                guard endings.contains(where: name.hasSuffix) else { return }
                count += 1
                lacking.removeAll { name.hasPrefix($0.0.lowercased()) || name.hasPrefix($0.1) }
            }
        }
        guard count > 0 else {
            return Finding(
                .data, "fonts", .problem, "there are none in \(folders.joined(separator: " and "))",
                advice: "text without its own fonts stays empty", command: "apt install fonts-dejavu fonts-liberation")
        }
        let found = "\(count) in \(folders.joined(separator: " and "))"
        guard lacking.isEmpty else {
            return Finding(
                .data, "fonts", .note,
                found
                    + ", none as wide as \(lacking.map(\.0).joined(separator: " and ")): texts of Word break their lines elsewhere",
                command: "apt install " + lacking.map { "fonts-crosextra-" + $0.1 }.joined(separator: " "))
        }
        return Finding(.data, "fonts", .ok, found)
    }

    /// Asks for two types that every database knows, one by content and one by name.
    private static var types: Finding {
        let head = Array("%PDF-1.4\n".utf8)
        let content = take(g_content_type_guess(nil, head, gsize(head.count), nil))
        let name = take(g_content_type_guess("a.odt", nil, 0, nil))
        if content == "application/pdf", name == "application/vnd.oasis.opendocument.text" {
            return Finding(.data, "file types", .ok, "shared-mime-info knows them")
        }
        return Finding(
            .data, "file types", .problem, "shared-mime-info takes a PDF for \(content) and an ODT for \(name)",
            command: "apt install shared-mime-info && update-mime-database /usr/share/mime")
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "nothing" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
