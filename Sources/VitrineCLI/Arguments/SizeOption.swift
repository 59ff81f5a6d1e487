import PreviewCache
import VitrineKit

/// `--size`: how large previews are.
enum SizeOption {
    static let name = "--size"
    /// The sizes that have names.
    private static let names = ["normal", "large", "x-large", "xx-large"]

    /// What may be written, with what the names mean.
    private static let help = "normal (128), large (256), x-large (512), xx-large (1024) or 1 to 16384 pixels"

    /// Of commands that make several previews of a file.
    static let several = OptionSpecification(
        name, value: "SIZES", choices: .list(names),
        "\(help), separated by commas. Default: large.")
    /// Of a command that makes one picture, which may be a sheet.
    static let one = OptionSpecification(
        name, value: "SIZE", choices: .words(names), "\(help). Default: large; sheets: xx-large.")

    /// The sizes that were asked for, each once.
    static func sizes(_ arguments: ParsedArguments) throws(PluginError) -> [PreviewSize] {
        var sizes: [PreviewSize] = []
        for part in (arguments.text(name) ?? "large").split(separator: ",", omittingEmptySubsequences: false) {
            let size = try PreviewSize(String(part))
            if !sizes.contains(size) { sizes.append(size) }
        }
        try check(sizes)
        return sizes
    }

    /// Refuses more sizes than one rendering makes.
    static func check(_ sizes: [PreviewSize]) throws(PluginError) {
        guard sizes.count <= 8 else { throw PluginError(.invalidArgument, "at most 8 sizes can be made at once") }
    }

    /// The one size that was asked for.
    /// - Parameter isSheet: whether it is that of a sheet, which is larger by default.
    static func size(_ arguments: ParsedArguments, isSheet: Bool) throws(PluginError) -> PreviewSize {
        let text = arguments.text(name) ?? (isSheet ? "xx-large" : "large")
        guard !text.contains(",") else { throw PluginError(.invalidArgument, "name one size") }
        return try PreviewSize(text)
    }
}
