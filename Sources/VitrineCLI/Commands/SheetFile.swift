import Vitrine
import VitrineKit

/// The file that `prebuild --sheet` names.
struct SheetFile {
    private let path: [UInt8]
    private let isPage: Bool

    /// - Parameter path: the option's value.
    /// - Returns: `nil` when there is none.
    /// - Throws: `invalidArgument` for a name that does not say what to write.
    init?(_ path: [UInt8]?) throws(PluginError) {
        guard let path else { return nil }
        let name = String(decoding: path, as: UTF8.self).lowercased()
        guard name.hasSuffix(".html") || name.hasSuffix(".htm") || name.hasSuffix(".png") else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(path))' is no sheet: let its name end in .html or .png")
        }
        self.path = path
        isPage = !name.hasSuffix(".png")
    }

    /// Writes the sheet after a run that was not stopped.
    /// - Returns: what was written, in a sentence; `nil` when nothing was.
    func write(
        _ pipeline: PreviewPipeline, _ sources: [RunSource], _ options: PrebuildOptions, _ summary: RunSummary
    ) async -> Result<String, PluginError>? {
        guard !summary.wasInterrupted else { return nil }
        let survey = await pipeline.survey(sources, options, summary, wantsPictures: isPage)
        let name = DisplayText.of(path)
        do throws(PluginError) {
            if isPage {
                try PictureFile.write(Array(SheetPage(survey: survey, summary: summary).html.utf8), to: path)
                return .success("\(survey.entries.count) files are on the sheet '\(name)'")
            }
            let (png, count) = try await pipeline.sheet(of: survey)
            try PictureFile.write(png, to: path)
            let all = survey.entries.filter { $0.failure == nil }.count + survey.omitted
            return .success("\(count) of \(all) previews are on the sheet '\(name)'")
        } catch { return .failure(error) }
    }
}
