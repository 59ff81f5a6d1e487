import Finishing
import Glibc
import Vitrine
import VitrineKit

/// The file that `prebuild --sheet` names.
struct SheetFile {
    private let path: [UInt8]
    private let isPage: Bool

    /// - Parameters:
    ///   - path: the option's value.
    ///   - format: of the previews.
    /// - Returns: `nil` when there is none.
    /// - Throws: `invalidArgument` for a name that does not say what to write, or for what cannot be drawn on a picture; what
    ///   writing to its folder throws.
    init?(_ path: [UInt8]?, of format: PictureFormat) throws(PluginError) {
        guard let path else { return nil }
        let name = String(decoding: path, as: UTF8.self).lowercased()
        guard name.hasSuffix(".html") || name.hasSuffix(".htm") || name.hasSuffix(".png") else {
            throw PluginError(
                .invalidArgument, "'\(DisplayText.of(path))' is no sheet: let its name end in .html or .png")
        }
        // Before an hour of work, not after it.
        let folder = path.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? Array("./".utf8)[...]
        guard access(folder.map { CChar(bitPattern: $0) } + [0], W_OK) == 0 else {
            throw PluginError(errno: errno, "cannot write '\(DisplayText.of(path))'")
        }
        self.path = path
        isPage = !name.hasSuffix(".png")
        guard isPage || format == .png else {
            throw PluginError(
                .invalidArgument,
                "a sheet that is a picture is made of previews in PNG; let its name end in .html, or leave --format out"
            )
        }
    }

    /// Writes the sheet after a run that was not stopped.
    /// - Returns: what was written, in a sentence; `nil` when nothing was.
    func write(
        _ pipeline: PreviewPipeline, _ sources: [RunSource], _ options: PrebuildOptions, _ summary: RunSummary
    ) async -> Result<String, PluginError>? {
        guard !summary.wasInterrupted else { return nil }
        let survey = await pipeline.survey(sources, options, summary, as: isPage ? .webp : .png)
        let contents = SheetContents(survey: survey, summary: summary)
        let name = DisplayText.of(path)
        let all = survey.entries.count + survey.omitted
        do throws(PluginError) {
            if isPage {
                try PictureFile.write(Array(SheetPage(contents: contents).html.utf8), to: path)
                return .success("\(survey.entries.count) of \(all) files are on the sheet '\(name)'")
            }
            let (png, count) = try await pipeline.sheet(SheetDrawing(contents: contents).description)
            try PictureFile.write(png, to: path)
            return .success("\(count) of \(all) files are on the sheet '\(name)'")
        } catch { return .failure(error) }
    }
}
