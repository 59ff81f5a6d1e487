import Vitrine

/// The manual page vitrine(1): what the helps of the commands say, and what none of them does.
enum ManualPage {
    /// The page as man(1) reads it.
    static var text: String {
        var page = Roff()
        page.macro("TH", "VITRINE", "1", "", "Vitrine \(VitrineVersion.text)", "User Commands")
        // Words are not torn apart, nor their distances stretched: much of it is to be typed.
        page.request("nh")
        page.request("ad l")
        page.macro("SH", "NAME")
        page.sentences("vitrine - \(purpose)")
        page.macro("SH", "SYNOPSIS")
        page.macro("B", "vitrine")
        page.macro("I", "COMMAND")
        page.macro("RI", "[", "ARGUMENTS", "]")
        page.macro("SH", "DESCRIPTION")
        for (index, part) in description.enumerated() { index == 0 ? page.sentences(part) : page.paragraph(part) }
        page.macro("SH", "COMMANDS")
        for command in CommandLineTool.commands { add(command, to: &page) }
        add("FILES", files, to: &page)
        add("ENVIRONMENT", variables, to: &page)
        add("EXIT STATUS", ExitCode.meanings.map { ($0.codes, "\($0.meaning).") }, to: &page)
        page.macro("SH", "EXAMPLES")
        page.example(examples)
        page.macro("SH", "SEE ALSO")
        page.sentences("gitignore(5), systemctl(1), rclone(1); the documents in share/doc/vitrine of the installation.")
        return page.text
    }

    private static func add(_ command: any Command.Type, to page: inout Roff) {
        page.macro("SS", "vitrine \(command.name)")
        page.sentences(command.summary)
        if !command.usage.isEmpty { page.paragraph("Usage: vitrine \(command.name) \(command.usage)") }
        for paragraph in command.paragraphs { page.paragraph(paragraph) }
        for option in command.options {
            let names = [option.short, option.name].compactMap { $0 }.joined(separator: ", ")
            page.row(names, option.shownValue ?? "", meaning: option.help)
        }
    }

    private static func add(_ title: String, _ rows: [(name: String, meaning: String)], to page: inout Roff) {
        page.macro("SH", title)
        for row in rows { page.row(row.name, meaning: row.meaning) }
    }
}
