import VitrineKit

/// `--embedded`: when a picture that lies ready inside of a file is taken.
enum EmbeddedOption {
    private static let option = ChoiceOption<EmbeddedUse>(
        "--embedded", value: "WHEN",
        "Take thumbnails that lie inside of files: auto (when as good as drawing), prefer or never. Default: auto.")
    static let specification = option.specification

    /// What was asked for; `nil` when nothing was, so that the settings decide.
    static func use(_ arguments: ParsedArguments) throws(PluginError) -> EmbeddedUse? { try option.choice(arguments) }
}
