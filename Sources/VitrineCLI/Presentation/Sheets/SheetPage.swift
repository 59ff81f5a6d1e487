import Vitrine
import VitrineKit

/// A contact sheet of folders as one HTML file: pictures inside, no script, nothing from anywhere else.
struct SheetPage {
    let contents: SheetContents

    private var survey: Survey { contents.survey }
    private var summary: RunSummary { contents.summary }

    /// The most failures that are named.
    private static let shownFailures = 200

    /// The whole file.
    var html: String {
        let (groups, title) = (contents.folders, contents.title)
        var out = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
            style-src 'unsafe-inline'">
            <meta name="generator" content="Vitrine">
            <title>\(Self.escaped(title))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <a class="skip" href="#files">Skip to the files</a>
            <header>
            <h1>\(Self.escaped(title))</h1>
            <p class="counts">\(counts)</p>

            """
        if groups.count > 1 {
            out += "<nav aria-label=\"Folders\"><ul>\n"
            for (index, group) in groups.enumerated() {
                out +=
                    "<li><a href=\"#f\(index)\">\(Self.escaped(group.name)) <span>\(group.entries.count)</span></a></li>\n"
            }
            out += "</ul></nav>\n"
        }
        out += "</header>\n<main id=\"files\">\n"
        for (index, group) in groups.enumerated() { out += section(group, index) }
        if let note = contents.omissions { out += "<p class=\"note\">\(Self.escaped(note))</p>\n" }
        return out + failures + others + "</main>\n</body>\n</html>\n"
    }

    // MARK: Parts

    private var counts: String {
        contents.counts.map { count in
            let text = Self.escaped(count.text)
            return "<span>\(count.number > 0 ? "\(text) <b>\(count.number)</b>" : text)</span>"
        }.joined(separator: " · ")
    }

    private func section(_ group: SheetContents.Folder, _ index: Int) -> String {
        var out = "<section id=\"f\(index)\" aria-labelledby=\"h\(index)\">\n"
        out += "<h2 id=\"h\(index)\">\(Self.escaped(group.name))"
        out += " <small>\(group.detail)</small></h2>\n"
        guard group.showsKinds else { return out + grid(group.entries[...]) + "</section>\n" }
        // They come in the order of their kinds.
        var rest = group.entries[...]
        while let kind = rest.first?.kind {
            let some = rest.prefix { $0.kind == kind }
            out += "<h3>\(Self.escaped(kind))</h3>\n" + grid(some)
            rest = rest[some.endIndex...]
        }
        return out + "</section>\n"
    }

    private func grid(_ entries: ArraySlice<Survey.Entry>) -> String {
        entries.reduce(into: "<ul class=\"grid\">\n") { $0 += card($1) } + "</ul>\n"
    }

    private func card(_ entry: Survey.Entry) -> String {
        let name = Self.escaped(ItemName.short(entry.uri))
        var out = "<li><figure\(entry.failure == nil ? "" : " class=\"failed\"")><div class=\"frame\">"
        if let picture = entry.picture, let size = entry.pixels {
            out += "<img alt=\"Preview of \(name)\" width=\"\(size.width)\" height=\"\(size.height)\" loading=\"lazy\" "
            out += "src=\"data:image/\(entry.format.rawValue);base64,\(Base64.text(picture))\">"
        } else if let failure = entry.failure {
            out += "<p>\(Self.escaped(failure.message))</p>"
        } else {
            out += "<p>not shown</p>"
        }
        return out + "</div><figcaption><span class=\"name\" title=\"\(name)\">\(name)</span>"
            + "<span class=\"facts\">\(Self.escaped(contents.facts(entry)))</span></figcaption></figure></li>\n"
    }

    private var failures: String {
        let failed = survey.entries.filter { $0.failure != nil }
        guard !failed.isEmpty || !summary.failedSources.isEmpty else { return "" }
        let shown = failed.prefix(Self.shownFailures)
        return reasons(
            "failures", "Without a preview", count: failed.count,
            rows: summary.failedSources.map { row(ItemName.long($0.uri), $0.error.message) } + shown.map { row($0) },
            omitted: failed.count - shown.count)
    }

    /// What somebody may look for who knows that it is there.
    private var others: String {
        guard !survey.others.isEmpty else { return "" }
        return reasons(
            "others", SheetContents.others, count: survey.others.count + survey.omittedOthers,
            rows: survey.others.map { row($0) }, omitted: survey.omittedOthers)
    }

    /// A table of files with what is to be said of each.
    private func reasons(_ id: String, _ title: String, count: Int, rows: [String], omitted: Int) -> String {
        var out = "<section id=\"\(id)\" aria-labelledby=\"h-\(id)\">\n<h2 id=\"h-\(id)\">\(Self.escaped(title)) "
        out += "<small>\(Quantity.count(count, "file"))</small></h2>\n<table>\n"
        out += "<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n"
        out += rows.joined() + "</tbody>\n</table>\n"
        if omitted > 0 { out += "<p class=\"note\">… and \(omitted) more.</p>\n" }
        return out + "</section>\n"
    }

    private func row(_ entry: Survey.Entry) -> String {
        row(ItemName.short(entry.uri), entry.failure?.message ?? "")
    }

    private func row(_ name: String, _ reason: String) -> String {
        "<tr><th scope=\"row\">\(Self.escaped(name))</th><td>\(Self.escaped(reason))</td></tr>\n"
    }

    /// Text in which no sign means anything to HTML, neither between tags nor in quotes.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in DisplayText.of(text).unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
