import Vitrine
import VitrineKit

/// `--if-busy`: what is done while another run is at work.
enum BusyOption {
    private static let option = ChoiceOption<BusyPolicy>(
        "--if-busy", value: "DO",
        "When another run is at work there: wait for it, join it (tell how far it is, and end with it) or fail. "
            + "Default: wait.")
    static let specification = option.specification

    /// What was asked for, or the default.
    static func policy(_ arguments: ParsedArguments) throws(PluginError) -> BusyPolicy {
        try option.choice(arguments) ?? .wait
    }
}
