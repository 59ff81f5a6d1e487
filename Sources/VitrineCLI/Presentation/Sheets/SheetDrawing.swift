import Vitrine
import VitrineKit

/// A contact sheet of folders as a picture: what ``SheetPage`` shows, on one PNG.
struct SheetDrawing {
    let contents: SheetContents

    /// The most files on it.
    private static let mostFiles = 1000
    /// The most files that are named below the pictures.
    private static let mostOthers = 20

    /// What the sheet's plugin is to draw.
    var description: SheetDescription {
        var sheet = SheetDescription()
        sheet.addTitle(contents.title)
        sheet.addNote(
            contents.counts.map { $0.number > 0 ? "\($0.text) \($0.number)" : $0.text }.joined(separator: " · "))
        var left = Self.mostFiles
        for folder in contents.folders where left > 0 {
            sheet.addFolder(folder.name, detail: folder.detail)
            var kind: String?
            for entry in folder.entries.prefix(left) {
                if folder.showsKinds, entry.kind != kind { sheet.addKind(entry.kind) }
                kind = entry.kind
                add(entry, to: &sheet)
            }
            left -= min(left, folder.entries.count)
        }
        for source in contents.summary.failedSources {
            sheet.addEnd(ItemName.reason(source.uri, source.error))
        }
        addOthers(to: &sheet)
        if contents.survey.entries.count > Self.mostFiles {
            sheet.addEnd("A picture shows \(Self.mostFiles) files at most; a sheet in HTML shows more.")
        }
        if let note = contents.omissions { sheet.addEnd(note) }
        return sheet
    }

    private func addOthers(to sheet: inout SheetDescription) {
        let survey = contents.survey
        guard !survey.others.isEmpty else { return }
        sheet.addEnd("\(SheetContents.others):")
        for entry in survey.others.prefix(Self.mostOthers) {
            sheet.addEnd(ItemName.short(entry.uri) + (entry.failure.map { ": \($0.message)" } ?? ""))
        }
        let left = survey.others.count + survey.omittedOthers - Self.mostOthers
        if left > 0 { sheet.addEnd("… and \(left) more.") }
    }

    private func add(_ entry: Survey.Entry, to sheet: inout SheetDescription) {
        let (name, facts) = (ItemName.short(entry.uri), contents.facts(entry))
        if let failure = entry.failure {
            sheet.addFailure(name, detail: facts, reason: failure.message)
        } else {
            sheet.addFile(name, detail: facts, picture: entry.picture ?? [])
        }
    }
}
