import VitrineKit

/// `--embedded`: when a picture that lies ready inside of a file is taken.
enum EmbeddedOption {
    static let specification = OptionSpecification(
        "--embedded", value: "WHEN", choices: .words(EmbeddedUse.allCases.map(\.rawValue)),
        "Take thumbnails that lie inside of files: auto (when as good as drawing), prefer or never. Default: auto.")

    /// What was asked for; `nil` when nothing was, so that the settings decide.
    static func use(_ arguments: ParsedArguments) throws(PluginError) -> EmbeddedUse? {
        guard let text = arguments.text("--embedded") else { return nil }
        guard let use = EmbeddedUse(rawValue: text) else {
            throw PluginError(.invalidArgument, "--embedded is one of auto, prefer and never")
        }
        return use
    }
}
