import Vitrine
import VitrineKit

/// `vitrine version`
enum VersionCommand: Command {
    static let name = "version"
    static let summary = "Say which version this is."
    static let usage = ""
    static let details = ""
    static let options: [OptionSpecification] = []

    static func run(_ arguments: ParsedArguments) async throws(PluginError) -> CInt {
        guard arguments.operands.isEmpty else { throw PluginError(.invalidArgument, "'version' takes no argument") }
        Console.print("vitrine \(VitrineVersion.text) (plugin ABI \(VITRINE_PLUGIN_ABI))")
        return ExitCode.done
    }
}
