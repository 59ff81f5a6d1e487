import Vitrine
import VitrineKit

/// `--max-bytes`: how much may be read of storages that are not on this machine.
enum ReadLimitOption {
    static let specification = OptionSpecification(
        "--max-bytes", value: "SIZE",
        "Read at most so much of files on other machines: 5M/item of each, 2G of all, or both with a comma. Default: "
            + "64MiB/item."
    )

    /// The limits that were asked for.
    static func limits(_ arguments: ParsedArguments) throws(PluginError) -> ReadLimits {
        var limits = ReadLimits()
        guard let text = arguments.text("--max-bytes") else { return limits }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if part.hasSuffix("/item") {
                limits.perItem = try ByteText.count(String(part.dropLast("/item".count)), "--max-bytes")
            } else {
                limits.run = ByteAllowance(limit: try ByteText.count(String(part), "--max-bytes"))
            }
        }
        return limits
    }
}
