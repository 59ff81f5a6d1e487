import PreviewCache
import Vitrine
import VitrineKit

/// A contact sheet of folders as one HTML file: pictures inside, no script, nothing from anywhere else.
struct SheetPage {
    let survey: Survey
    let summary: RunSummary

    /// The most failures that are named.
    private static let shownFailures = 200

    /// The whole file.
    var html: String {
        let groups = folders
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
        if let note = omissions { out += "<p class=\"note\">\(Self.escaped(note))</p>\n" }
        return out + failures + "</main>\n</body>\n</html>\n"
    }

    // MARK: Parts

    private struct Folder {
        var name: String
        var entries: [Survey.Entry] = []
    }

    private var folders: [Folder] {
        var groups: [Folder] = []
        var last = ""
        for entry in survey.entries {
            let folder = entry.uri[..<(entry.uri.lastIndex(of: "/") ?? entry.uri.startIndex)]
            if groups.isEmpty || folder != last[...] {
                groups.append(Folder(name: name(of: String(folder), in: entry.source)))
                last = String(folder)
            }
            groups[groups.count - 1].entries.append(entry)
        }
        return groups
    }

    /// A folder as seen from where the run began.
    private func name(of folder: String, in source: String) -> String {
        let root = ItemName.short(source)
        guard folder.hasPrefix(source), folder.count > source.count else { return root.isEmpty ? "/" : root }
        let rest = folder.dropFirst(source.count).drop { $0 == "/" }
        return root + " / " + rest.split(separator: "/").map { ItemName.short(String($0)) }.joined(separator: " / ")
    }

    private var title: String {
        let names = summary.sources.map { ItemName.short($0) }.filter { !$0.isEmpty }
        return names.isEmpty ? "Files" : names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " …" : "")
    }

    private var counts: String {
        var parts: [String] = []
        let kinds = Dictionary(grouping: survey.entries, by: \.kind).sorted {
            ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }
        for (kind, entries) in kinds { parts.append("<b>\(entries.count)</b> \(Self.escaped(kind))") }
        if parts.isEmpty { parts = ["No file here gets a preview"] }
        if summary.skipped > 0 { parts.append("<b>\(summary.skipped)</b> others, which have none") }
        return parts.joined(separator: " · ")
    }

    private var omissions: String? {
        var sentences: [String] = []
        if survey.omitted > 0 {
            sentences.append("\(survey.omitted) more files were left out: a sheet shows \(Survey.mostEntries) at most.")
        }
        if survey.withoutPicture > 0 {
            sentences.append(
                "\(survey.withoutPicture) pictures were left out, so that the sheet stays small enough to open.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private func section(_ group: Folder, _ index: Int) -> String {
        let bytes = group.entries.reduce(Int64(0)) { $0.addingReportingOverflow(max(0, $1.bytes ?? 0)).partialValue }
        var out = "<section id=\"f\(index)\" aria-labelledby=\"h\(index)\">\n"
        out += "<h2 id=\"h\(index)\">\(Self.escaped(group.name))"
        out +=
            " <small>\(group.entries.count) \(group.entries.count == 1 ? "file" : "files"), \(Quantity.bytes(bytes))</small></h2>\n"
        var kind: String?
        let hasKinds = Set(group.entries.map(\.kind)).count > 1
        for entry in group.entries {
            if entry.kind != kind {
                if kind != nil { out += "</ul>\n" }
                kind = entry.kind
                if hasKinds { out += "<h3>\(Self.escaped(entry.kind))</h3>\n" }
                out += "<ul class=\"grid\">\n"
            }
            out += card(entry)
        }
        return out + (kind == nil ? "" : "</ul>\n") + "</section>\n"
    }

    private func card(_ entry: Survey.Entry) -> String {
        let name = Self.escaped(ItemName.short(entry.uri))
        var out = "<li><figure\(entry.failure == nil ? "" : " class=\"failed\"")><div class=\"frame\">"
        if let picture = entry.picture, let size = entry.pixels {
            out += "<img alt=\"Preview of \(name)\" width=\"\(size.width)\" height=\"\(size.height)\" loading=\"lazy\" "
            out += "src=\"data:image/webp;base64,\(Placeholder.text(picture))\">"
        } else if let failure = entry.failure {
            out += "<p>\(Self.escaped(failure.message))</p>"
        } else {
            out += "<p>not shown</p>"
        }
        return out + "</div><figcaption><span class=\"name\" title=\"\(name)\">\(name)</span>"
            + "<span class=\"facts\">\(Self.escaped(facts(entry)))</span></figcaption></figure></li>\n"
    }

    /// Pages or duration, pixels, and bytes.
    private func facts(_ entry: Survey.Entry) -> String {
        var parts: [String] = []
        if let pages = entry.facts.pages, pages > 0, entry.facts.size == nil || pages > 1 {
            parts.append(pages == 1 ? "1 page" : "\(pages) pages")
        }
        if let duration = entry.facts.duration, duration > 0, duration < 1e9 {
            let seconds = Int(duration.rounded())
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            parts.append(
                seconds < 3600
                    ? "\(seconds / 60):\(two(seconds % 60))"
                    : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))")
        }
        if let size = entry.facts.size { parts.append("\(size.width) × \(size.height)") }
        if let bytes = entry.bytes { parts.append(Quantity.bytes(bytes)) }
        return parts.joined(separator: " · ")
    }

    private var failures: String {
        let failed = survey.entries.filter { $0.failure != nil }
        guard !failed.isEmpty || !summary.failedSources.isEmpty else { return "" }
        var out = "<section id=\"failures\" aria-labelledby=\"hf\">\n<h2 id=\"hf\">Without a preview "
        out += "<small>\(failed.count) \(failed.count == 1 ? "file" : "files")</small></h2>\n<table>\n"
        out += "<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n"
        for source in summary.failedSources {
            out += row(ItemName.long(source.uri), source.error.message)
        }
        for entry in failed.prefix(Self.shownFailures) {
            out += row(ItemName.short(entry.uri), entry.failure?.message ?? "")
        }
        out += "</tbody>\n</table>\n"
        if failed.count > Self.shownFailures {
            out += "<p class=\"note\">… and \(failed.count - Self.shownFailures) more.</p>\n"
        }
        return out + "</section>\n"
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
